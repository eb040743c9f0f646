"""Element types under TensorFlow's names."""

import functools

import numpy as np


class DType(str):
    """The name of an element type. It equals that name, so x.dtype == tf.float32 holds."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"tf.{str.__str__(self)}"

    def __str__(self) -> str:
        return f"<dtype: '{str.__str__(self)}'>"

    # A subclass of str that defines neither would lose its hash with __eq__; both are str's own.
    __hash__ = str.__hash__

    def __eq__(self, other) -> bool:
        if isinstance(other, str):
            return str.__eq__(self, other)
        if other is None:
            return False
        try:
            return str.__eq__(self, str.__str__(as_dtype(other)))
        except TypeError:
            return NotImplemented

    def __ne__(self, other) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __reduce__(self):
        return as_dtype, (str.__str__(self),)

    @property
    def name(self) -> str:
        return str.__str__(self)

    @property
    def base_dtype(self) -> "DType":
        return self

    @property
    def as_numpy_dtype(self):
        if self.name == "string":
            return np.object_
        return np.float32 if self.name == "bfloat16" else np.dtype(self.name).type

    @property
    def is_floating(self) -> bool:
        return "float" in self.name

    @property
    def is_integer(self) -> bool:
        return "int" in self.name

    @property
    def is_unsigned(self) -> bool:
        return self.name.startswith("uint")

    @property
    def is_bool(self) -> bool:
        return self.name == "bool"

    @property
    def is_complex(self) -> bool:
        return self.name.startswith("complex")

    @property
    def is_numeric(self) -> bool:
        return self.name not in ("bool", "string")

    @property
    def size(self) -> int:
        return 2 if self.name == "bfloat16" else np.dtype(self.as_numpy_dtype).itemsize

    @property
    def min(self):
        return self._limits()[0]

    @property
    def max(self):
        return self._limits()[1]

    @property
    def limits(self):
        return self._limits()

    def _limits(self):
        if self.is_bool:
            return False, True
        if self.is_floating:
            found = np.finfo(self.as_numpy_dtype)
            return found.min, found.max
        if self.is_integer:
            found = np.iinfo(self.as_numpy_dtype)
            return found.min, found.max
        raise TypeError(f"{self!r} has no smallest and no largest value")


_NAMES = (
    "float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
    "bool string complex64 complex128"
).split()
_DTYPES = {name: DType(name) for name in _NAMES}
_ALIASES = {
    "half": "float16",
    "double": "float64",
    "float": "float32",
    "int": "int32",
    "str": "string",
    "bytes": "string",
    "object": "string",
    "object_": "string",
    "bool_": "bool",
    "str_": "string",
    "bytes_": "string",
}

float16, half = _DTYPES["float16"], _DTYPES["float16"]
float32 = _DTYPES["float32"]
float64, double = _DTYPES["float64"], _DTYPES["float64"]
bfloat16 = _DTYPES["bfloat16"]
int8, int16 = _DTYPES["int8"], _DTYPES["int16"]
int32, int64 = _DTYPES["int32"], _DTYPES["int64"]
uint8, uint16 = _DTYPES["uint8"], _DTYPES["uint16"]
uint32, uint64 = _DTYPES["uint32"], _DTYPES["uint64"]
bool = _DTYPES["bool"]  # this is TensorFlow's name
string = _DTYPES["string"]
complex64, complex128 = _DTYPES["complex64"], _DTYPES["complex128"]

# The engine computes with these; a value of another type is held as the one it becomes.
_HELD = {
    "float16": "float32",
    "float64": "float32",
    "bfloat16": "float32",
    "int8": "int32",
    "int16": "int32",
    "uint16": "int32",
    "uint32": "int64",
    "uint64": "int64",
}


@functools.cache
def _name_of_numpy(dtype: np.dtype) -> str:
    # NumPy puts the name together anew each time it is asked for it.
    return "string" if dtype.kind in "USO" else dtype.name


def _name_of(value) -> str:
    if isinstance(value, DType):
        return value.name
    if isinstance(value, str):
        return value
    if isinstance(value, np.dtype):
        return _name_of_numpy(value)
    return getattr(value, "name", None) or getattr(value, "__name__", None) or repr(value)


def as_dtype(value) -> DType:
    """The element type that a string, a NumPy type, a Python type or a DType names."""
    name = _name_of(value)
    name = name.removeprefix("<dtype: '").removesuffix("'>").removesuffix("_ref")
    found = _DTYPES.get(_ALIASES.get(name, name))
    if found is None:
        raise TypeError(f"{value!r} is not an element type (known: {', '.join(_NAMES)})")
    return found


def held_dtype(value) -> DType:
    """The element type in which the engine holds values of this one: float64 becomes float32."""
    found = as_dtype(value)
    return _DTYPES[_HELD.get(found.name, found.name)]
