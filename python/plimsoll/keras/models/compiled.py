"""What compile() was given, as the engine takes it."""
import json
import weakref

from plimsoll.keras import losses, metrics, optimizers
from plimsoll.keras.saving.objects import serialize_keras_object


class Compiled:
    """The optimizer, losses and metrics of a model."""

    def __init__(self, model, optimizer, loss, loss_weights, given_metrics, weighted_metrics):
        self._model = weakref.ref(model)  # which holds this: a cycle would wait for a collection
        self.optimizer = optimizers.get(optimizer)
        self.given_loss = loss
        self.losses = _each(loss, losses.get)
        self.loss_weights = loss_weights
        self.given_metrics, self.given_weighted = given_metrics, weighted_metrics
        self.metrics = _metric_lists(given_metrics)
        self.weighted_metrics = _metric_lists(weighted_metrics)
        self.is_handed_over = False

    def hand_over(self) -> None:
        """Compiles the engine's model, once."""
        if self.is_handed_over or not self.is_for_engine():
            return
        self._model()._model.compile(
            self.optimizer._handle, _each(self._losses_of_outputs(), _handle), _plain(self.loss_weights),
            _each_list(self.metrics), _each_list(self.weighted_metrics), self.own_objective())
        self.is_handed_over = True

    def _losses_of_outputs(self):
        """The losses; where outputs have names and losses too, an output that has none is not trained."""
        model = self._model()
        if not isinstance(self.losses, dict) or model._network is None:
            return self.losses
        _, keys = model._model.structure().get("outputs", ("one", []))
        names = keys if set(self.losses) <= set(keys) else model.output_names if keys else []
        return {**dict.fromkeys(names), **self.losses}

    def is_for_engine(self) -> bool:
        return getattr(self.optimizer, "_own", None) is None

    def own_objective(self) -> str:
        """How files name losses and metrics that are code of the user's; "" if none is, or if a file
        cannot name it: a lambda has no name."""
        if not self.own_code():
            return ""
        given = {"loss": self.given_loss, "metrics": self.given_metrics,
                 "weighted_metrics": self.given_weighted}
        try:
            return json.dumps(serialize_keras_object(given))
        except (TypeError, ValueError, NotImplementedError):
            return ""

    def own_code(self) -> list:
        """The names of losses and metrics that are written in Python."""
        losses = self.losses.values() if isinstance(self.losses, dict) else (
            self.losses if isinstance(self.losses, list) else [self.losses])
        used = [loss for loss in losses if loss is not None] + self.metrics_for_user()
        return [each.name for each in used
                if getattr(each, "_runs_in_python", False) or isinstance(each, metrics.MeanMetricWrapper)]

    def reported_names(self) -> list:
        """The names of metrics and of losses of outputs, in the order in which Keras reports them."""
        outputs = self._model().output_names if self._model()._model is not None else []
        if len(outputs) < 2:
            return [metric._handle.name for metric in self.metrics_for_user()]
        losses = dict(_named(self.losses, outputs))
        metrics = [f"{output}_{metric._handle.name}"
                   for lists in (self.metrics, self.weighted_metrics)
                   for output, part in _named(lists, outputs) for metric in part]
        return [f"{name}_loss" for name in outputs if losses.get(name) is not None] + sorted(metrics)

    def metrics_for_user(self) -> list:
        """All metrics as Python objects."""
        found = []
        for lists in (self.metrics, self.weighted_metrics):
            parts = lists.values() if isinstance(lists, dict) else (lists or ())
            for part in parts:
                found += [metric for metric in part if hasattr(metric, "reset_state")]
        return found


def _named(per_output, outputs: list) -> list:
    """(output, what is for it) of what is for all outputs, in a list or by name."""
    if isinstance(per_output, dict):
        return list(per_output.items())
    if isinstance(per_output, list):
        return list(zip(outputs, per_output))
    return [] if per_output is None else [(output, per_output) for output in outputs]


def _each(value, function):
    """A loss for all outputs, one each in a list, or by name in a dict."""
    if value is None:
        return None
    if isinstance(value, dict):
        return {key: _each_one(item, function) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_each_one(item, function) for item in value]
    return function(value)


def _each_one(item, function):
    if isinstance(item, (list, tuple)) and len(item) == 1:
        item = item[0]
    return None if item is None else function(item)


def _handle(loss):
    return loss._handle


def _plain(weights):
    if weights is None:
        return None
    if isinstance(weights, dict):
        return {key: float(value) for key, value in weights.items()}
    if isinstance(weights, (list, tuple)):
        return [float(value) for value in weights]
    return [float(weights)]


def _metric_lists(given):
    """A list of metrics per output: as a dict by output, or a list."""
    if given is None:
        return None
    if isinstance(given, dict):
        return {key: _list_of(value) for key, value in given.items()}
    if not isinstance(given, (list, tuple)):
        given = [given]
    return [_list_of(value) for value in given]


def _list_of(value) -> list:
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        value = [value]
    return [metrics.get(each) for each in value if each is not None]


def _each_list(lists):
    if lists is None:
        return None
    if isinstance(lists, dict):
        return {key: [metric._handle for metric in value] for key, value in lists.items()}
    return [[metric._handle for metric in value] for value in lists]
