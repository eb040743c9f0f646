"""keras.dtype_policies: policies are accepted; everything is computed in float32."""
from plimsoll import _missing
from plimsoll.keras.mixed_precision import Policy as DTypePolicy
from plimsoll.keras.mixed_precision import global_policy

FloatDTypePolicy = DTypePolicy


def serialize(dtype_policy):
    """The config of a policy."""
    from plimsoll.keras import saving

    return saving.serialize_keras_object(dtype_policy)


def deserialize(config, custom_objects=None):
    """The policy that serialize() wrote."""
    return DTypePolicy.from_config(config["config"])


def get(identifier):
    """The policy of a name, a config or an element type; the global one for None."""
    if identifier is None:
        return global_policy()
    if isinstance(identifier, DTypePolicy):
        return identifier
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if not isinstance(identifier, str) and not hasattr(identifier, "name"):
        raise ValueError(f"keras.dtype_policies.get: expected a name or a policy, found {identifier!r}")
    return DTypePolicy(getattr(identifier, "name", identifier))


_missing.told(globals())
