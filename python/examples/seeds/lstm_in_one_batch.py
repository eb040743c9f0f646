"""A thousand sequences through an LSTM of 256 units in one step."""

# ---- prelude ----
# Nothing is left open.

# ---- the text, its imports changed ----
import plimsoll.tensorflow as tf

# Generate synthetic data
num_samples = 1000
seq_len = 50
input_dim = 10
num_classes = 2
x_train = tf.random.normal((num_samples, seq_len, input_dim))
y_train = tf.random.uniform((num_samples,), minval=0, maxval=num_classes, dtype=tf.int32)
y_train = tf.one_hot(y_train, depth=num_classes)

# Model definition with large batch size and LSTM units
batch_size = 512 # This will likely cause problems
lstm_units = 256 # This can be excessive
model = tf.keras.models.Sequential([
    tf.keras.layers.LSTM(lstm_units, input_shape=(seq_len, input_dim)),
    tf.keras.layers.Dense(num_classes, activation='softmax')
])

# Optimizer, loss and training
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.CategoricalCrossentropy()
epochs = 2

for epoch in range(epochs):
    print(f"Starting epoch {epoch+1}")
    with tf.GradientTape() as tape:
      logits = model(x_train)
      loss = loss_fn(y_train, logits)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
