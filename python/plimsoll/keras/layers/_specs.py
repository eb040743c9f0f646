"""What is known of a layer's inputs and outputs without their values."""
from plimsoll import _convert
from plimsoll.keras.layers._engine_call import as_mask, with_masks
from plimsoll.keras.layers._shapes import is_list_of_shapes


def _symbols(shape):
    """Symbolic tensors of a shape, or of a list or dict of shapes."""
    from plimsoll.keras._keras_tensor import KerasTensor

    if isinstance(shape, dict):
        return {key: _symbols(each) for key, each in shape.items()}
    if is_list_of_shapes(shape):
        return [_symbols(each) for each in shape]
    return KerasTensor(shape)


class LayerSpecs:
    """The part of Layer that is about shapes, masks and symbolic tensors."""

    _supports_masking = False
    _defining_model = None  # gives the engine's model in whose definition this layer was found, or None
    _last_call = None  # the symbolic tensors that it was last called with, and what it gave
    _sequence = None  # a weak reference to the Sequential that it was added to
    dtype = property(lambda self: "float32")
    compute_dtype = variable_dtype = dtype
    input_dtype = dtype
    autocast = True

    @property
    def dtype_policy(self):
        """The policy that it was given; what it computes in is float32 all the same."""
        from plimsoll.keras import dtype_policies

        return dtype_policies.get(self.__dict__.get("_dtype") or "float32")

    @dtype_policy.setter
    def dtype_policy(self, value) -> None:
        self._dtype = value

    @property
    def input_spec(self):
        return self.__dict__.get("_input_spec")

    @input_spec.setter
    def input_spec(self, value) -> None:
        self._input_spec = value

    @property
    def supports_masking(self) -> bool:
        """True if it passes masks on."""
        if self._created is None or "_supports_masking" in self.__dict__:
            return self._supports_masking
        return self._created.supports_masking

    @supports_masking.setter
    def supports_masking(self, value: bool) -> None:
        self._supports_masking = bool(value)

    def compute_output_spec(self, *args, **kwargs):
        """The output for symbolic tensors, as one without a value."""
        before = self._last_call
        outputs = self(*args, **kwargs)
        object.__setattr__(self, "_last_call", before)
        return outputs

    def compute_output_shape(self, *shapes, **named):
        """The shape of the output for inputs of these shapes."""
        given = [_symbols(shape) for shape in list(shapes) or list(named.values()) if shape is not None]
        return _convert.map_structure(lambda t: tuple(t.shape), self.compute_output_spec(*given))

    def compute_mask(self, inputs, mask=None, *, previous_mask=None):
        """The mask of the output for inputs with these masks."""
        mask = previous_mask if mask is None else mask
        if not self.supports_masking:
            return None
        if self._created is None:
            return mask
        if self._created.takes_inputs_apart:  # the mask of the query is that of the output
            first = mask[0] if isinstance(mask, (list, tuple)) else mask
            return None if first is None else as_mask(first)
        is_list = isinstance(inputs, (list, tuple))
        masks = mask if isinstance(mask, (list, tuple)) else [mask]
        tensors = with_masks(list(inputs) if is_list else [inputs], masks)
        return self._created(tensors, {})[0].mask()

    def _symbolic_tensors(self) -> tuple:
        found = self._last_call
        defining = self._defining_model and self._defining_model()
        if found is None and defining is not None:
            found = defining.tensors_of_layer(self._handle)
        if found is None and self._sequence is not None and self._sequence() is not None:
            self._sequence()._symbolic()
            found = self._last_call
        if found is None:
            raise AttributeError(f"{self.name}: has never been called on a symbolic tensor, so it has "
                                 "no input and output")
        return found

    @property
    def input(self):
        """The symbolic tensor that it was called with."""
        inputs = self._symbolic_tensors()[0]
        return inputs[0] if len(inputs) == 1 else list(inputs)

    @property
    def output(self):
        """The symbolic tensor that it gave."""
        outputs = self._symbolic_tensors()[1]
        return outputs[0] if len(outputs) == 1 else list(outputs)

    @property
    def input_shape(self):
        return tuple(self.input.shape)

    @property
    def output_shape(self):
        return tuple(self.output.shape)
