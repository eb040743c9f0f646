"""The same loop with del and clear_session: neither is needed, and neither does harm."""

# ---- prelude ----
# Nothing is left open.

# ---- the text, its imports changed ----
import plimsoll.tensorflow as tf
import numpy as np

def data_generator_no_tensors(batch_size):
    while True:
        # Returning numpy arrays instead
        x = np.random.normal(size=(batch_size, 224, 224, 3)).astype(np.float32)
        y = np.random.randint(0, 10, size=(batch_size,)).astype(np.int32)
        yield x, y

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, (3, 3), activation='relu', input_shape=(224, 224, 3)),
    tf.keras.layers.MaxPooling2D((2, 2)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation='softmax')
])

optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()

batch_size = 32
dataset = tf.data.Dataset.from_generator(
    data_generator_no_tensors,
    args=[batch_size],
    output_types=(tf.float32, tf.int32),
    output_shapes=((None, 224, 224, 3), (None,))
).prefetch(tf.data.AUTOTUNE)

epochs = 50

for epoch in range(epochs):
  for x, y in dataset.take(1): # Taking one batch for brevity
        with tf.GradientTape() as tape:
            predictions = model(x)
            loss = loss_fn(y, predictions)

        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

        print(f'Epoch: {epoch}, Loss: {loss.numpy()}')
        del x, y, predictions, loss, gradients #explicit clear
        tf.keras.backend.clear_session() # clears tensorflow memory session
