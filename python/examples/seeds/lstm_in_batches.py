"""An LSTM that is trained on slices of 32 sequences."""

# ---- prelude ----
# Nothing is left open.

# ---- the text, its imports changed ----
import plimsoll.tensorflow as tf

# Simplified dataset
num_samples = 1000
seq_len = 20
input_dim = 5
num_classes = 2
x_train = tf.random.normal((num_samples, seq_len, input_dim))
y_train = tf.random.uniform((num_samples,), minval=0, maxval=num_classes, dtype=tf.int32)
y_train = tf.one_hot(y_train, depth=num_classes)

# Model Definition (simplified)
model = tf.keras.models.Sequential([
    tf.keras.layers.LSTM(32, input_shape=(seq_len, input_dim)),
    tf.keras.layers.Dense(num_classes, activation='softmax')
])

# Optimizer, loss function
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.CategoricalCrossentropy()

batch_size = 32 # Using mini-batches

# Custom training step for batched data
def training_step_batched(x_batch, y_batch):
    with tf.GradientTape() as tape:
      logits = model(x_batch)
      loss = loss_fn(y_batch, logits)

    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss

epochs = 2

for epoch in range(epochs):
    print(f"Starting epoch {epoch+1}")
    for i in range(0, len(x_train), batch_size):
        x_batch = x_train[i:i+batch_size]
        y_batch = y_train[i:i+batch_size]
        loss = training_step_batched(x_batch, y_batch)
