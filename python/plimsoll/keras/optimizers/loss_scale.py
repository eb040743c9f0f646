"""LossScaleOptimizer: what mixed precision wraps around an optimizer; float32 needs no scale."""
from plimsoll.keras import _serialization
from plimsoll.keras.optimizers.optimizer import Optimizer


class LossScaleOptimizer(Optimizer):
    """Computes as the optimizer inside does: gradients in float32 need no scale.

    Arguments:
        inner_optimizer: optimizer, required.
        initial_scale, dynamic_growth_steps, name: have no effect.
    """

    def __init__(self, inner_optimizer, initial_scale=2.0**15, dynamic_growth_steps=2000,
                 name=None, **kwargs):
        self.inner_optimizer = inner_optimizer
        self.initial_scale = initial_scale
        self.dynamic_growth_steps = dynamic_growth_steps
        self.name = name or "loss_scale_optimizer"
        self._own = inner_optimizer._own
        self._created = inner_optimizer._created

    def get_scaled_loss(self, loss):
        """The loss itself."""
        return loss

    def get_unscaled_gradients(self, grads):
        """The gradients themselves."""
        return grads

    def get_config(self) -> dict:
        return {"name": self.name, "initial_scale": self.initial_scale,
                "dynamic_growth_steps": self.dynamic_growth_steps,
                "inner_optimizer": _serialization.serialize_object(self.inner_optimizer)}

    @classmethod
    def from_config(cls, config: dict, custom_objects=None):
        inner = _serialization.deserialize_object(
            config["inner_optimizer"], "optimizers", custom_objects)
        return cls(**{**config, "inner_optimizer": inner})
