"""Loops that keep tensors, as people write them.

Each begins with `# ---- name` and runs after PRELUDE. `step` makes one step of training; the line with
`# here` is the one that makes what is kept.
"""

PRELUDE = '''
import numpy as np
import plimsoll.tensorflow as tf
from plimsoll.tensorflow import keras

inputs = tf.constant(np.ones((4, 3), "float32"))
labels = tf.constant(np.ones((4, 1), "float32"))
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.001)
loss_of = keras.losses.MeanSquaredError()


def step():
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(inputs, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


'''

LOOPS = '''
# ---- losses without float()
losses = []
for i in range(STEPS):
    with tf.GradientTape() as tape:
        predictions = model(inputs, training=True)
        loss = loss_of(labels, predictions)  # here
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    losses.append(loss)
# ---- kept gradients
history = []
for i in range(STEPS):
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(inputs, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)  # here
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    history.append(gradients)
# ---- kept predictions
outputs = []
for i in range(STEPS):
    with tf.GradientTape() as tape:
        predictions = model(inputs, training=True)  # here
        loss = loss_of(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    outputs.append(predictions)
# ---- a sum of losses
total = 0.0
sums = []
for i in range(STEPS):
    step()
    total = total + tf.reduce_sum(model(inputs))  # here
    sums.append(total)
# ---- a list in a callback
class Keeper(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.outputs = []

    def on_train_batch_end(self, batch, logs=None):
        self.outputs.append(self.model(inputs))  # here


keeper = Keeper()
model.compile(optimizer, loss_of)
model.fit(np.ones((STEPS, 3)), np.ones((STEPS, 1)), batch_size=1, verbose=0, callbacks=[keeper])
# ---- a dict
by_step = {}
for i in range(STEPS):
    step()
    by_step[i] = {"output": model(inputs)}  # here
# ---- an attribute
class Trainer:
    def __init__(self):
        self.kept = ()

    def run(self):
        for i in range(STEPS):
            step()
            self.kept += (model(inputs),)  # here


trainer = Trainer()
trainer.run()
# ---- a closure
def counter():
    seen = []

    def look():
        seen.append(tf.reduce_mean(model(inputs)))  # here
        return len(seen)

    return look


look = counter()
for i in range(STEPS):
    step()
    look()
# ---- a global
KEPT = []


def note():
    global KEPT
    KEPT = KEPT + [tf.reduce_max(model(inputs))]  # here


for i in range(STEPS):
    step()
    note()
# ---- a default argument
def remember(value, seen=[]):
    seen.append(value)


for i in range(STEPS):
    step()
    remember(model(inputs) * 2.0)  # here
# ---- a generator
def running():
    seen = []
    while True:
        seen.append(model(inputs) - 1.0)  # here
        yield len(seen)


numbers = running()
for i in range(STEPS):
    step()
    next(numbers)
# ---- a traceback
errors = []


def check():
    wrong = model(inputs) + 1.0  # here
    raise ValueError("not good enough")


for i in range(STEPS):
    step()
    try:
        check()
    except ValueError as error:
        errors.append(error)
# ---- persistent tapes
tapes = []
for i in range(STEPS):
    with tf.GradientTape(persistent=True) as tape:
        loss = loss_of(labels, model(inputs, training=True))  # here
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    tapes.append((tape, loss))
# ---- weights of every step
snapshots = []
for i in range(STEPS):
    step()
    snapshots.append([tf.identity(weight) for weight in model.weights])  # here
# ---- a function of its own
def train(steps):
    kept = []
    for i in range(steps):
        with tf.GradientTape() as tape:
            loss = loss_of(labels, model(inputs, training=True))  # here
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        kept.append(loss)
    return kept


result = train(STEPS)
# ---- a list comprehension
def one():
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(inputs, training=True))  # here
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


losses = [one() for _ in range(STEPS)]
# ---- batches of a data set
data = tf.data.Dataset.from_tensor_slices(np.ones((STEPS, 3), "float32")).batch(1)
batches = []
for batch in data:  # here
    step()
    batches.append(batch)
# ---- a layer of one's own
class Watching(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.seen = []

    def call(self, x):
        y = x * 3.0  # here
        self.seen.append(y)
        return y + 1.0


watching = Watching()
for i in range(STEPS):
    step()
    watching(inputs)
# ---- outputs of a model of one's own
class Twice(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = keras.layers.Dense(3)
        self.second = keras.layers.Dense(1)

    def call(self, x):
        return self.second(self.first(x))


twice = Twice()
outputs = []
for i in range(STEPS):
    step()
    outputs.append(twice(inputs))  # here
# ---- slices
parts = []
for i in range(STEPS):
    step()
    outputs = model(inputs)
    parts.append(outputs[i % 4])  # here
# ---- the largest of several
small, large = [], []
for i in range(STEPS):
    step()
    small.append(tf.reduce_mean(model(inputs)))
    large.append(tf.ones((40, 40)) * model(inputs)[0, 0])  # here
# ---- a decorated step
kept = []


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))  # here
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for i in range(STEPS):
    kept.append(train_step(inputs, labels))
'''


def loops() -> dict[str, str]:
    """The text of each loop by its name."""
    texts = LOOPS.split("# ---- ")[1:]
    return {text.split("\n", 1)[0]: PRELUDE + text.split("\n", 1)[1] for text in texts}
