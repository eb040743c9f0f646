"""What losses, metrics, initializers and their like share."""
from plimsoll.keras._names import snake_case
from plimsoll.keras._rows import settings_of


class EngineObject:
    """Has an engine's handle if its class is generated, and runs in Python otherwise."""

    _created = None  # the handle that the engine made of a config

    # The method with which a class of the user's own says what it computes.
    _own_method = "__call__"

    @property
    def _runs_in_python(self) -> bool:
        """True if the engine does not know what this object computes."""
        return self._created is None or self._overrides(self._own_method)

    def _overrides(self, method: str) -> bool:
        """True if a class of the user's, derived from a generated one, has its own `method`."""
        mine = getattr(type(self), method)
        return not str(getattr(mine, "__module__", "")).startswith("plimsoll.")

    def _row_config(self) -> dict:
        return settings_of(self._created.config())

    def get_config(self) -> dict:
        """The settings; a class of your own adds its own."""
        return {}

    @classmethod
    def from_config(cls, config: dict):
        """An object with these settings."""
        return cls(**config)


def automatic_name(owner) -> str:
    """The name of an object that was not given one."""
    return snake_case(type(owner).__name__)
