"""keras.KerasTensor."""
from plimsoll import _core


class _KerasTensorMeta(type):
    """Every symbolic tensor is a KerasTensor."""

    def __instancecheck__(cls, value) -> bool:
        return isinstance(value, _core.Tensor) and value.is_symbolic

    def __subclasscheck__(cls, other) -> bool:
        return issubclass(other, _core.Tensor) or type.__subclasscheck__(cls, other)


class KerasTensor(metaclass=_KerasTensorMeta):
    """KerasTensor(shape, dtype): a tensor without a value, for definitions of models and for shapes."""

    def __new__(cls, shape, dtype="float32", sparse=False, ragged=False, record_history=True, name=None,
                ragged_rank=None, row_splits_dtype=None):
        from plimsoll.keras.layers.input_layer import Input

        return Input(batch_shape=tuple(shape), dtype=dtype, sparse=sparse, ragged=ragged, name=name)
