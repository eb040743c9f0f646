"""tf.compat.v1: what is left of TensorFlow 1 in scripts; graphs and sessions are refused."""
from plimsoll import _missing


def disable_eager_execution() -> None:
    raise NotImplementedError("tf.compat.v1.disable_eager_execution: Plimsoll has the API of TensorFlow "
                              "2, without graphs and sessions")


def enable_eager_execution(config=None, device_policy=None, execution_mode=None) -> None:
    """Nothing to do: functions are run as Python runs them."""


enable_v2_behavior = enable_resource_variables = enable_v2_tensorshape = enable_eager_execution


def set_random_seed(seed) -> None:
    from plimsoll.tensorflow import random

    random.set_seed(seed)


def reset_default_graph() -> None:
    """Nothing to do: there is no graph."""


def executing_eagerly() -> bool:
    return True


def global_variables_initializer() -> None:
    """Nothing to do: variables have values."""


class GPUOptions:
    """Kept, and of no effect on the processor."""

    def __init__(self, **kwargs):
        self.allow_growth = False
        self.__dict__.update(kwargs)


class ConfigProto:
    """Kept, and of no effect."""

    def __init__(self, **kwargs):
        self.gpu_options = GPUOptions()
        self.__dict__.update(kwargs)


class _Refused:
    """Refused: there are no graphs and no sessions."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f"tf.compat.v1.{type(self).__name__}: Plimsoll has the API of "
                                  "TensorFlow 2, without graphs and sessions; call the functions "
                                  "directly")


class Session(_Refused):
    pass


class InteractiveSession(_Refused):
    pass


class placeholder(_Refused):
    pass


_missing.lazy(globals(), {}, modules=("experimental", "keras", "logging", "losses", "train", "nn"))
