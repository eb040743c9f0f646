"""Imbalanced classes: initial bias, class weights, oversampled datasets, metrics by thresholds, focal loss."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

from _same import report, same_weights

rng = np.random.default_rng(4)
features = rng.normal(size=(400, 6))
labels = (features[:, 0] + 0.3 * rng.normal(size=400) > 1.6).astype("int64")
neg, pos = np.bincount(labels)
total = neg + pos
print("Examples:\n    Total: {}\n    Positive: {} ({:.2f}% of total)\n".format(total, pos, 100 * pos / total))
report("counts", [neg, pos])
features = np.clip((features - features.mean(axis=0)) / features.std(axis=0), -5, 5)
train_features, val_features, test_features = features[:240], features[240:320], features[320:]
train_labels, val_labels, test_labels = labels[:240], labels[240:320], labels[320:]

METRICS = [
    keras.metrics.BinaryCrossentropy(name="cross entropy"),
    keras.metrics.MeanSquaredError(name="Brier score"),
    keras.metrics.TruePositives(name="tp"),
    keras.metrics.FalsePositives(name="fp"),
    keras.metrics.TrueNegatives(name="tn"),
    keras.metrics.FalseNegatives(name="fn"),
    keras.metrics.BinaryAccuracy(name="accuracy"),
    keras.metrics.Precision(name="precision"),
    keras.metrics.Recall(name="recall"),
    keras.metrics.AUC(name="auc"),
    keras.metrics.AUC(name="prc", curve="PR"),
]


def make_model(metrics=METRICS, output_bias=None):
    if output_bias is not None:
        output_bias = tf.keras.initializers.Constant(output_bias)
    model = keras.Sequential([
        keras.layers.Input((train_features.shape[-1],)),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dropout(0.0),
        keras.layers.Dense(1, activation="sigmoid", bias_initializer=output_bias)])
    model.compile(optimizer=keras.optimizers.Adam(learning_rate=1e-3), loss=keras.losses.BinaryCrossentropy(),
                  metrics=metrics)
    return model


initial_bias = np.log([pos / neg])
report("initial_bias", initial_bias)
model = make_model(output_bias=initial_bias)
report("bias", model.layers[-1].bias.numpy().copy())
same_weights(model)
model.layers[-1].bias.assign(initial_bias)
results = model.evaluate(train_features, train_labels[:, None], batch_size=100, verbose=0)
report("before", results)
early_stopping = tf.keras.callbacks.EarlyStopping(monitor="val_prc", verbose=1, patience=2, mode="max",
                                                  restore_best_weights=True)
weight_for_0 = (1 / neg) * (total / 2.0)
weight_for_1 = (1 / pos) * (total / 2.0)
class_weight = {0: weight_for_0, 1: weight_for_1}
history = model.fit(train_features, train_labels[:, None], batch_size=40, epochs=5, shuffle=False, verbose=0,
                    callbacks=[early_stopping], validation_data=(val_features, val_labels[:, None]),
                    class_weight=class_weight)
report("weighted", history.history, atol=2e-4)
report("after", model.evaluate(test_features, test_labels[:, None], batch_size=40, verbose=0, return_dict=True), atol=2e-4)
predictions = model.predict(test_features, batch_size=40, verbose=0)
print(predictions.shape)
confusion = tf.math.confusion_matrix(test_labels, predictions[:, 0] > 0.5)
report("confusion", confusion)

bool_labels = train_labels != 0
pos_features, neg_features = train_features[bool_labels], train_features[~bool_labels]
ids = np.arange(len(pos_features))
choices = np.random.RandomState(0).choice(ids, len(neg_features))
resampled_features = np.concatenate([pos_features[choices], neg_features], axis=0)
resampled_labels = np.concatenate([np.ones(len(choices)), np.zeros(len(neg_features))])


def make_ds(features, labels):
    ds = tf.data.Dataset.from_tensor_slices((features, labels))
    return ds.cache().repeat()


pos_ds, neg_ds = make_ds(pos_features, np.ones(len(pos_features))), make_ds(neg_features, np.zeros(len(neg_features)))
for f, label in pos_ds.take(1):
    print("Features:\n", f.numpy())
    print("Label: ", label.numpy())
resampled_ds = tf.data.Dataset.sample_from_datasets([pos_ds, neg_ds], weights=[0.5, 0.5], seed=1)
resampled_ds = resampled_ds.batch(20).prefetch(2)
shares = [float(label.numpy().mean()) for f, label in resampled_ds.take(20)]
report("balanced", 0.35 < np.mean(shares) < 0.65)
resampled_steps_per_epoch = int(np.ceil(2.0 * neg / 100))
model = make_model(metrics=["accuracy"])
same_weights(model)
history = model.fit(resampled_ds, epochs=2, steps_per_epoch=resampled_steps_per_epoch, verbose=0,
                    validation_data=tf.data.Dataset.from_tensor_slices((val_features, val_labels)).batch(20))
report("keys", sorted(history.history))
report("finite", bool(np.all(np.isfinite(history.history["loss"]))))

for name, loss in {"focal": keras.losses.BinaryFocalCrossentropy(gamma=2.0, apply_class_balancing=True, alpha=0.25),
                   "smooth": keras.losses.BinaryCrossentropy(label_smoothing=0.1),
                   "hinge": "hinge", "squared_hinge": "squared_hinge", "poisson": "poisson",
                   "log_cosh": "log_cosh"}.items():
    model = make_model(metrics=[keras.metrics.Precision(thresholds=[0.3, 0.6]), keras.metrics.Recall(top_k=None)])
    same_weights(model)
    model.compile("sgd", loss, metrics=[keras.metrics.SensitivityAtSpecificity(0.5),
                                        keras.metrics.PrecisionAtRecall(0.5)])
    history = model.fit(resampled_features, resampled_labels, batch_size=60, shuffle=False, verbose=0)
    report(name, history.history, atol=1e-4)
thresholds = keras.metrics.Precision(thresholds=[0.3, 0.6])
thresholds.update_state(test_labels[:, None], predictions)
report("thresholds", thresholds.result(), atol=1e-4)
weights = np.where(test_labels == 1, 5.0, 1.0)
auc = keras.metrics.AUC(num_thresholds=20, summation_method="interpolation")
auc.update_state(test_labels, predictions[:, 0], sample_weight=weights)
report("auc", auc.result(), atol=1e-4)
auc.reset_state()
report("reset", auc.result())
