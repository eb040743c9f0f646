"""The accuracies as functions: one value per sample."""
from plimsoll import _core


def _pair(y_true, y_pred):
    """Two tensors; a last axis of one element that only one of them has goes."""
    y_true, y_pred = _core.constant(y_true), _core.constant(y_pred)
    if y_true.ndim == y_pred.ndim + 1 and y_true.shape[-1] == 1:
        return _core.squeeze(y_true, -1), y_pred
    if y_pred.ndim == y_true.ndim + 1 and y_pred.shape[-1] == 1:
        return y_true, _core.squeeze(y_pred, -1)
    return y_true, y_pred


def _number(condition):
    return _core.cast(condition, "float32")


def _numbers_of_classes(y_true, y_pred):
    """Targets that are whole numbers, of one axis fewer than the predictions."""
    y_true = _core.constant(y_true)
    if y_true.ndim == y_pred.ndim and y_true.shape[-1] == 1:
        y_true = _core.squeeze(y_true, -1)
    return _core.cast(y_true, "int64")


def accuracy(y_true, y_pred):
    """1 where both are equal."""
    y_true, y_pred = _pair(y_true, y_pred)
    return _number(_core.equal(_core.cast(y_true, "float32"), _core.cast(y_pred, "float32")))


def binary_accuracy(y_true, y_pred, threshold=0.5):
    """The share of predictions on the target's side of the threshold."""
    y_true, y_pred = _pair(y_true, y_pred)
    said = _number(_core.greater(y_pred, threshold))
    return _core.mean(_number(_core.equal(_core.cast(y_true, "float32"), said)), axis=-1)


def categorical_accuracy(y_true, y_pred):
    """1 where the largest prediction is that of the one-hot target."""
    y_true, y_pred = _core.constant(y_true), _core.constant(y_pred)
    return _number(_core.equal(_core.argmax(y_true, -1), _core.argmax(y_pred, -1)))


def sparse_categorical_accuracy(y_true, y_pred):
    """1 where the largest prediction is that of the target, a class's number."""
    y_pred = _core.constant(y_pred)
    labels = _numbers_of_classes(y_true, y_pred)
    return _number(_core.equal(labels, _core.cast(_core.argmax(y_pred, -1), "int64")))


def top_k_categorical_accuracy(y_true, y_pred, k=5):
    """1 where the one-hot target's class is among the k largest predictions."""
    return sparse_top_k_categorical_accuracy(_core.argmax(_core.constant(y_true), -1), y_pred, k)


def sparse_top_k_categorical_accuracy(y_true, y_pred, k=5, from_sorted_ids=False):
    """1 where the target's class is among the k largest predictions."""
    y_pred = _core.constant(y_pred)
    labels = _numbers_of_classes(y_true, y_pred)
    chosen = _core.cast(_core.one_hot(labels, y_pred.shape[-1]), "float32")
    of_target = _core.sum(chosen * y_pred, axis=-1, keepdims=True)
    larger = _core.sum(_number(_core.greater(y_pred, of_target)), axis=-1)
    return _number(_core.less(larger, float(k)))
