"""tf.data.Options: settings that scripts make. They are kept; the engine decides for itself."""

import copy
import enum


class AutoShardPolicy(enum.IntEnum):
    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


class ExternalStatePolicy(enum.Enum):
    WARN = 0
    IGNORE = 1
    FAIL = 2


class AutotuneAlgorithm(enum.Enum):
    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELISM = 3
    STAGE_BASED = 4


class _Settings:
    """Attributes with defaults; a name that is none of them is refused."""

    _defaults: dict = {}

    def __init__(self):
        for name, value in self._defaults.items():
            made = value() if isinstance(value, type) and issubclass(value, _Settings) else value
            object.__setattr__(self, name, made)

    def __setattr__(self, name, value):
        if name not in self._defaults:
            raise AttributeError(
                f"Cannot set the property {name} on {type(self).__name__}. It has: "
                + ", ".join(self._defaults)
            )
        object.__setattr__(self, name, value)

    def __eq__(self, other) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({values})"


class AutotuneOptions(_Settings):
    _defaults = dict.fromkeys(
        (
            "autotune_algorithm cpu_budget enabled initial_parallelism min_parallelism ram_budget"
        ).split()
    )


class DistributeOptions(_Settings):
    _defaults = {"auto_shard_policy": AutoShardPolicy.AUTO, "num_devices": None}


class OptimizationOptions(_Settings):
    _defaults = dict.fromkeys(
        (
            "apply_default_optimizations filter_fusion filter_parallelization inject_prefetch "
            "map_and_batch_fusion map_and_filter_fusion map_fusion map_parallelization "
            "noop_elimination parallel_batch seq_interleave_prefetch shuffle_and_repeat_fusion"
        ).split()
    )


class ThreadingOptions(_Settings):
    _defaults = {"max_intra_op_parallelism": None, "private_threadpool_size": None}


class Options(_Settings):
    """Settings for Dataset.with_options()."""

    _defaults = {
        "autotune": AutotuneOptions,
        "dataset_name": None,
        "deterministic": None,
        "experimental_deterministic": None,
        "experimental_distribute": DistributeOptions,
        "experimental_external_state_policy": None,
        "experimental_optimization": OptimizationOptions,
        "experimental_slack": None,
        "experimental_symbolic_checkpoint": None,
        "experimental_threading": ThreadingOptions,
        "experimental_warm_start": None,
        "framework_type": None,
        "threading": ThreadingOptions,
    }

    def merge(self, options: "Options") -> "Options":
        """These options with what is set in the others."""
        merged = copy.deepcopy(self)
        _set_from(merged, options)
        return merged


def _set_from(into: _Settings, options: _Settings) -> None:
    for name, default in type(options)._defaults.items():
        value = getattr(options, name)
        if isinstance(value, _Settings):
            _set_from(getattr(into, name), value)
        elif value != default:
            setattr(into, name, value)
