"""Errors of the engine, each also what Python calls such an error."""


class Error(RuntimeError):
    """The root of the errors that are none of the others."""


class InvalidArgument(Error, ValueError):
    """Something was passed that cannot work: a shape, an option, a label."""


class DoesNotFit(Error, MemoryError):
    """The run needs more memory than it was given; nothing was taken yet."""


class NotFinite(Error, ArithmeticError):
    """A loss or a gradient is NaN or infinite; no weight was changed by that step."""


class IoError(Error, OSError):
    """The operating system refused to read or write."""


class CorruptFile(IoError, ValueError):
    """A file was read, and its contents are not what its format promises."""


class OutOfRange(Error, IndexError):
    """There is no next element."""
