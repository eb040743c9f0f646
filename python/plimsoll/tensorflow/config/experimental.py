"""tf.config.experimental: older names, and settings of devices that are accepted."""
from plimsoll import _missing
from plimsoll.tensorflow.config import (  # noqa: F401
    LogicalDeviceConfiguration, VirtualDeviceConfiguration, get_visible_devices, list_logical_devices,
    list_physical_devices, set_logical_device_configuration, set_visible_devices)

set_virtual_device_configuration = set_logical_device_configuration


def set_memory_growth(device, enable) -> None:
    """Accepted: memory is taken as a run needs it."""


def get_memory_growth(device) -> bool:
    return True


def get_memory_info(device) -> dict:
    """The bytes that the process holds now and held at most."""
    from plimsoll import process_memory

    found = process_memory()
    return {"current": found["resident_bytes"], "peak": found["peak_resident_bytes"]}


def get_memory_usage(device) -> int:
    return get_memory_info(device)["current"]


def reset_memory_stats(device) -> None:
    """Accepted."""


def get_device_details(device) -> dict:
    return {"device_name": "CPU"}


def enable_op_determinism() -> None:
    """Accepted: results depend on the seed alone."""


def enable_tensor_float_32_execution(enabled) -> None:
    """Accepted: everything is computed in float32."""


def enable_mlir_graph_optimization() -> None:
    """Accepted."""


def set_synchronous_execution(enable) -> None:
    """Accepted."""


def get_synchronous_execution() -> bool:
    return True


_missing.told(globals())
