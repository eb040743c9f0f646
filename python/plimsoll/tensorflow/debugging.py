"""tf.debugging: assertions about values and shapes."""
import numpy as np

from plimsoll import _core, _missing
from plimsoll.errors import InvalidArgument


def _has_value(*tensors) -> bool:
    """False in a model's definition and in a step that is recorded, where nothing can be asserted."""
    return not any(isinstance(each, _core.Tensor) and (each.is_symbolic or each.is_placeholder)
                   for each in tensors)


def _comparison(name: str, holds, words: str):
    def call(x, y, message=None, summarize=None, name=None):
        if _has_value(x, y) and not np.all(holds(np.asarray(x), np.asarray(y))):
            raise InvalidArgument(f"{message or ''} Condition x {words} y did not hold. x = "
                                  f"{np.asarray(x)}, y = {np.asarray(y)}".strip())
    call.__name__ = name
    return call


assert_equal = _comparison("assert_equal", np.equal, "==")
assert_none_equal = _comparison("assert_none_equal", np.not_equal, "!=")
assert_less = _comparison("assert_less", np.less, "<")
assert_less_equal = _comparison("assert_less_equal", np.less_equal, "<=")
assert_greater = _comparison("assert_greater", np.greater, ">")
assert_greater_equal = _comparison("assert_greater_equal", np.greater_equal, ">=")


def _sign(name: str, holds, words: str):
    def call(x, message=None, summarize=None, name=None):
        if _has_value(x) and not np.all(holds(np.asarray(x))):
            raise InvalidArgument(f"{message or ''} Condition x {words} did not hold. x = "
                                  f"{np.asarray(x)}".strip())
    call.__name__ = name
    return call


assert_positive = _sign("assert_positive", lambda x: x > 0, "> 0")
assert_negative = _sign("assert_negative", lambda x: x < 0, "< 0")
assert_non_negative = _sign("assert_non_negative", lambda x: x >= 0, ">= 0")
assert_non_positive = _sign("assert_non_positive", lambda x: x <= 0, "<= 0")


def assert_near(x, y, rtol=None, atol=None, message=None, summarize=None, name=None):
    close = 10 * np.finfo(np.float32).eps
    if _has_value(x, y) and not np.allclose(np.asarray(x), np.asarray(y),
                                            close if rtol is None else rtol,
                                            close if atol is None else atol):
        raise InvalidArgument(message or "x and y are not equal up to the tolerance")


def Assert(condition, data, summarize=None, name=None):
    if _has_value(condition) and not np.all(np.asarray(condition)):
        raise InvalidArgument(f"assertion failed: {[np.asarray(each).tolist() for each in data]}")


def assert_rank(x, rank, message=None, name=None):
    found = _core.constant(x).ndim
    if found != int(rank):
        raise ValueError(f"{message or ''} Tensor must have rank {int(rank)}. Received rank {found}, "
                         f"shape {_core.constant(x).shape}".strip())


def assert_rank_at_least(x, rank, message=None, name=None):
    if _core.constant(x).ndim < int(rank):
        raise ValueError(f"{message or ''} Tensor must have rank at least {int(rank)}, found shape "
                         f"{_core.constant(x).shape}".strip())


def assert_rank_in(x, ranks, message=None, name=None):
    if _core.constant(x).ndim not in [int(rank) for rank in ranks]:
        raise ValueError(f"{message or ''} Tensor must have a rank in {list(ranks)}, found shape "
                         f"{_core.constant(x).shape}".strip())


assert_scalar = lambda tensor, message=None, name=None: assert_rank(tensor, 0, message)  # noqa: E731


def assert_shapes(shapes, data=None, summarize=None, message=None, name=None):
    """Each tensor has its shape; a text stands for one size wherever it is."""
    known: dict = {}
    for tensor, wanted in shapes.items() if isinstance(shapes, dict) else shapes:
        found = tuple(_core.constant(tensor).shape)
        if len(found) != len(wanted):
            raise ValueError(f"{message or ''} a tensor has the shape {found}, expected {wanted}".strip())
        for size, expected in zip(found, wanted):
            expected = known.setdefault(expected, size) if isinstance(expected, str) else expected
            if expected not in (None, size):
                raise ValueError(f"{message or ''} a tensor has the shape {found}, expected {wanted}"
                                 .strip())


def assert_type(tensor, tf_type, message=None, name=None):
    if _core.constant(tensor).dtype != tf_type:
        raise TypeError(f"{message or ''} Tensor has the type {_core.constant(tensor).dtype!r}, expected "
                        f"{tf_type!r}".strip())


def assert_all_finite(x, message, name=None):
    if _has_value(x) and not np.isfinite(np.asarray(x)).all():
        raise InvalidArgument(f"{message}: the tensor has Inf or NaN")
    return _core.constant(x)


check_numerics = assert_all_finite


def assert_proper_iterable(values) -> None:
    if isinstance(values, (str, bytes, dict, _core.Tensor)) or not np.iterable(values):
        raise TypeError(f"Expected argument 'values' to be a 'proper' iterable. Found: {type(values)}")


def is_numeric_tensor(tensor) -> bool:
    return isinstance(tensor, (_core.Tensor, _core.Variable)) and tensor.dtype.is_numeric


def enable_check_numerics(*args, **kwargs) -> None:
    """Accepted: a loss or a gradient that is not finite is an error anyway."""


def disable_check_numerics() -> None:
    """Accepted."""


def set_log_device_placement(enabled) -> None:
    """Accepted: everything is computed on the processor."""


def get_log_device_placement() -> bool:
    return False


def disable_traceback_filtering() -> None:
    """Accepted: errors name the line of the program anyway."""


enable_traceback_filtering = disable_traceback_filtering


def is_traceback_filtering_enabled() -> bool:
    return True


_missing.lazy(globals(), {})
