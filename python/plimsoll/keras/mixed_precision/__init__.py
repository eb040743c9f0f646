"""keras.mixed_precision: policies are accepted; everything is computed in float32."""
import warnings


class Policy:
    """The name of a policy."""

    def __init__(self, name=None, source_name=None):
        self.name = str(name or _current[0])
        self.compute_dtype = self.variable_dtype = "float32"

    def get_config(self) -> dict:
        return {"name": self.name}

    @classmethod
    def from_config(cls, config: dict):
        return cls(**config)

    def __eq__(self, other) -> bool:
        return isinstance(other, Policy) and other.name == self.name

    __hash__ = None

    def __repr__(self) -> str:
        return f'<DTypePolicy "{self.name}">'


DTypePolicy = Policy
_said: set = set()
_current = ["float32"]


def set_global_policy(policy) -> None:
    """Accepts any policy; says once that one of 16 bits is computed in float32."""
    name = str(getattr(policy, "name", policy))
    _current[0] = name
    if "16" in name and name not in _said:
        _said.add(name)
        warnings.warn(f"mixed_precision: the policy {name} is computed in float32 here", stacklevel=2)


set_dtype_policy = set_global_policy


def global_policy() -> Policy:
    """The policy that was set; what it computes in is float32 all the same."""
    return Policy(_current[0])


dtype_policy = global_policy


def __getattr__(name: str):
    if name == "LossScaleOptimizer":
        from plimsoll.keras.optimizers import LossScaleOptimizer

        return LossScaleOptimizer
    if name == "experimental":
        import sys

        return sys.modules[__name__]
    raise AttributeError(f"Plimsoll has no keras.mixed_precision.{name}")
