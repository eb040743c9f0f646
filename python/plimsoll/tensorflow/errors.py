"""tf.errors: TensorFlow's names of what can go wrong. They are classes of plimsoll.errors."""
from plimsoll import _missing
from plimsoll.errors import (
    CorruptFile, DoesNotFit, Error, InvalidArgument, IoError, OutOfRange)

OpError = Error
InvalidArgumentError = InvalidArgument
ResourceExhaustedError = DoesNotFit
OutOfRangeError = OutOfRange
DataLossError = CorruptFile
UnavailableError = IoError


class NotFoundError(IoError, FileNotFoundError):
    """A file is not there."""


class AlreadyExistsError(IoError, FileExistsError):
    """A file is there already."""


class PermissionDeniedError(IoError, PermissionError):
    """The file system does not allow it."""


class FailedPreconditionError(Error, RuntimeError):
    """Something has to be done first."""


class UnimplementedError(Error, NotImplementedError):
    """There is no such operation."""


class InternalError(Error, RuntimeError):
    """A defect."""


class UnknownError(Error, RuntimeError):
    """Something for which there is no name."""


class AbortedError(Error, RuntimeError):
    """The work was ended."""


class CancelledError(Error, RuntimeError):
    """The work was given up."""


class DeadlineExceededError(Error, TimeoutError):
    """It took too long."""


class UnauthenticatedError(Error, PermissionError):
    """The caller is not known."""


OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND = range(6)
ALREADY_EXISTS, PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION = range(6, 10)
ABORTED, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS = range(10, 16)

_missing.lazy(globals(), {})
