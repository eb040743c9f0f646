"""The state and the steps of an optimizer that is written in Python."""
import numpy as np

from plimsoll import _core
from plimsoll.keras._variables import first_value


class OwnOptimizer:
    """Calls update_step() of its owner for each variable."""

    def __init__(self, owner, learning_rate):
        self._owner = owner
        self._schedule = learning_rate if callable(learning_rate) else None
        self.iterations = _core.Variable(np.int64(0), "int64", "iteration", False)
        first = 0.0 if self._schedule else float(learning_rate)
        self._rate = _core.Variable(np.float32(first), "float32", "learning_rate", False)
        self.built = False
        self._state, self._numbers = [], {}

    @property
    def learning_rate(self):
        return self._schedule(self.iterations.read_value()) if self._schedule else self._rate

    def set_learning_rate(self, value) -> None:
        if callable(value):
            self._schedule = value
        else:
            self._schedule = None
            self._rate.assign(float(value))

    def rate_setting(self):
        """The learning rate as a config has it."""
        if self._schedule is None:
            return float(self._rate.numpy())
        from plimsoll.keras.optimizers import schedules

        return schedules.serialize(self._schedule)

    @property
    def variables(self) -> list:
        rate = [] if self._schedule else [self._rate]
        return [self.iterations, *rate, *self._state]

    def build(self, variables) -> None:
        self.built = True
        self._numbers = {variable.key: number for number, variable in enumerate(variables)}

    def number_of(self, variable) -> int:
        """The place of a variable among those that build() was given."""
        if variable.key not in self._numbers:
            raise ValueError(f"{self._owner.name}: was not built for the variable '{variable.path}'; call "
                             "super().build(variables) in build()")
        return self._numbers[variable.key]

    def add_variable(self, reference, name, initializer):
        """State of the shape of a variable."""
        title = f"{reference.name}_{name}" if name else reference.name
        value = first_value(tuple(reference.shape), initializer, "float32")
        variable = _core.Variable(value, "float32", title, False)
        self._state.append(variable)
        return variable

    def apply(self, gradients: list, variables: list) -> None:
        if not self.built:
            self._owner.build(variables)
            self.built = True
        pairs = [(g, v) for g, v in zip(gradients, variables, strict=True) if g is not None]
        if not pairs:
            raise ValueError(f"{self._owner.name}: no variable has a gradient")
        rate = self.learning_rate
        rate = rate.read_value() if isinstance(rate, _core.Variable) else rate
        clipped = self._clipped([gradient for gradient, _ in pairs])
        for gradient, (_, variable) in zip(clipped, pairs):
            if self._owner.weight_decay:
                variable.assign_sub(variable.read_value() * (rate * self._owner.weight_decay))
            self._owner.update_step(gradient, variable, rate)
            variable.apply_constraint()
        self.iterations.assign_add(1)

    def _clipped(self, gradients: list) -> list:
        owner = self._owner
        if owner.loss_scale_factor:
            gradients = [g / owner.loss_scale_factor for g in gradients]
        if owner.clipvalue is not None:
            return [_core.clip(g, -owner.clipvalue, owner.clipvalue) for g in gradients]
        if owner.clipnorm is not None:
            return [_within(g, owner.clipnorm, _norm([g])) for g in gradients]
        if owner.global_clipnorm is not None:
            norm = _norm(gradients)
            return [_within(g, owner.global_clipnorm, norm) for g in gradients]
        return gradients


def _norm(gradients: list):
    total = sum(_core.sum(_core.square(g)) for g in gradients)
    return _core.sqrt(total)


def _within(gradient, limit: float, norm):
    return gradient * (limit / _core.maximum(norm, limit))
