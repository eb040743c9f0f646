"""tf.function with Python and tensor loops: while, for over ranges, break, TensorArray, signatures, retracing by types."""

import numpy as np
import tensorflow as tf

from _same import report


@tf.function
def add(a, b):
    return a + b


report("add", add(tf.ones([2, 2]), tf.ones([2, 2])))
report("add_numbers", add(1, 2))


@tf.function
def simple_relu(x):
    if tf.greater(x, 0):
        return x
    else:
        return 0 * x


report("relu", [float(simple_relu(tf.constant(2.0))), float(simple_relu(tf.constant(-2.0)))])


@tf.function
def fizzbuzz(max_num):
    counter = tf.constant(0)
    buzz = tf.constant(0)
    for num in tf.range(1, max_num + 1):
        if num % 3 == 0 and num % 5 == 0:
            buzz += 100
        elif num % 3 == 0:
            buzz += 1
        elif num % 5 == 0:
            buzz += 10
        counter += 1
    return counter, buzz


report("fizzbuzz", [int(v) for v in fizzbuzz(tf.constant(20))])


@tf.function
def collatz(n):
    steps = tf.constant(0)
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


report("collatz", int(collatz(tf.constant(27))))


@tf.function
def dynamic_rnn(rnn_step, input_data, initial_state):
    input_data = tf.transpose(input_data, [1, 0, 2])
    max_seq_len = tf.shape(input_data)[0]
    states = tf.TensorArray(tf.float32, size=max_seq_len)
    state = initial_state
    for i in tf.range(max_seq_len):
        state = rnn_step(input_data[i], state)
        states = states.write(i, state)
    return tf.transpose(states.stack(), [1, 0, 2])


report("rnn", dynamic_rnn(lambda x, s: 0.5 * x + s, tf.ones((2, 3, 4)), tf.zeros((2, 4)))[0, :, 0])


@tf.function(input_signature=(tf.TensorSpec(shape=[None], dtype=tf.int32),))
def next_collatz(x):
    print("Tracing with", x)
    return tf.where(x % 2 == 0, x // 2, 3 * x + 1)


report("signature", next_collatz(tf.constant([1, 2])))
total = tf.Variable(0.0)


@tf.function
def accumulate(values):
    for value in values:
        total.assign_add(value)
    return total


report("accumulate", float(accumulate(tf.constant([1.0, 2.0, 3.0]))))
i, s = tf.while_loop(lambda i, s: tf.less(i, 5), lambda i, s: (i + 1, s + i), (tf.constant(0), tf.constant(0)))
report("while_loop", [int(i), int(s)])
result = tf.cond(tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2))
report("cond", int(result))
report("case", int(tf.case([(tf.constant(False), lambda: tf.constant(1)), (tf.constant(True), lambda: tf.constant(2))],
                           default=lambda: tf.constant(3))))
report("switch", int(tf.switch_case(tf.constant(1), {0: lambda: tf.constant(10), 1: lambda: tf.constant(11)})))
report("map_fn", tf.map_fn(lambda x: x * x + 1, tf.constant([1.0, 2.0, 3.0])))
report("map_two", tf.map_fn(lambda p: p[0] * p[1], (tf.constant([1, 2]), tf.constant([3, 4])),
                            fn_output_signature=tf.int32))
report("foldl", tf.foldl(lambda a, x: a * 2 + x, tf.constant([1, 2, 3])))
report("foldr", tf.foldr(lambda a, x: a * 2 + x, tf.constant([1, 2, 3])))
report("scan", tf.scan(lambda a, x: a + x, tf.constant([1.0, 2.0, 3.0])))
report("scan_start", tf.scan(lambda a, x: a * x, tf.constant([1.0, 2.0, 3.0]), initializer=tf.constant(10.0)))
report("vectorized", tf.vectorized_map(lambda x: tf.reduce_sum(x) * x, tf.ones((3, 2))))
array = tf.TensorArray(dtype=tf.float32, size=0, dynamic_size=True, clear_after_read=False)
array = array.write(0, 1.0).write(1, 2.0)
report("array", [float(array.read(1)), int(array.size())])
report("unstacked", tf.TensorArray(tf.float32, 3).unstack([1.0, 2.0, 3.0]).gather([0, 2]))


class Counter(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.count = tf.Variable(0, name="count")
        self.layers_ = [tf.Variable([1.0]), {"a": tf.Variable([2.0])}]

    @tf.function
    def __call__(self, by=1):
        self.count.assign_add(by)
        return self.count * 1


counter = Counter("c")
report("count", [int(counter()), int(counter(5))])
report("variables", len(counter.variables))


@tf.function
def train(model, x, y, learning_rate=0.1):
    with tf.GradientTape() as t:
        loss = tf.reduce_mean(tf.square(y - model(x)))
    dw, db = t.gradient(loss, [model.w, model.b])
    model.w.assign_sub(learning_rate * dw)
    model.b.assign_sub(learning_rate * db)
    return loss


class MyModel(tf.Module):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b


xs = tf.linspace(-2, 2, 41)
xs = tf.cast(xs, tf.float32)
ys = 3.0 * xs + 2.0
model = MyModel()
losses = [float(train(model, xs, ys)) for _ in range(10)]
report("losses", losses)
report("fitted", [float(model.w), float(model.b)])
concrete = add.get_concrete_function(tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.float32))
report("concrete", float(concrete(tf.constant(1.0), tf.constant(2.0))))
tf.config.run_functions_eagerly(True)
report("eagerly", int(add(tf.constant(2), tf.constant(3))))
tf.config.run_functions_eagerly(False)
report("executing", tf.executing_eagerly())


@tf.function(reduce_retracing=True, jit_compile=False, autograph=True)
def power(x, n):
    result = tf.ones_like(x)
    for _ in range(n):
        result *= x
    return result


report("power", power(tf.constant([1.0, 2.0, 3.0]), 3))
tf.print("value:", tf.constant([1, 2]), "end")
tf.debugging.assert_equal(tf.constant(1), 1)
tf.debugging.assert_shapes([(xs, (41,))])
try:
    tf.debugging.assert_less(tf.constant([1.0, 5.0]), 2.0, message="too big")
except tf.errors.InvalidArgumentError as error:
    report("assertion", "too big" in str(error))
try:
    tf.debugging.check_numerics(tf.constant([1.0, np.nan]), "bad")
except tf.errors.InvalidArgumentError:
    report("numerics", True)
primes = []
n = tf.constant(2)
while len(primes) < 5:
    if all(int(n) % p for p in primes):
        primes.append(int(n))
    n += 1
report("primes", primes)
a, b = tf.constant(0), tf.constant(1)
for _ in tf.range(10):
    a, b = b, a + b
report("fibonacci", int(a))
