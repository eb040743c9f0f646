"""keras.config: settings of the process."""
from plimsoll import _core, _missing

_settings = {"epsilon": 1e-7, "image_data_format": "channels_last"}


def floatx() -> str:
    """The element type of weights and results: always float32."""
    return "float32"


def set_floatx(value) -> None:
    """Accepts float32; others are refused, for everything is computed in float32."""
    if str(value) not in ("float32", "float64"):
        raise ValueError(f"keras.config.set_floatx: '{value}' is not known here; Plimsoll computes in "
                         "float32")


def epsilon() -> float:
    """A small number that keeps divisions finite."""
    return _settings["epsilon"]


def set_epsilon(value) -> None:
    _settings["epsilon"] = float(value)


def image_data_format() -> str:
    return _settings["image_data_format"]


def set_image_data_format(data_format) -> None:
    """Accepts channels_last, the only order of axes that layers have here."""
    if data_format != "channels_last":
        raise ValueError(f"keras.config.set_image_data_format: '{data_format}' is not known here; "
                         "images are channels_last")


def backend() -> str:
    """The name of what computes."""
    return "tensorflow"


def dtype_policy():
    from plimsoll.keras.mixed_precision import global_policy

    return global_policy()


def set_dtype_policy(policy) -> None:
    from plimsoll.keras.mixed_precision import set_global_policy

    set_global_policy(policy)


def clear_session(free_memory: bool = True) -> None:
    """Layers are numbered from the beginning again. Memory needs no clearing: what is dropped is free."""
    _core.reset_names()


def enable_traceback_filtering() -> None:
    """Accepted: errors name the line of the program anyway."""


disable_traceback_filtering = enable_traceback_filtering


def is_traceback_filtering_enabled() -> bool:
    return True


def enable_interactive_logging() -> None:
    """Accepted: fit shows its progress unless verbose=0."""


disable_interactive_logging = enable_interactive_logging


def is_interactive_logging_enabled() -> bool:
    return True


def enable_flash_attention() -> None:
    """Accepted: how attention is computed does not change its result."""


disable_flash_attention = enable_flash_attention


def is_flash_attention_enabled() -> bool | None:
    return None


def is_nnx_enabled() -> bool:
    return False


def enable_unsafe_deserialization() -> None:
    raise NotImplementedError("Plimsoll never runs code that is in a model file; write a Layer class "
                              "and pass it in custom_objects")


_missing.told(globals())
