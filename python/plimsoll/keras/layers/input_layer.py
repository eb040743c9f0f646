"""Input: where a functional model begins."""
from plimsoll import _core
from plimsoll.keras.layers.layer import Layer


class InputLayer(Layer):
    """The layer of an Input; it may also be the first of a Sequential."""

    def __init__(self, shape=None, batch_size=None, dtype=None, sparse=None, ragged=None,
                 batch_shape=None, input_tensor=None, optional=False, name=None, **kwargs):
        shape = kwargs.pop("input_shape", shape)
        batch_shape = kwargs.pop("batch_input_shape", batch_shape)
        for word in ("type_spec", "tensor", "_init_kwargs"):
            kwargs.pop(word, None)
        if kwargs:
            raise TypeError(f"InputLayer.__init__() got an unexpected keyword argument "
                            f"'{next(iter(kwargs))}'")
        if sparse or ragged:
            raise ValueError("InputLayer: sparse and ragged inputs are not known here; use dense "
                             "tensors, padded to one length")
        if shape is not None and batch_shape is not None:
            raise ValueError("Input: pass `shape` or `batch_shape`, not both")
        if batch_size is not None and batch_shape is not None:
            raise ValueError("Input: pass `batch_size` or `batch_shape`, not both")
        if batch_shape is not None:
            batch_size, shape = batch_shape[0], tuple(batch_shape)[1:]
        if shape is None:
            raise ValueError("Input: pass the argument `shape`, without the batch: shape=(28, 28)")
        dtype = str(getattr(dtype, "name", dtype) or "float32")
        self._created = _core.input_layer(_sizes(shape), batch_size, dtype, name or "")
        self._tensor = None

    def call(self, *args, **kwargs):
        return args[0]

    @property
    def _runs_in_python(self) -> bool:
        return False

    @property
    def output(self):
        """The symbolic tensor, the same each time."""
        if self.__dict__.get("_tensor") is None:
            self._tensor = _core.input_of(self._created)
        return self._tensor

    @property
    def batch_shape(self) -> tuple:
        return tuple(self.output.shape)

    def get_config(self) -> dict:
        return self._created.config()["config"]


def _sizes(shape) -> tuple:
    if isinstance(shape, int):
        return (shape,)
    return tuple(None if size is None else int(size) for size in shape)


def Input(shape=None, batch_size=None, dtype=None, sparse=None, ragged=None, batch_shape=None,
          name=None, tensor=None, optional=False, **kwargs):
    """A symbolic tensor: what layers make of it is the definition of a model."""
    if tensor is not None:
        return tensor
    return InputLayer(shape=shape, batch_size=batch_size, dtype=dtype, sparse=sparse, ragged=ragged,
                      batch_shape=batch_shape, optional=optional, name=name, **kwargs).output
