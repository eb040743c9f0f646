"""keras.Variable."""
from plimsoll import _core
from plimsoll.keras._variables import dimensions, first_value


class Variable(_core.Variable):
    """keras.Variable(initializer, shape=None): state that assign() changes.

    `initializer` is a value, or with a shape the name of an initializer or a function.
    """

    def __init__(self, initializer, shape=None, dtype=None, trainable=True, autocast=True,
                 aggregation=None, synchronization=None, name=None, **kwargs):
        dtype = None if dtype is None else _core.dtype_name(dtype)
        if shape is not None or isinstance(initializer, str):
            initializer = first_value(dimensions(() if shape is None else shape), initializer,
                                      dtype or "float32")
        elif callable(initializer):
            raise ValueError("keras.Variable: pass the shape beside an initializer that is a function")
        value = _core.constant(initializer, dtype)
        super().__init__(value, name=name or "variable", trainable=bool(trainable))

    @classmethod
    def of(cls, variable: _core.Variable) -> "Variable":
        """The same variable as Keras's class has it."""
        found = cls.__new__(cls)
        _core.Variable.__init__(found, same=variable)
        return found
