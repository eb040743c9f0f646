"""An LSTM trained one sequence at a time, with new tensors in each step: memory stays flat."""

# ---- prelude ----
# Nothing is left open.

# ---- the text, its imports changed ----
import plimsoll.tensorflow as tf

# Simplified dataset
num_samples = 100
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
epochs = 2

def training_step(x, y):
    with tf.GradientTape() as tape:
      logits = model(x)
      loss = loss_fn(y, logits)

    # The problem: New gradients are created on each step
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    
    return loss

for epoch in range(epochs):
    print(f"Starting epoch {epoch+1}")
    for i in range(len(x_train)):
        x = tf.expand_dims(x_train[i], axis=0)
        y = tf.expand_dims(y_train[i], axis=0)
        loss = training_step(x, y)
