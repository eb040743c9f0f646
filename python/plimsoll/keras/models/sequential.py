"""Sequential: layers one after another."""
import weakref

from plimsoll import _core
from plimsoll.keras.layers.layer import Layer, _wrappers, wrapper_of
from plimsoll.keras.models.model import Model


class Sequential(Model):
    """keras.Sequential([Dense(64), Dense(1)])."""

    def __init__(self, layers=None, trainable=True, name=None):
        self._model = _core.Model.sequential(name or "")
        self._network = self._model.layer
        self._added = []
        _wrappers[self._network.key] = self
        for layer in layers or ():
            self.add(layer)
        if not trainable:
            self.trainable = False

    @property
    def _runs_in_python(self) -> bool:
        return False

    def add(self, layer) -> None:
        """Adds a layer at the end."""
        if isinstance(layer, _core.Tensor):
            layer = wrapper_of(_core.called_layer(layer))
        if not isinstance(layer, Layer):
            raise ValueError(f"{self.name}: add() takes a layer, found {type(layer).__name__}")
        self._take_layers()
        if not self._added and layer._batch_input_shape is not None:
            self._add_input(layer._batch_input_shape, layer)
        self._model.add(layer._graph_handle)
        if not getattr(layer._handle, "is_input", False):
            self._added.append(layer)
            object.__setattr__(layer, "_sequence", weakref.ref(self))
        self._fill_weights_of_layers()

    def _take_layers(self) -> None:
        """The layers of a model that was read."""
        if "_added" not in self.__dict__:
            self._added = self._own_layers()

    def _add_input(self, shape: tuple, layer) -> None:
        dtype = "int32" if type(layer).__name__ == "Embedding" else "float32"
        self._model.add(_core.input_layer(shape[1:], shape[0], dtype, layer.name + "_input"))

    def _fill_weights_of_layers(self) -> None:
        for layer in self.__dict__.get("_added", ()):
            if layer.built and (layer._initial_weights is not None or layer._python_arguments):
                layer._fill_initial_weights()

    def pop(self, rebuild=True):
        """Takes the last layer away and returns it."""
        self._take_layers()
        self._model.pop()
        return self._added.pop() if self._added else None

    @property
    def layers(self) -> list:
        known = self.__dict__.get("_added")
        return list(known) if known is not None else self._own_layers()

    def build(self, input_shape=None) -> None:
        """Makes the weights for inputs of this shape, the batch included."""
        if input_shape is None or self.built:
            return
        if isinstance(input_shape, int):
            input_shape = (None, input_shape)
        with _core.ShapesOnly():
            self._network([_core.placeholder(
                "float32", [97 if size is None else int(size) for size in input_shape])], {})
        self._fill_weights_of_layers()

    @property
    def built(self) -> bool:
        return self._network.built

    @built.setter
    def built(self, value: bool) -> None:
        pass

    def _call_network(self, args: tuple, kwargs: dict):
        output = super()._call_network(args, kwargs)
        self._fill_weights_of_layers()
        return output

    def _symbolic(self):
        """Symbolic tensors through the layers, made when somebody asks for them."""
        if "_inputs" not in self.__dict__:
            ports = self._model.inputs()
            if not ports:
                raise AttributeError(f"{self.name}: has not been called, so its inputs are not known; "
                                     "begin it with an Input")
            from plimsoll.keras.layers.input_layer import Input

            _, dtype, shape = ports[0]
            self._inputs = tensor = Input(batch_shape=tuple(shape), dtype=dtype)
            for layer in self.layers:
                tensor = layer(tensor)
            self._outputs = tensor

    @property
    def inputs(self):
        if not self._model.inputs():
            return None
        self._symbolic()
        return [self._inputs]

    @property
    def outputs(self):
        self._symbolic()
        return [self._outputs]

    @property
    def input(self):
        self._symbolic()
        return self._inputs

    @property
    def output(self):
        self._symbolic()
        return self._outputs

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from plimsoll.keras.models import functional

        return functional.from_config({"class_name": "Sequential", "config": config}, custom_objects)
