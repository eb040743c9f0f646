"""Generated layers with arguments that only Python can run: an activation of the user's own, say."""
import functools
import weakref

from plimsoll import _core
from plimsoll.keras import _arguments, _serialization

_INSTEAD = {
    "activation": "write the recurrence as a cell of your own, a Layer with call(inputs, states)",
    "split": "split the texts in the data, and give the layer the words with split=None",
}


def refuse_unusable(row, parts: dict) -> None:
    """NotImplementedError for code of the user's that nothing here would call."""
    for name in parts:
        is_inside = "recurrent_initializer" in row.named and name.endswith("activation")
        is_usable = name.endswith(_arguments.OWN_CODE) and not is_inside and row.kind == "layers"
        if not is_usable and (row.kind, name) != ("optimizers", "learning_rate"):
            end = name.rpartition("_")[2]
            instead = _INSTEAD.get(end, "use one of the values that Keras has a name for")
            raise NotImplementedError(
                f"{row.name}: {name} is code of your own, which cannot run here; {instead}")


def take_over(layer, parts: dict) -> None:
    """Makes the user's code a part of the layer."""
    layer.__class__ = class_with_own_code(type(layer))
    if "standardize" in parts:
        _on_values.add(layer)


def is_own_cell(cell) -> bool:
    """True for a cell that only Python can run."""
    return getattr(cell, "_runs_in_python", False)


def become_own_cell_rnn(layer, given: dict) -> None:
    """An RNN whose cell the engine does not know runs in Python."""
    from plimsoll.keras.layers.own_cell_rnn import OwnCellRNN

    layer.__class__ = OwnCellRNN
    layer.__init__(**given)


def needs_python(parts: dict) -> bool:
    """True if what the layer does after it was built depends on code of the user's."""
    return any(not name.endswith("initializer") for name in parts)


@functools.cache
def class_with_own_code(generated: type) -> type:
    """The class of a layer that calls the user's code before or after the engine's."""
    def call(self, inputs, *args, **kwargs):
        outputs = super(own, self).call(standardized(self, inputs), *args, **kwargs)
        return _finished(self, outputs)

    def get_config(self):
        config = super(own, self).get_config()
        for name, value in self._parts.items():
            config[name] = _serialization.serialize_object(value)
        return config

    # The engine runs call() of a class that is not the package's own.
    call.__module__ = "own_code"
    own = type(generated.__name__, (generated,), {
        "call": call, "get_config": get_config, "__module__": generated.__module__,
        "__qualname__": generated.__qualname__})
    return own


# Layers whose code computes with values, which steps that are being recorded do not have.
_on_values: weakref.WeakSet = weakref.WeakSet()


def computes_with_values(layer) -> bool:
    """True if the layer, or one inside of it, can only run on values."""
    if not _on_values:
        return False
    return layer in _on_values or any(map(computes_with_values, getattr(layer, "layers", ())))


def standardized(layer, texts):
    """Texts as a TextVectorization's own function makes them.

    Where only shapes are asked for, texts have no values, and what comes out has the same shape
    without it.
    """
    function = layer._parts.get("standardize")
    if function is None or _core.ShapesOnly.is_open():
        return texts
    return function(_core.constant(texts))


def _finished(layer, outputs):
    parts = layer._parts
    if "activation" in parts:
        outputs = parts["activation"](outputs)
    for name, penalty in parts.items():
        if name == "activity_regularizer":
            layer.add_loss(penalty(outputs) / max(1, outputs.shape[0] or 1))
        elif name.endswith("_regularizer"):
            for weight in _weights_called(layer, name.removesuffix("_regularizer")):
                layer.add_loss(penalty(weight.read_value()))
    return outputs


def _weights_called(layer, name: str) -> list:
    return [weight for weight in layer.weights if weight.name.rpartition("/")[2] == name]
