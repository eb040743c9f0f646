"""Shapes and specs of tensors: tf.TensorShape, tf.TensorSpec and the kinds that are refused."""

from plimsoll.tensorflow._dtypes import DType, as_dtype, float32


class TensorShape:
    """Sizes of a tensor's axes; None is a size that is not known. No list at all: unknown rank."""

    __slots__ = ("_sizes",)

    def __init__(self, dims=None):
        if isinstance(dims, TensorShape):
            self._sizes = dims._sizes
        elif dims is None:
            self._sizes = None
        elif hasattr(dims, "__iter__"):
            self._sizes = tuple(None if size is None else int(size) for size in dims)
        else:
            self._sizes = (int(dims),)

    @property
    def rank(self) -> int | None:
        return None if self._sizes is None else len(self._sizes)

    ndims = rank

    @property
    def dims(self) -> list | None:
        return None if self._sizes is None else list(self._sizes)

    def as_list(self) -> list:
        if self._sizes is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape")
        return list(self._sizes)

    def is_fully_defined(self) -> bool:
        return self._sizes is not None and None not in self._sizes

    def num_elements(self) -> int | None:
        if not self.is_fully_defined():
            return None
        count = 1
        for size in self._sizes:
            count *= size
        return count

    def is_compatible_with(self, other) -> bool:
        other = TensorShape(other)
        if self._sizes is None or other._sizes is None:
            return True
        return len(self._sizes) == len(other._sizes) and all(
            a is None or b is None or a == b for a, b in zip(self._sizes, other._sizes)
        )

    def assert_is_compatible_with(self, other) -> None:
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are incompatible")

    def concatenate(self, other) -> "TensorShape":
        other = TensorShape(other)
        if self._sizes is None or other._sizes is None:
            return TensorShape(None)
        return TensorShape(self._sizes + other._sizes)

    def merge_with(self, other) -> "TensorShape":
        """What is known of a shape if it agrees with both."""
        other = TensorShape(other)
        self.assert_is_compatible_with(other)
        if self._sizes is None:
            return other
        if other._sizes is None:
            return self
        return TensorShape([b if a is None else a for a, b in zip(self._sizes, other._sizes)])

    def most_specific_compatible_shape(self, other) -> "TensorShape":
        """A shape that both shapes agree with, as narrow as possible."""
        other = TensorShape(other)
        if self.rank is None or self.rank != other.rank:
            return TensorShape(None)
        return TensorShape([a if a == b else None for a, b in zip(self._sizes, other._sizes)])

    def __len__(self) -> int:
        if self._sizes is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._sizes)

    def __iter__(self):
        if self._sizes is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._sizes)

    def __getitem__(self, key):
        if self._sizes is None:
            return TensorShape(None) if isinstance(key, slice) else None
        found = self._sizes[key]
        return TensorShape(found) if isinstance(key, slice) else found

    def __bool__(self) -> bool:
        return self._sizes is not None

    def __add__(self, other) -> "TensorShape":
        return self.concatenate(other)

    def __radd__(self, other) -> "TensorShape":
        return TensorShape(other).concatenate(self)

    def __eq__(self, other) -> bool:
        try:
            return self._sizes == TensorShape(other)._sizes
        except (TypeError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self._sizes)

    def __repr__(self) -> str:
        return f"TensorShape({None if self._sizes is None else list(self._sizes)})"

    def __str__(self) -> str:
        if self._sizes is None:
            return "<unknown>"
        return str(self._sizes)


class TypeSpec:
    """What is known of a value before it exists."""


class TensorSpec(TypeSpec):
    """The shape and the element type of a tensor."""

    __slots__ = ("_shape", "_dtype", "_name")

    def __init__(self, shape, dtype=float32, name=None):
        self._shape = TensorShape(shape)
        self._dtype = as_dtype(dtype)
        self._name = name

    @property
    def shape(self) -> TensorShape:
        return self._shape

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def name(self):
        return self._name

    @classmethod
    def from_spec(cls, spec, name=None) -> "TensorSpec":
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor, name=None) -> "TensorSpec":
        return cls(tensor.shape, tensor.dtype, name)

    def is_compatible_with(self, other) -> bool:
        """True if a tensor, an array or a tensor of another spec may stand here."""
        if not hasattr(other, "dtype"):
            import numpy as np

            other = np.asarray(other)
        return self._dtype == as_dtype(other.dtype) and self._shape.is_compatible_with(other.shape)

    def most_specific_compatible_type(self, other) -> "TensorSpec":
        if not isinstance(other, TensorSpec) or other.dtype != self.dtype:
            raise ValueError(f"No spec is compatible with both {self} and {other}")
        return TensorSpec(self.shape.most_specific_compatible_shape(other.shape), self.dtype)

    def __eq__(self, other) -> bool:
        if not isinstance(other, TensorSpec):
            return NotImplemented
        return (self._shape, self._dtype, self._name) == (other._shape, other._dtype, other._name)

    def __hash__(self) -> int:
        return hash((self._shape, self._dtype))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


class NoneTensorSpec(TypeSpec):
    """The spec of None."""

    def __eq__(self, other) -> bool:
        return isinstance(other, NoneTensorSpec)

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "NoneTensorSpec()"


class RaggedTensorSpec(TypeSpec):
    """Refused: the engine has no tensors with rows of different lengths."""

    def __init__(self, *_, **__):
        raise NotImplementedError(
            "tf.RaggedTensorSpec: Plimsoll has no ragged tensors; declare the axis as None in a "
            "tf.TensorSpec and put the rows together with padded_batch()"
        )


class SparseTensorSpec(TypeSpec):
    """Refused: the engine has no sparse tensors."""

    def __init__(self, *_, **__):
        raise NotImplementedError(
            "tf.SparseTensorSpec: Plimsoll has no sparse tensors; use dense ones and tf.TensorSpec"
        )
