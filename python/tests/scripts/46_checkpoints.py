"""tf.train.Checkpoint and its manager around a training loop that is continued."""

import numpy as np
import tensorflow as tf

from _same import report, same_weights


class Net(tf.keras.Model):
    """A simple linear model."""

    def __init__(self):
        super().__init__()
        self.l1 = tf.keras.layers.Dense(5)

    def call(self, x):
        return self.l1(x)


def toy_dataset():
    inputs = np.arange(10, dtype="float32")[:, None]
    labels = inputs * 5.0 + np.arange(5, dtype="float32")[None, :]
    return tf.data.Dataset.from_tensor_slices(dict(x=inputs, y=labels)).repeat().batch(2)


def train_step(net, example, optimizer):
    """Trains `net` on `example` using `optimizer`."""
    with tf.GradientTape() as tape:
        output = net(example["x"])
        loss = tf.reduce_mean(tf.abs(output - example["y"]))
    variables = net.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


def new_run():
    net = Net()
    net(tf.ones((1, 1)))
    same_weights(net)
    opt = tf.keras.optimizers.Adam(0.1)
    opt.build(net.trainable_variables)
    ckpt = tf.train.Checkpoint(step=tf.Variable(1), optimizer=opt, net=net)
    return net, opt, ckpt, tf.train.CheckpointManager(ckpt, "./tf_ckpts", max_to_keep=2)


def train(steps):
    net, opt, ckpt, manager = new_run()
    ckpt.restore(manager.latest_checkpoint)
    if manager.latest_checkpoint:
        print("Restored from {}".format(manager.latest_checkpoint))
    else:
        print("Initializing from scratch.")
    losses = []
    for example in toy_dataset().take(steps):
        losses.append(float(train_step(net, example, opt)))
        ckpt.step.assign_add(1)
        if int(ckpt.step) % 3 == 0:
            save_path = manager.save()
            print("Saved checkpoint for step {}: {}".format(int(ckpt.step), save_path))
    return net, ckpt, losses


net, ckpt, losses = train(8)
report("first", losses)
net, ckpt, losses = train(4)
report("continued", losses)
report("step", int(ckpt.step))
report("weights", net.get_weights())
report("latest", tf.train.latest_checkpoint("./tf_ckpts").split("/")[-1])

variable = tf.Variable([1.0, 2.0])
checkpoint = tf.train.Checkpoint(v=variable)
path = checkpoint.save("plain/ckpt")
variable.assign([0.0, 0.0])
checkpoint.restore(path)
report("restored", variable.numpy())
