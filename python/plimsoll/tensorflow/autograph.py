"""tf.autograph: accepted; Python's own if and for work, so nothing is rewritten."""
import contextlib
import inspect

from plimsoll import _missing


def to_code(entity, recursive=True, experimental_optional_features=None) -> str:
    """The source of the function: it is run as it is."""
    return inspect.getsource(getattr(entity, "python_function", entity))


def to_graph(entity, recursive=True, experimental_optional_features=None):
    return entity


def set_verbosity(level, alsologtostdout=False) -> None:
    """Accepted: there is nothing to print."""


def trace(*args) -> None:
    print(*args)


class experimental:
    """Marks that are accepted."""

    @staticmethod
    def do_not_convert(func=None):
        return func if func is not None else lambda each: each

    @staticmethod
    @contextlib.contextmanager
    def set_loop_options(**kwargs):
        yield

    class Feature:
        ALL = "ALL"


_missing.lazy(globals(), {})
