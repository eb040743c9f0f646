"""Loss: the base of losses, for those of the engine and for the user's own."""
from plimsoll import _core
from plimsoll.keras._base import EngineObject, automatic_name

_REDUCTIONS = {None: "none", "auto": "sum_over_batch_size"}
_KNOWN_REDUCTIONS = ("sum_over_batch_size", "sum", "mean", "mean_with_sample_weight", "none")


class Reduction:
    """Keras 2's names of reductions."""

    AUTO = "sum_over_batch_size"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"


class Loss(EngineObject):
    """A number to make small. A class of your own has `call(y_true, y_pred)`.

    Arguments:
        name: str, default None. Shown in logs.
        reduction: str, default "sum_over_batch_size". How values per sample become one number.
        dtype: Computed in float32 whatever is asked for.
    """

    _own_method = "call"

    def __init__(self, name=None, reduction="sum_over_batch_size", dtype=None):
        self.name = name or automatic_name(self)
        self.reduction = _REDUCTIONS.get(reduction, reduction)
        if self.reduction not in _KNOWN_REDUCTIONS:
            raise ValueError(f"{self.name}: the reduction '{reduction}' is not known (known: "
                             f"{', '.join(_KNOWN_REDUCTIONS)})")
        self.dtype = "float32"

    def _create(self, class_name: str, config: dict) -> None:
        self._created = _core.loss_from_config({"class_name": class_name, "config": config})
        settings = self._row_config()
        self.name = settings["name"]
        self.reduction = _REDUCTIONS.get(settings["reduction"], settings["reduction"])
        self.dtype = "float32"

    @property
    def _handle(self):
        # A handle of Python's call holds this object, so this object does not hold the handle.
        if self._overrides("__call__"):
            return _core.Loss(self.name, self, self.reduction)
        if self._runs_in_python:
            return _core.Loss(self.name, self._own_values, self.reduction)
        return self._created

    def _own_values(self, y_true, y_pred):
        """call() of a class of the user's: Keras gives it numbers of float32, whatever the labels are."""
        return self.call(*(each if each.dtype.is_floating else _core.cast(each, "float32")
                           for each in (y_true, y_pred)))

    def call(self, y_true, y_pred):
        """One value per sample."""
        if self._created is None:
            raise NotImplementedError(f"{type(self).__name__}: a loss needs a method "
                                      "call(self, y_true, y_pred)")
        return self._created.values(y_true, y_pred)

    def __call__(self, y_true, y_pred, sample_weight=None):
        """The values of call(), weighted and reduced."""
        return self._handle(y_true, y_pred, sample_weight)

    def get_config(self) -> dict:
        """The settings of the base; a class of your own adds its own."""
        return {"name": self.name, "reduction": self.reduction}
