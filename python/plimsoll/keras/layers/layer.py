"""Layer: the base of the engine's layers and of the user's own."""
import inspect
import json
import weakref

import numpy as np

from plimsoll import _convert, _core
from plimsoll._tensor import same_variables
from plimsoll.keras import _serialization
from plimsoll.keras.layers import _calls
from plimsoll.keras.layers._configs import json_value, plain_arguments, with_references
from plimsoll.keras.layers._engine_call import engine_arguments
from plimsoll.keras.layers._shapes import call_build, is_list_of_shapes, without_batch
from plimsoll.keras.layers._specs import LayerSpecs
from plimsoll.keras.layers._weights import LayerWeights

# The Python object of each layer of the engine, as long as somebody holds it.
_wrappers: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


class Layer(LayerWeights, LayerSpecs):
    """Computes with tensors, and has weights.

    A class of your own makes its weights with `add_weight` in `__init__` or `build(input_shape)`,
    and computes in `call(inputs)`. `call` is run once for each shape of its inputs; the operations
    it records are what runs afterwards.
    """

    _created = None  # the engine's layer if the class is generated
    _batch_input_shape = None  # Keras 2's input_shape=
    _initial_weights = None  # Keras 2's weights=
    _python_arguments = None
    _supports_masking = False
    _python_handle = None

    def __new__(cls, *args, **kwargs):
        self = super().__new__(cls)
        object.__setattr__(self, "_forms", [])
        object.__setattr__(self, "_arguments", (args, kwargs))
        object.__setattr__(self, "_call_losses", [])
        return self

    def __init__(self, *, activity_regularizer=None, trainable=True, dtype=None, autocast=True,
                 name=None, **kwargs):
        self._take_old_words(kwargs)
        if kwargs:
            raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument "
                            f"'{next(iter(kwargs))}'")
        name = name or _core.unique_name(type(self).__name__)
        self._python_handle = self._make_handle(name)
        if activity_regularizer is not None:
            from plimsoll.keras import regularizers

            self.activity_regularizer = regularizers.get(activity_regularizer)
        self._dtype = dtype
        if not trainable:
            self.trainable = False

    def _make_handle(self, name: str):
        return _core.python_layer(self, name, False)

    def _take_old_words(self, kwargs: dict) -> None:
        from plimsoll.keras import _old_words

        words = {word: kwargs.pop(word) for word in _old_words._SHAPE_WORDS if word in kwargs}
        shape = _old_words._batch_shape(words)
        if shape is not None:
            self._batch_input_shape = shape
        for word in ("dynamic", "implementation", "dtype_policy"):
            kwargs.pop(word, None)

    def _create(self, class_name: str, config: dict) -> None:
        """Makes the engine's layer of a generated class."""
        config = with_references(config, self)
        self._created = _core.layer_from_config({"class_name": class_name, "config": config})
        _wrappers[self._created.key] = self
        if self._runs_in_python:
            self._python_handle = self._make_handle(self._created.name)

    @classmethod
    def _of_handle(cls, handle):
        """A Python object for a layer that the engine made."""
        self = cls.__new__(cls)
        object.__setattr__(self, "_given", {})
        self._created = handle
        _wrappers[handle.key] = self
        return self

    @property
    def _runs_in_python(self) -> bool:
        """True if call() is the user's own."""
        call = type(self).call
        return self._created is None or not str(call.__module__).startswith("plimsoll.")

    @property
    def _handle(self):
        handle = self._python_handle or self._created
        if handle is None:
            raise RuntimeError(f"{type(self).__name__}: call super().__init__() before anything else")
        return handle

    # What graphs and networks are given.
    _graph_handle = _handle

    def _row_config(self) -> dict:
        return self._created.config()["config"]

    def _weight_of(self, name: str):
        """The weight of an engine's layer by its name: layer.kernel, layer.bias."""
        for weight in self._created.own_weights():
            if weight.path.rpartition("/")[2] == name:
                return same_variables([weight])[0]
        return None

    def __getattr__(self, name: str):
        if not name.startswith("_") and self._created is not None and not self._created.is_network:
            weight = Layer._weight_of(self, name)
            if weight is not None:
                return weight
            if name == "bias" and self._created.config()["config"].get("use_bias") is False:
                return None
            if name in ("kernel", "bias") and not self._created.built:
                raise AttributeError(f"{self.name}: is not built yet, so it has no '{name}'")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    # --- preprocessing -----------------------------------------------------------------------

    def adapt(self, data, batch_size=None, steps=None) -> None:
        """Learns from data: a vocabulary, boundaries, or means and variances."""
        from plimsoll.keras.layers import _adapt

        _adapt.adapt(self, data, steps)

    def get_vocabulary(self, include_special_tokens: bool = True) -> list:
        """The words in the order of their numbers."""
        from plimsoll.keras.layers import _adapt

        return _adapt.vocabulary(self._created, include_special_tokens)

    def vocabulary_size(self) -> int:
        return len(self.get_vocabulary())

    def set_vocabulary(self, vocabulary, idf_weights=None) -> None:
        """Takes these words, without those for masks and unknown words."""
        from plimsoll.keras.layers import _adapt

        _adapt.set_vocabulary(self, vocabulary, idf_weights)

    # --- calling -----------------------------------------------------------------------------

    def __call__(self, *args, **kwargs):
        if self._runs_in_python:
            return self._call_python(args, kwargs)
        return self._call_created(args, kwargs)

    def call(self, *args, **kwargs):
        """What the layer computes; a class of your own says it here."""
        if self._created is None:
            raise NotImplementedError(f"{type(self).__name__}: a layer needs a method call(self, …)")
        return self._call_created(args, kwargs)

    def _call_created(self, args: tuple, kwargs: dict):
        inputs, options = engine_arguments(self._created, args, kwargs)
        options["training"] = _calls.training_or_surrounding(options.get("training"))
        if options["training"] is None and not _calls.state.depth and self._augments(inputs):
            options["training"] = True
        outputs = self._recorded(self._created, inputs, options)
        self._fill_initial_weights()
        if len(outputs) == 1:
            return outputs[0]
        return tuple(outputs) if options.get("return_attention_scores") else outputs

    def _augments(self, inputs: list) -> bool:
        """True for Keras's random image layers, which change images unless they are told not to."""
        return self._created.class_name.startswith("Rand") and not any(
            getattr(each, "is_symbolic", False) for each in inputs)

    def _recorded(self, handle, inputs: list, options: dict) -> list:
        """Calls; the outermost call keeps what was added to the loss meanwhile."""
        if _calls.state.depth:
            return handle(inputs, options)
        with _core.PenaltyScope() as penalties:
            outputs = handle(inputs, options)
        if outputs and outputs[0].is_symbolic:
            object.__setattr__(self, "_last_call", (inputs, outputs))
        else:
            self._call_losses = penalties.taken()
        return outputs

    def _call_python(self, args: tuple, kwargs: dict):
        training = kwargs.pop("training", None)
        mask = kwargs.pop("mask", None) if not self._call_signature().has_mask else None
        args = tuple(_convert.map_structure(_as_tensor, arg) for arg in args)
        tensors: list = []
        slots, named = (_convert.take_tensors(part, tensors) for part in (args, kwargs))
        number = _calls.number_of_form(self._forms, slots, named)
        training = _calls.training_or_surrounding(training)
        options = {"training": training, "form": number, "mask": mask}
        if training is not None:
            options["training"] = bool(training)
        if not tensors:
            return self._run_call(self._forms[number], tensors, training, None)
        outputs = self._recorded(self._python_handle, tensors, options)
        return _convert.put_tensors(self._forms[number].outputs, outputs)

    def _core_call(self, tensors: list, form: int, training, mask) -> list:
        form = self._forms[form] if form < len(self._forms) else self._plain_form(len(tensors))
        outputs = self._run_call(form, tensors, training, mask)
        taken: list = []
        form.outputs = _convert.take_tensors(
            _convert.map_structure(_as_tensor_or_none, outputs), taken)
        return taken

    def _plain_form(self, count: int):
        """How an engine's network calls: with one tensor, or a list."""
        slots = [_convert.Slot(i) for i in range(count)]
        inputs = self._pack_inputs(slots)
        number = _calls.number_of_form(self._forms, (inputs,), {})
        return self._forms[number]

    def _pack_inputs(self, tensors: list):
        return tensors[0] if len(tensors) == 1 else tensors

    def _run_call(self, form, tensors: list, training, mask):
        signature = self._call_signature()
        args = _convert.put_tensors(form.args, tensors)
        kwargs = _convert.put_tensors(form.kwargs, tensors)
        if signature.has_training and "training" not in kwargs:
            default = signature.default_training
            given = training if training is not None else default
            kwargs["training"] = False if given in (None, inspect.Parameter.empty) else given
        if signature.has_mask and "mask" not in kwargs and mask is not None:
            kwargs["mask"] = mask
        with _calls.surrounding(training):
            outputs = self.call(*args, **kwargs)
        regularizer = self.__dict__.get("activity_regularizer")
        if regularizer is not None:
            for output in _convert.flatten(outputs):
                self.add_loss(regularizer(output) / max(1, output.shape[0] or 1))
        return outputs

    def _call_signature(self):
        kind = type(self)
        found = kind.__dict__.get("_known_signature")
        if found is None:
            found = _calls.Signature(kind.call)
            kind._known_signature = found
        return found

    # --- building ----------------------------------------------------------------------------

    def build(self, *shapes, **named) -> None:
        """Makes the weights; a class of your own says how: build(self, input_shape)."""
        given = [shape for shape in (*shapes, *named.values()) if shape is not None]
        if self._created is None or self._created.built:
            return
        if not given and self._created.class_name == "Embedding":
            given = [(None, 1)]  # its weights do not depend on the shape
        if given:
            self._build_created(given if len(given) > 1 else given[0])

    def _build_created(self, input_shape) -> None:
        shapes = input_shape if is_list_of_shapes(input_shape) else [input_shape]
        tensors = [_core.placeholder("float32", [97 if size is None else size for size in shape])
                   for shape in shapes]
        with _core.ShapesOnly():
            self._created(tensors, {})

    def _core_build(self, specs: list) -> None:
        if self._built:  # the program has called build() itself
            return
        shapes = [without_batch(shape) for _, shape in specs]
        form = self._forms[-1] if self._forms else self._plain_form(len(shapes))
        first = form.args[0] if form.args else next(iter(form.kwargs.values()), None)
        given = _convert.put_tensors(first, shapes)
        object.__setattr__(self, "_build_shape", given)
        if not str(type(self).build.__module__).startswith("plimsoll."):
            call_build(self.build, given, form, shapes)
        self._built = True

    _build_shape = None
    _built = False

    @property
    def built(self) -> bool:
        if self._created is None:
            return self._built
        return self._created.built or (self._created.has_no_weights and not self._runs_in_python)

    @built.setter
    def built(self, value: bool) -> None:
        self._built = value

    # --- settings ----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self._handle.name

    @name.setter
    def name(self, name: str) -> None:
        for handle in (self._created, self._python_handle):
            if handle is not None:
                handle.name = name

    _name = name

    def get_config(self) -> dict:
        """The settings; a class of your own adds its own."""
        config = {"name": self.name, "trainable": self.trainable, "dtype": "float32"}
        if type(self).get_config is not Layer.get_config:
            return config
        return {**config, **plain_arguments(self)}

    @classmethod
    def from_config(cls, config: dict):
        """A layer with these settings."""
        config = dict(config)
        if "dtype" in config and not isinstance(config["dtype"], (str, type(None))):
            config["dtype"] = "float32"
        try:
            return cls(**config)
        except TypeError:
            for key in ("dtype", "trainable", "name"):
                config.pop(key, None)
            return cls(**config)

    def get_build_config(self) -> dict | None:
        return None if self._build_shape is None else {"input_shape": self._build_shape}

    def build_from_config(self, config: dict) -> None:
        shape = config.get("input_shape")
        if shape is not None:
            shapes = shape if is_list_of_shapes(shape) else [shape]
            self._core_build([("float32", tuple(each)) for each in shapes])

    def _core_json(self) -> str:
        """What a model file has of a layer of the user's own."""
        config = _serialization.serialize_object(self)
        config["build_config"] = self.get_build_config()
        return json.dumps(config, default=json_value)

    # --- graphs ------------------------------------------------------------------------------

    def reset_states(self) -> None:
        """A stateful recurrent layer begins with zeros again."""
        self._handle.reset_state()

    reset_state = reset_states

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"


def wrapper_of(handle):
    """The Python object of a layer, a new one if there is none any more."""
    from plimsoll.keras._classes import class_for

    if handle.python_object is not None:
        return handle.python_object
    found = _wrappers.get(handle.key)
    if found is not None:
        return found
    if handle.is_network:
        from plimsoll.keras.models import functional

        return functional.network_of_handle(handle)
    if handle.is_input:
        from plimsoll.keras.layers.input_layer import InputLayer

        return InputLayer._of_handle(handle)
    kind = class_for("layers", handle.class_name) or Layer
    return kind._of_handle(handle)


def _as_tensor(value):
    """Arrays and numbers of arguments become tensors; all else stays."""
    if isinstance(value, (np.ndarray, np.generic)):
        return _core.constant(value)
    return value


def _as_tensor_or_none(value):
    return value if value is None or _convert.is_tensor(value) else _core.constant(value)


from plimsoll.keras.layers._by_hand import InputSpec, Lambda, Wrapper  # noqa: E402,F401

__all__ = ["InputSpec", "Lambda", "Layer", "Wrapper", "wrapper_of"]
