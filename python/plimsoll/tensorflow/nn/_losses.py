"""Losses of tf.nn, on logits."""
import math

from plimsoll import _core


def _float(x):
    tensor = _core.constant(x)
    return tensor if tensor.dtype.is_floating else _core.cast(tensor, "float32")


def softmax_cross_entropy_with_logits(labels, logits, axis=-1, name=None):
    """The cross entropy of the softmax with the labels' distribution, for each row."""
    return _core.negative(_core.sum(_core.multiply(_float(labels), _core.log_softmax(logits, int(axis))),
                                    int(axis)))


def sparse_softmax_cross_entropy_with_logits(labels, logits, name=None):
    """The cross entropy of the softmax with the class of each row."""
    labels, logits = _core.constant(labels), _float(logits)
    if labels.ndim != logits.ndim - 1:
        raise ValueError("`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: "
                         f"labels.shape={labels.shape} of rank {labels.ndim} and logits.shape="
                         f"{logits.shape} of rank {logits.ndim}")
    chosen = _core.one_hot(labels, logits.shape[-1])
    return _core.negative(_core.sum(_core.multiply(chosen, _core.log_softmax(logits, -1)), -1))


def _log1p_exp_of_minus_abs(x):
    return _core.log1p(_core.exp(_core.negative(_core.abs(x))))


def sigmoid_cross_entropy_with_logits(labels=None, logits=None, name=None):
    """max(x, 0) - x * labels + log(1 + exp(-|x|)), which does not overflow."""
    labels, logits = _float(labels), _float(logits)
    return _core.relu(logits) - logits * labels + _log1p_exp_of_minus_abs(logits)


def weighted_cross_entropy_with_logits(labels=None, logits=None, pos_weight=None, name=None):
    labels, logits = _float(labels), _float(logits)
    weight = 1.0 + labels * (_float(pos_weight) - 1.0)
    return (1.0 - labels) * logits + weight * (
        _log1p_exp_of_minus_abs(logits) + _core.relu(_core.negative(logits)))


def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    targets, log_input = _float(targets), _float(log_input)
    loss = _core.exp(log_input) - log_input * targets
    if not compute_full_loss:
        return loss
    stirling = targets * _core.log(targets) - targets + 0.5 * _core.log(targets * (2.0 * math.pi))
    inside = _core.logical_and(_core.greater_equal(targets, 0.0), _core.less_equal(targets, 1.0))
    return loss + _core.select(inside, 0.0, stirling)


def l2_loss(t, name=None):
    """Half the sum of the squares."""
    return _core.sum(_core.square(t)) * 0.5


def compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None):
    """The sum of the losses divided by the size of the batch."""
    losses = _float(per_example_loss)
    if sample_weight is not None:
        losses = losses * _float(sample_weight)
    return _core.sum(losses) / float(global_batch_size or losses.shape[0])


def scale_regularization_loss(regularization_loss):
    """The sum: there is one replica."""
    return _core.sum(_float(regularization_loss))


def _refused(name: str, other: str):
    def call(*args, **kwargs):
        raise NotImplementedError(f"tf.nn.{name} is not here; {other}")
    call.__name__ = name
    return call


ctc_loss = _refused("ctc_loss", "the engine has no loss over alignments")
sampled_softmax_loss = _refused("sampled_softmax_loss",
                                "use sparse_softmax_cross_entropy_with_logits over all classes")
nce_loss = _refused("nce_loss", "use sparse_softmax_cross_entropy_with_logits over all classes")
