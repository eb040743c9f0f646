"""Model: a layer that can be trained. Functional, or a class of the user's own."""
import functools
import json
import weakref

from plimsoll import _convert, _core
from plimsoll.keras.layers.layer import Layer, wrapper_of
from plimsoll.keras.models import network_call
from plimsoll.keras.models.steps import own_metrics
from plimsoll.keras.models.trainer import Trainer


def _same(value):
    return value


class Model(Trainer, Layer):
    """keras.Model(inputs, outputs), or the base of a class with its own call()."""

    _model = None  # the engine's
    _network = None  # what the engine's model consists of, if it made it

    def __new__(cls, *args, **kwargs):
        if cls is Model and (len(args) >= 2 or "outputs" in kwargs):
            from plimsoll.keras.models.functional import Functional

            cls = Functional
        return super().__new__(cls, *args, **kwargs)

    def __init__(self, *args, **kwargs):
        if args or "inputs" in kwargs:
            self._init_functional(*args, **kwargs)
            return
        Layer.__init__(self, **kwargs)
        self._model = _core.Model(self._python_handle)

    def _init_functional(self, inputs, outputs=None, name=None, trainable=True, **kwargs):
        from plimsoll.keras.models import functional

        functional.define(self, inputs, outputs, name)
        if not trainable:
            self.trainable = False

    def _make_handle(self, name: str):
        return _core.python_layer(self, name, True)

    @property
    def _runs_in_python(self) -> bool:
        return self._network is None or not _is_ours(type(self).call)

    @property
    def _handle(self):
        if self._python_handle is None and self._network is None:
            raise RuntimeError(f"{type(self).__name__}: call super().__init__() before anything else")
        return self._python_handle or self._network

    _graph_handle = _handle

    # --- calling -----------------------------------------------------------------------------

    def call(self, *args, **kwargs):
        """What the model computes; a class of your own says it here."""
        if self._network is None:
            raise NotImplementedError(f"{type(self).__name__}: a model needs a method call(self, inputs)")
        return self._call_network(args, kwargs)

    def __call__(self, *args, **kwargs):
        if self._runs_in_python:
            return self._call_python(args, kwargs)
        return self._call_network(args, kwargs)

    def _call_network(self, args: tuple, kwargs: dict):
        return network_call.call(self, args, kwargs)

    def _pack_inputs(self, tensors: list):
        names = self.__dict__.get("_input_keys")
        if names and len(names) == len(tensors):
            return dict(zip(names, tensors))
        return tensors[0] if len(tensors) == 1 else tensors

    def _plain_form(self, count: int):
        # The first form is how the program itself calls the model.
        for form in self._forms:
            taken: list = []
            _convert.take_tensors([form.args, form.kwargs], taken,
                                  lambda value: isinstance(value, _convert.Slot))
            if len(taken) == count:
                return form
        return super()._plain_form(count)

    @property
    def _core_input_names(self) -> list:
        return list(self.__dict__.get("_input_keys") or ())

    @property
    def _core_output_names(self) -> list:
        for form in self._forms:
            if isinstance(form.outputs, dict):
                return list(form.outputs)
        return []

    def build(self, input_shape=None) -> None:
        """Makes the weights for inputs of this shape, the batch included."""
        if self._network is None and input_shape is not None and not self._built:
            self._trace(input_shape)

    def _build_on(self, inputs) -> None:
        """Makes the weights for placeholders in the structure of the data."""
        with _core.ShapesOnly():
            self(inputs)

    def _trace(self, input_shape) -> None:
        is_one = not isinstance(input_shape[0], (list, tuple)) if isinstance(
            input_shape, (list, tuple)) else False
        shapes = [input_shape] if is_one else _convert.map_structure(lambda s: s, input_shape)
        tensors = [_placeholder(shape) for shape in shapes]
        with _core.ShapesOnly():
            self(tensors[0] if is_one else tensors)

    @property
    def inputs(self):
        """The symbolic inputs, a list."""
        self._find_tensors()
        known = self.__dict__.get("_inputs")
        return None if known is None else _convert.flatten(known)

    @property
    def outputs(self):
        self._find_tensors()
        known = self.__dict__.get("_outputs")
        return None if known is None else _convert.flatten(known)

    @property
    def input(self):
        """The symbolic input, or all of them."""
        return self._one_or_all("_inputs")

    @property
    def output(self):
        return self._one_or_all("_outputs")

    def _find_tensors(self) -> None:
        """The symbolic tensors of a model that was read or copied."""
        found = None if self._model is None else self._model.symbolic()
        if "_inputs" not in self.__dict__ and found is not None:
            self._inputs, self._outputs = (part[0] if len(part) == 1 else part for part in found)

    def _one_or_all(self, name: str):
        self._find_tensors()
        known = self.__dict__.get(name)
        if known is None:
            raise AttributeError(f"{self.name}: its inputs and outputs are not known; it is no "
                                 "functional model")
        if isinstance(known, (list, tuple)) and len(known) == 1:
            return known[0]
        return known

    @property
    def input_names(self) -> list:
        return [name for name, _, _ in self._model.inputs()]

    @property
    def output_names(self) -> list:
        return [name for name, _, _ in self._model.outputs()]

    @property
    def input_shape(self):
        shapes = [tuple(shape) for _, _, shape in self._model.inputs()]
        return shapes[0] if len(shapes) == 1 else shapes

    @property
    def output_shape(self):
        shapes = [tuple(shape) for _, _, shape in self._model.outputs()]
        return shapes[0] if len(shapes) == 1 else shapes

    # --- parts -------------------------------------------------------------------------------

    @property
    def layers(self) -> list:
        """The layers directly inside."""
        if self._network is not None and self._model is not None:
            return self._own_layers()
        return [layer for _, layer in self._sublayers()]

    def _own_layers(self) -> list:
        # Python objects that were made for them stay as long as the model.
        found = [wrapper_of(handle) for handle in self._model.layers()]
        for layer in found:
            # The model keeps a layer of Python code, which must not keep the model.
            is_own = layer._handle.python_object is not None
            held = weakref.ref(self._model) if is_own else functools.partial(_same, self._model)
            object.__setattr__(layer, "_defining_model", held)
        object.__setattr__(self, "_held_layers", found)
        return found

    def get_layer(self, name=None, index=None):
        """A layer by its name or its number."""
        layers = self.layers
        if index is not None:
            if not -len(layers) <= index < len(layers):
                raise ValueError(f"{self.name}: there is no layer {index}, it has {len(layers)}")
            return layers[index]
        for layer in layers:
            if layer.name == name:
                return layer
        known = ", ".join(layer.name for layer in layers)
        raise ValueError(f"{self.name}: there is no layer '{name}' (the layers are {known})")

    def summary(self, line_length=None, positions=None, print_fn=None, expand_nested=False,
                show_trainable=False, layer_range=None) -> None:
        """Prints the layers, their shapes and parameters."""
        if not self.built and not self.weights and self._network is None:
            raise ValueError(f"{self.name}: this model has not been built yet; call build() or fit() "
                             "first, or call it on data")
        text = self._model.summary()
        if print_fn is None:
            print(text)
        else:
            print_fn(text)

    def get_config(self) -> dict:
        """The settings; of a functional model its whole definition."""
        if self._network is not None:
            return self._model.config()["config"]
        return super().get_config()

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """A model of what get_config() gave."""
        from plimsoll.keras.models import functional

        if "layers" in config and cls in (Model, functional.Functional):
            return functional.from_config({"class_name": "Functional", "config": config}, custom_objects)
        return super().from_config(config)

    def to_json(self, **kwargs) -> str:
        """The definition without weights."""
        return json.dumps(self._model.config(), **kwargs)

    def save(self, filepath, overwrite=True, zipped=None, **kwargs) -> None:
        """Writes the whole model: .keras, or .h5 as Keras calls legacy."""
        from plimsoll.keras.models import files

        files.save_model(self, filepath, overwrite, **kwargs)

    def __reduce__(self):
        """Copies and pickles hold what save() writes: the classes and functions of a program are named."""
        from plimsoll.keras.models import files

        return files.from_bytes, (files.to_bytes(self),)

    def save_weights(self, filepath, overwrite=True, max_shard_size=None, **kwargs) -> None:
        """Writes the weights: .weights.h5, .h5 or .safetensors."""
        from plimsoll.keras.models import files

        files.save_weights(self, filepath, overwrite, max_shard_size, **kwargs)

    def load_weights(self, filepath, skip_mismatch=False, **kwargs):
        """Reads weights from a file of weights or of a whole model."""
        from plimsoll.keras.models import files

        files.load_weights(self, filepath, skip_mismatch, **kwargs)

    def export(self, *args, **kwargs):
        raise NotImplementedError("export() writes TensorFlow's SavedModel, which Plimsoll does not "
                                  "have; model.save('model.keras') writes a file that Keras reads")

    @property
    def metrics_names(self) -> list:
        """What the numbers of evaluate() are, in their order."""
        reported = [] if self._compiled is None else self._compiled.reported_names()
        own = [metric.name for metric in own_metrics(self)]
        return ["loss", *dict.fromkeys(name for name in reported + own if name != "loss")]

    def reset_states(self) -> None:
        self._model.reset_states()

    reset_state = reset_states

    @property
    def stop_training(self) -> bool:
        return self._model.stop_training if self._model is not None else False

    @stop_training.setter
    def stop_training(self, value: bool) -> None:
        self._model.stop_training = bool(value)


def _is_ours(function) -> bool:
    return str(getattr(function, "__module__", "")).startswith("plimsoll.")


def _placeholder(shape):
    return _core.placeholder("float32", [97 if size is None else int(size) for size in shape])
