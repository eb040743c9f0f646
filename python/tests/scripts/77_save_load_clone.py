"""Saving in every way: whole models, weights, configs, JSON, HDF5, clones, checkpoints by epoch, optimizer state."""

import json
import os

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.models import clone_model, load_model, model_from_json

from _same import report, same_weights

rng = np.random.default_rng(9)
x = rng.normal(size=(48, 8)).astype("float32")
y = rng.integers(0, 3, 48)


def create_model():
    model = tf.keras.Sequential([
        keras.layers.Input((8,)),
        keras.layers.Dense(12, activation="relu", kernel_regularizer=keras.regularizers.l2(0.01), name="hidden"),
        keras.layers.BatchNormalization(name="norm"),
        keras.layers.Dropout(0.0),
        keras.layers.Dense(3, name="logits")], name="small")
    model.compile(optimizer=keras.optimizers.Adam(0.01, weight_decay=0.001),
                  loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=[tf.keras.metrics.SparseCategoricalAccuracy()])
    return model


model = same_weights(create_model())
checkpoint_path = "training_1/cp-{epoch:04d}.weights.h5"
os.makedirs(os.path.dirname(checkpoint_path), exist_ok=True)
callback = tf.keras.callbacks.ModelCheckpoint(filepath=checkpoint_path, save_weights_only=True, verbose=1,
                                              save_freq=2 * 3)
model.save_weights(checkpoint_path.format(epoch=0))
model.fit(x, y, epochs=4, batch_size=16, shuffle=False, callbacks=[callback], verbose=0)
report("files", sorted(os.listdir("training_1")))
fresh = create_model()
fresh.load_weights("training_1/cp-0004.weights.h5")
report("loaded", fresh.evaluate(x, y, verbose=0))
report("same", bool(np.allclose(fresh.predict(x, verbose=0), model.predict(x, verbose=0), atol=1e-6)))
best = keras.callbacks.ModelCheckpoint("best-{epoch:02d}-{val_loss:.2f}.keras", monitor="val_loss",
                                       save_best_only=True, mode="min")
model.fit(x, y, epochs=2, batch_size=16, shuffle=False, callbacks=[best], validation_split=0.25, verbose=0)
report("best", len([name for name in os.listdir(".") if name.startswith("best-01")]))

model.save("my_model.keras")
model.save("my_model.h5")
loaded, loaded_h5 = load_model("my_model.keras"), load_model("my_model.h5")
report("loaded_losses", [loaded.evaluate(x, y, verbose=0)[0], loaded_h5.evaluate(x, y, verbose=0)[0]])
report("iterations", [int(loaded.optimizer.iterations), int(model.optimizer.iterations)])
one = loaded.fit(x, y, epochs=1, batch_size=16, shuffle=False, verbose=0).history["loss"]
two = model.fit(x, y, epochs=1, batch_size=16, shuffle=False, verbose=0).history["loss"]
report("continued", [one, two])
report("summary", loaded.name)
uncompiled = load_model("my_model.keras", compile=False)
report("uncompiled", getattr(uncompiled, "optimizer", None) is None)

config = model.get_config()
report("config", [config["name"], len(config["layers"]), config["layers"][1]["config"]["units"]])
again = keras.Sequential.from_config(config)
again.set_weights(model.get_weights())
report("from_config", again.predict(x[:2], verbose=0))
text = model.to_json()
report("json_keys", [json.loads(text)[key] for key in ("class_name", "registered_name")][0])
from_json = model_from_json(text)
from_json.load_weights("my_model.h5")
report("from_json", np.array([len(from_json.layers), len(from_json.get_weights())]))

clone = clone_model(model)
report("clone", [clone.count_params(), len(clone.layers)])
clone.set_weights(model.get_weights())
report("cloned", clone.predict(x[:2], verbose=0))


def narrower(layer):
    config = layer.get_config()
    if isinstance(layer, keras.layers.Dense) and layer.name == "hidden":
        config["activation"] = "tanh"
    return layer.__class__.from_config(config)


changed = clone_model(model, clone_function=narrower)
changed.set_weights(model.get_weights())
report("changed", changed.predict(x[:2], verbose=0))
layer = keras.layers.Dense.from_config(model.get_layer("hidden").get_config())
report("layer", [layer.units, layer.activation.__name__, layer.name])
report("dense_config", sorted(k for k in layer.get_config()))
weights = {w.path if hasattr(w, "path") else w.name: w.shape for w in model.weights}
report("paths", sorted(weights))
report("hidden", model.get_layer("hidden").get_weights()[0][0, :3])
model.get_layer(index=0).trainable = False
report("trainable", [len(model.trainable_weights), len(model.non_trainable_weights)])
np.savez("weights.npz", *model.get_weights())
with np.load("weights.npz") as file:
    again.set_weights([file[key] for key in file.files])
report("from_npz", again.predict(x[:1], verbose=0))
checkpoint = tf.train.Checkpoint(step=tf.Variable(1), optimizer=model.optimizer, net=model)
manager = tf.train.CheckpointManager(checkpoint, "./tf_ckpts", max_to_keep=2)
checkpoint.restore(manager.latest_checkpoint)
report("from_scratch", manager.latest_checkpoint is None)
for _ in range(3):
    checkpoint.step.assign_add(1)
    manager.save()
report("kept", [os.path.basename(path) for path in manager.checkpoints])
checkpoint.step.assign(0)
status = checkpoint.restore(manager.latest_checkpoint)
report("restored", int(checkpoint.step))
try:
    load_model("absent.keras")
except (ValueError, OSError) as error:
    report("absent", True)
try:
    again.set_weights(model.get_weights()[:-1])
except ValueError:
    report("too_few", True)
try:
    model.get_layer("nothing")
except ValueError:
    report("no_layer", True)
