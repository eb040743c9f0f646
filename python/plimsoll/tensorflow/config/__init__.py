"""tf.config: the processor is the only device; settings of other devices are accepted."""
import collections

from plimsoll import _missing

PhysicalDevice = collections.namedtuple("PhysicalDevice", ["name", "device_type"])
LogicalDevice = collections.namedtuple("LogicalDevice", ["name", "device_type"])
_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")
_LOGICAL_CPU = LogicalDevice("/device:CPU:0", "CPU")
_settings = {"eagerly": False, "soft": True}


class LogicalDeviceConfiguration:
    """How a device would be shared; kept, and of no effect on the processor."""

    def __init__(self, memory_limit=None, experimental_priority=None, experimental_device_ordinal=None):
        self.memory_limit = memory_limit


VirtualDeviceConfiguration = LogicalDeviceConfiguration


def list_physical_devices(device_type=None) -> list:
    """The processor; there are no GPUs and no TPUs."""
    return [_CPU] if device_type in (None, "CPU") else []


def list_logical_devices(device_type=None) -> list:
    return [_LOGICAL_CPU] if device_type in (None, "CPU") else []


def get_visible_devices(device_type=None) -> list:
    return list_physical_devices(device_type)


def set_visible_devices(devices, device_type=None) -> None:
    """Accepted: everything is computed on the processor."""


def set_logical_device_configuration(device, logical_devices) -> None:
    """Accepted. The memory of a run is limited with plimsoll.set_memory_limit."""


def get_logical_device_configuration(device):
    return None


def run_functions_eagerly(run_eagerly) -> None:
    """Accepted: functions are run as Python runs them in any case."""
    _settings["eagerly"] = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    return _settings["eagerly"]


experimental_run_functions_eagerly = run_functions_eagerly
experimental_functions_run_eagerly = functions_run_eagerly


def set_soft_device_placement(enabled) -> None:
    _settings["soft"] = bool(enabled)


def get_soft_device_placement() -> bool:
    return _settings["soft"]


def experimental_connect_to_cluster(*args, **kwargs) -> None:
    raise NotImplementedError("tf.config.experimental_connect_to_cluster: Plimsoll trains on one "
                              "machine and uses all of its cores")


_missing.lazy(globals(), {}, modules=("experimental", "optimizer", "threading"))
