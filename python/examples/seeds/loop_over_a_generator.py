"""A loop of 50 steps over batches from a generator of tensors: its memory stays flat."""

# ---- prelude ----
# Nothing is left open.

# ---- the text, its imports changed ----
import plimsoll.tensorflow as tf
import numpy as np

def data_generator(batch_size):
    while True:
        # Simulating complex data loading and augmentation
        x = tf.random.normal(shape=(batch_size, 224, 224, 3))
        y = tf.random.uniform(shape=(batch_size,), minval=0, maxval=10, dtype=tf.int32)
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
dataset = data_generator(batch_size)

epochs = 50

for epoch in range(epochs):
    x, y = next(dataset) #  This potentially leads to memory buildup if dataset generation is complex and not handled efficiently

    with tf.GradientTape() as tape:
        predictions = model(x)
        loss = loss_fn(y, predictions)

    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    print(f'Epoch: {epoch}, Loss: {loss.numpy()}')
