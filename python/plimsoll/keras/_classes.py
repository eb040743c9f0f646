"""Python classes made of the engine's rows and Keras's signatures."""
import functools
import importlib

import numpy as np

from plimsoll import _core
from plimsoll.keras import _arguments, _attributes, _docstrings, _old_words, _own_code
from plimsoll.keras._rows import BASE_OF_KIND, Row, row_name

_BASE_MODULES = {
    "layers": "layers.layer", "losses": "losses.loss", "metrics": "metrics.metric",
    "optimizers": "optimizers.optimizer", "schedules": "optimizers.schedules.schedule",
    "initializers": "initializers.initializer", "regularizers": "regularizers.regularizer",
    "constraints": "constraints.constraint",
}


class _LazyDoc:
    """__doc__ of a generated class, written when somebody reads it."""

    def __get__(self, instance, owner):
        row = owner.__dict__.get("_row")
        return None if row is None else _docstrings.class_text(row)


class RowObject:
    """What all generated classes have in common."""

    _row: Row

    def get_config(self) -> dict:
        """All settings, as Keras writes them."""
        return self._row_config()

    @classmethod
    def from_config(cls, config: dict):
        """An object with these settings."""
        return cls(**config)

    _given: dict = {}  # the arguments
    _parts: dict = {}  # those that only Python can run

    def _weight_of(self, name: str):
        """A weight that was learnt in the place of a setting: the mean of a Normalization."""
        known = getattr(super(), "_weight_of", None)
        return None if known is None else known(name)

    def __getattr__(self, name: str):
        if not name.startswith("_"):
            try:
                found = _attributes.attribute(self, name)
                weight = None if found is not None else self._weight_of(name)
                return found if weight is None else weight
            except _attributes.NotThere:
                pass
        inherited = getattr(super(), "__getattr__", None)
        if inherited is not None:
            return inherited(name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


_CELLS = ("LSTMCell", "GRUCell", "SimpleRNNCell")  # give the output and a list of states
# Layers that give whole numbers also where they give vectors.
_COUNTING = ("StringLookup", "IntegerLookup", "TextVectorization")


_STATES = {"LSTM": 2, "LSTMCell": 2, "GRU": 1, "GRUCell": 1, "SimpleRNN": 1, "SimpleRNNCell": 1}


def _get_initial_state(self, batch_size=None, **kwargs) -> list:
    """Zeros, one tensor per state. Keras 2 gave the inputs instead of the size of the batch."""
    from plimsoll.tensorflow import zeros

    size = batch_size if batch_size is not None else kwargs.pop("inputs", None)
    if len(getattr(size, "shape", ())) > 0:
        size = size.shape[0]
    return [zeros((size, self.units)) for _ in range(_STATES[self._row.name])]


class RowLayer(RowObject):
    """What all generated layers have in common."""

    def _call_created(self, args: tuple, kwargs: dict):
        if not self._created.built and (self._initial_weights or self._python_arguments):
            # The weights get the user's values before the first call reads them.
            with _core.ShapesOnly():
                super()._call_created(args, dict(kwargs))
        if self._row.name == "TextVectorization" and args and not np.ndim(args[0]):
            one = _core.constant(np.asarray(args[0])[None])  # the engine takes rows of texts
            return _core.squeeze(self._call_created((one, *args[1:]), kwargs), 0)
        output = super()._call_created(args, kwargs)
        if self._row.name == "TextVectorization":
            from plimsoll.keras.layers import _adapt

            output = _adapt.as_long_as_the_longest(self._created, output)
        if self._row.name in _CELLS:
            return output[0], output[1:]
        return _core.cast(output, "int64") if self._gives_counts(output) else output

    def _gives_counts(self, output) -> bool:
        """True for vectors of whole numbers, which the engine has as fractions for the layers after.

        Keras says the same of the symbolic tensor, and then computes integers.
        """
        if self._row.name not in _COUNTING or output.is_symbolic or not output.dtype.is_floating:
            return False
        if self._output_mode is None:  # asked for once: the config has the vocabulary
            self._output_mode = self._row_config()["output_mode"]
        return self._output_mode != "tf_idf"

    _output_mode = None
    _adapted_shape = None  # of the data that adapt() saw

    def _weight_of(self, name: str):
        weight = super()._weight_of(name)
        if weight is None or self._row.name != "Normalization" or self._adapted_shape is None:
            return weight
        from plimsoll.keras.layers import _adapt

        return _adapt.statistic(self, weight)


def _make_init(row: Row):
    def __init__(self, *args, **kwargs):
        kwargs = _old_words.translate(row, self, kwargs)
        given = _old_words.finish(row, row.bind(args, kwargs))
        if row.name == "RNN" and isinstance(given["cell"], (list, tuple)):
            given["cell"] = class_for("layers", "StackedRNNCells")(list(given["cell"]))
        if row.name == "RNN" and _own_code.is_own_cell(given["cell"]):
            return _own_code.become_own_cell_rnn(self, given)
        config, parts = _arguments.split(row, given)
        object.__setattr__(self, "_given", given)
        if parts:
            _leave_to_python(self, row, parts)
        self._create(row.name, config)

    __init__.__signature__ = row.signature
    __init__.__qualname__ = f"{row.name}.__init__"
    return __init__


def _leave_to_python(owner, row: Row, parts: dict) -> None:
    _own_code.refuse_unusable(row, parts)
    object.__setattr__(owner, "_parts", parts)
    object.__setattr__(owner, "_python_arguments", parts)
    if row.kind == "layers" and _own_code.needs_python(parts):
        _own_code.take_over(owner, parts)


@functools.cache
def base_of(kind: str) -> type:
    """The class from which the classes of this kind derive, written by hand."""
    module = importlib.import_module("plimsoll.keras." + _BASE_MODULES[kind])
    return getattr(module, BASE_OF_KIND[kind])


@functools.cache
def _class_of_row(kind: str, name: str) -> type:
    row = Row(kind, name)
    common = RowLayer if kind == "layers" else RowObject
    states = {"get_initial_state": _get_initial_state} if kind == "layers" and name in _STATES else {}
    return type(name, (common, base_of(kind)), {
        **states,
        "_row": row,
        "__init__": _make_init(row),
        "__doc__": _LazyDoc(),
        "__module__": "plimsoll.keras." + row.module,
    })


def class_for(kind: str, name: str) -> type | None:
    """The class that Keras calls `name`; None if the engine has no row for it."""
    found = row_name(kind, name)
    return None if found is None else _class_of_row(kind, found)
