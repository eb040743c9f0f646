"""tf.experimental: the few names that scripts use."""
from plimsoll import _missing


def register_filesystem_plugin(path) -> None:
    raise NotImplementedError("tf.experimental.register_filesystem_plugin is not here")


def function_executor_type(executor_type):
    import contextlib

    return contextlib.nullcontext()


def async_scope():
    import contextlib

    return contextlib.nullcontext()


def async_clear_error() -> None:
    """Nothing to do: errors come where they are made."""


_missing.lazy(globals(), {}, modules=("dlpack", "numpy"))
