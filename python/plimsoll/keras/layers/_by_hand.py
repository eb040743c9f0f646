"""Layers that have no counterpart in the engine."""
import inspect

from plimsoll.keras.layers.layer import Layer


class Lambda(Layer):
    """Calls a function; the operations it records are what runs."""

    def __init__(self, function, output_shape=None, mask=None, arguments=None, **kwargs):
        super().__init__(**kwargs)
        self.function = function
        self.arguments = dict(arguments or {})
        self._takes = set(inspect.signature(function).parameters) if callable(function) else set()

    def call(self, inputs, mask=None, training=None):
        extra = dict(self.arguments)
        if "training" in self._takes:
            extra["training"] = training
        if "mask" in self._takes:
            extra["mask"] = mask
        return self.function(inputs, **extra)

    def get_config(self) -> dict:
        raise NotImplementedError(
            f"{self.name}: a Lambda holds Python code, which is not put into files; write a Layer "
            "class with get_config(), or save the weights alone with save_weights()")


class Wrapper(Layer):
    """Holds another layer."""

    def __init__(self, layer, **kwargs):
        super().__init__(**kwargs)
        self.layer = layer


class InputSpec:
    """What a layer expects of an input; kept, not checked."""

    def __init__(self, dtype=None, shape=None, ndim=None, max_ndim=None, min_ndim=None, axes=None,
                 allow_last_axis_squeeze=False, name=None, optional=False):
        self.dtype, self.shape, self.ndim = dtype, shape, ndim
        self.max_ndim, self.min_ndim, self.axes = max_ndim, min_ndim, axes or {}
        self.name = name
