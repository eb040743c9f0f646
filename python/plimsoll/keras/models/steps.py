"""What the steps of a training in Python consist of: losses, metrics, and the steps of Keras."""
import numpy as np

from plimsoll import _convert
from plimsoll._tape import GradientTape
from plimsoll.keras.models.data import unpack


def own_metrics(model) -> list:
    """Metrics that a model class keeps as attributes."""
    from plimsoll.keras.metrics import Metric

    found: list = []
    for name, value in model.__dict__.items():
        if name in ("_compiled", "_loss_tracker"):
            continue
        for each in _convert.flatten(value):
            if isinstance(each, Metric) and not any(each is other for other in found):
                found.append(each)
    return found


def compiled_loss(model, y, y_pred, sample_weight=None):
    """The weighted sum of the losses of all outputs."""
    compiled = model._compiled
    if compiled is None or compiled.losses is None:
        raise ValueError(f"{model.name}: there is no loss; give one to compile()")
    predictions = _convert.flatten(y_pred)
    names = _names_of_outputs(model, y_pred)
    targets = _in_order(y, names)
    losses = compiled.losses
    losses = [losses] * len(predictions) if not isinstance(losses, (list, dict)) else _in_order(losses, names)
    weights = compiled.loss_weights
    weights = [1.0] * len(predictions) if weights is None else _in_order(weights, names, 1.0)
    samples = _convert.flatten(sample_weight) or [None]
    samples = samples * len(predictions) if len(samples) == 1 else samples
    parts = [loss._handle(target, prediction, sample) * float(weight)
             for loss, target, prediction, sample, weight in zip(
                 losses, targets, predictions, samples, weights) if loss is not None]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _names_of_outputs(model, y_pred) -> list:
    """The keys of a dict of outputs, or the names that the model has for them; "" for the only one."""
    if isinstance(y_pred, dict):
        return list(y_pred)
    return model.output_names if len(_convert.flatten(y_pred)) > 1 else [""]


def _in_order(value, names: list, absent=None) -> list:
    """The entries of a dict in the order of the outputs; lists as they are, anything else flattened."""
    if isinstance(value, dict) and set(value) <= set(names):
        return [value.get(name, absent) for name in names]
    return list(value) if isinstance(value, list) else _convert.flatten(value)


def compute_loss(model, y, y_pred, sample_weight=None):
    compiled = model._compiled
    has_loss = compiled is not None and compiled.losses is not None
    loss = compiled_loss(model, y, y_pred, sample_weight) if has_loss else None
    for penalty in model.losses:
        loss = penalty if loss is None else loss + penalty
    if loss is None:
        raise ValueError(f"{model.name}: there is no loss; give one to compile() or add_loss()")
    return loss


class CompiledMetrics:
    """The metrics of compile() as one, which knows which of them have sample weights."""

    name = "compile_metrics"

    def __init__(self, model):
        self._model = model

    def update_state(self, y, y_pred, sample_weight=None) -> None:
        update_metrics(self._model, y, y_pred, sample_weight)

    def result(self) -> dict:
        # Asking the model for its outputs may run its code on tensors without values.
        compiled, outputs = self._model._compiled, self._model.__dict__.get("_outputs_seen")
        outputs = self._model.output_names if outputs is None else outputs
        found = {}
        for lists in (compiled.metrics, compiled.weighted_metrics):
            for output, metrics in _named_lists(lists, outputs):
                prefix = f"{output}_" if len(outputs) > 1 else ""
                found.update({prefix + metric.name: metric.result() for metric in metrics})
        return found

    def reset_state(self) -> None:
        for metric in self.metrics:
            metric.reset_state()

    @property
    def metrics(self) -> list:
        return self._model._compiled.metrics_for_user()

    @property
    def variables(self) -> list:
        return [variable for metric in self.metrics for variable in metric.variables]


def _named_lists(lists, outputs: list):
    """(output, its metrics) of what compile() was given."""
    if isinstance(lists, dict):
        return lists.items()
    if len(outputs) == 1:
        return [(outputs[0], [metric for part in lists or () for metric in part])]
    return zip(outputs, lists or ())


def update_metrics(model, y, y_pred, sample_weight=None) -> None:
    """Adds a batch to the metrics of compile()."""
    compiled = model._compiled
    names = _names_of_outputs(model, y_pred)
    object.__setattr__(model, "_outputs_seen", names)
    predictions, targets = _convert.flatten(y_pred), _in_order(y, names)
    for lists, weight in ((compiled.metrics, None), (compiled.weighted_metrics, sample_weight)):
        if lists is None:
            continue
        per_output = _in_order_of_outputs(lists, names, len(predictions))
        for metrics, target, prediction in zip(per_output, targets, predictions):
            for metric in metrics:
                metric.update_state(target, prediction, sample_weight=weight)


def _in_order_of_outputs(lists, names: list, outputs: int) -> list:
    if isinstance(lists, dict):
        return [lists.get(name, []) for name in names] if set(lists) <= set(names) else list(lists.values())
    if outputs == 1:
        return [[metric for part in lists for metric in part]]
    return lists


def compute_metrics(model, y, y_pred, sample_weight=None) -> dict:
    update_metrics(model, y, y_pred, sample_weight)
    return model.get_metrics_result()


# --- the steps of Keras -----------------------------------------------------------------------


def loss_tracker(model):
    from plimsoll.keras.metrics import Mean

    if "_loss_tracker" not in model.__dict__:
        object.__setattr__(model, "_loss_tracker", Mean(name="loss"))
    return model.__dict__["_loss_tracker"]


def default_train_step(model, data) -> dict:
    x, y, sample_weight = unpack(data)
    with GradientTape() as tape:
        y_pred = model(x, training=True)
        loss = model.compute_loss(x, y, y_pred, sample_weight)
    variables = model.trainable_variables
    model.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return _reported(model, x, y, y_pred, sample_weight, loss)


def default_test_step(model, data) -> dict:
    x, y, sample_weight = unpack(data)
    y_pred = model(x, training=False)
    loss = model.compute_loss(x, y, y_pred, sample_weight)
    return _reported(model, x, y, y_pred, sample_weight, loss)


def _reported(model, x, y, y_pred, sample_weight, loss) -> dict:
    tracker = loss_tracker(model)
    tracker.update_state(loss, sample_weight=float(_convert.flatten(x)[0].shape[0]))
    metrics = model.compute_metrics(x, y, y_pred, sample_weight=sample_weight)
    return {"loss": tracker.result(), **{k: v for k, v in metrics.items() if k != "loss"}}


def as_numbers(logs) -> dict:
    """The numbers of a step by name; those of the metrics of compile() come in a dict of their own."""
    found = {}
    for name, value in dict(logs).items():
        found.update(as_numbers(value) if isinstance(value, dict) else {
            name: float(np.mean(np.asarray(value)))})
    return found
