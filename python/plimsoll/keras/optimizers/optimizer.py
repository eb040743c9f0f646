"""Optimizer: the base of optimizers, for those of the engine and for the user's own."""
from plimsoll import _core
from plimsoll._tape import GradientTape
from plimsoll._tensor import same_variables
from plimsoll.keras import _serialization
from plimsoll.keras._base import EngineObject, automatic_name
from plimsoll.keras.optimizers.own_optimizer import OwnOptimizer
from plimsoll.keras.optimizers.schedules.schedule import LearningRateSchedule


class Optimizer(EngineObject):
    """Turns gradients into new weights.

    A class of your own has `update_step(self, gradient, variable, learning_rate)` and, if it keeps
    state, `build(self, variables)`.
    """

    _own_method = "update_step"

    def __init__(self, learning_rate=0.001, weight_decay=None, clipnorm=None, clipvalue=None,
                 global_clipnorm=None, use_ema=False, ema_momentum=0.99,
                 ema_overwrite_frequency=None, loss_scale_factor=None,
                 gradient_accumulation_steps=None, name=None, **kwargs):
        learning_rate = kwargs.pop("lr", learning_rate)
        if kwargs:
            raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument "
                            f"'{next(iter(kwargs))}'")
        if use_ema or gradient_accumulation_steps:
            raise NotImplementedError("use_ema and gradient_accumulation_steps are only for "
                                      "Keras's own optimizers")
        self.name = name or automatic_name(self)
        self.weight_decay, self.clipnorm = weight_decay, clipnorm
        self.clipvalue, self.global_clipnorm = clipvalue, global_clipnorm
        self.loss_scale_factor = loss_scale_factor
        self._own = OwnOptimizer(self, learning_rate)

    def _create(self, class_name: str, config: dict) -> None:
        self._own = None
        self._rate = (self.__dict__.get("_python_arguments") or {}).get("learning_rate")
        self._created = _core.optimizer_from_config({"class_name": class_name, "config": config})
        self.name = self._created.name
        if self._rate is not None and not isinstance(self._rate, LearningRateSchedule):
            self._created.learning_rate = float(self._rate())
        elif self._rate is not None:
            self._created.set_schedule(self._rate._handle)

    @property
    def _handle(self):
        if self._own is not None:
            raise NotImplementedError(
                f"{type(self).__name__}: an optimizer of your own has no form in the engine; fit() and "
                "apply_gradients() call its update_step()")
        return self._created

    def update_step(self, gradient, variable, learning_rate):
        """Assigns the variable's new value."""
        raise NotImplementedError(f"{type(self).__name__}: an optimizer needs a method "
                                  "update_step(self, gradient, variable, learning_rate)")

    def build(self, variables):
        """Makes the state for these variables; the first step does it too."""
        if self._own is not None:
            self._own.build(variables)
        else:
            self._created.build(list(variables))

    def add_variable_from_reference(self, reference_variable, name=None, initializer="zeros"):
        """State of the shape of a variable."""
        return self._own.add_variable(reference_variable, name, initializer)

    def _get_variable_index(self, variable) -> int:
        """The place of a variable among all that are trained; classes of your own keep state by it."""
        return self._own.number_of(variable)

    def assign(self, variable, value) -> None:
        variable.assign(value)

    def assign_add(self, variable, value) -> None:
        variable.assign_add(value)

    def assign_sub(self, variable, value) -> None:
        variable.assign_sub(value)

    @property
    def built(self) -> bool:
        return self._own.built if self._own is not None else self._created.built

    def apply_gradients(self, grads_and_vars, **kwargs):
        """One step, from pairs of gradients and variables."""
        pairs = list(grads_and_vars)
        self.apply([gradient for gradient, _ in pairs], [variable for _, variable in pairs])
        return self.iterations

    def apply(self, grads, trainable_variables=None):
        """One step; without variables those of the step before, or of build()."""
        if trainable_variables is None:
            trainable_variables = self._weights
        trainable_variables = list(trainable_variables)
        self._weights = trainable_variables
        if self._own is not None:
            self._own.apply(list(grads), trainable_variables)
            return
        if callable(self._rate) and not isinstance(self._rate, LearningRateSchedule):
            self._created.learning_rate = float(self._rate())
        self._created.apply_gradients(list(grads), trainable_variables)

    _rate = None
    _weights = ()

    def minimize(self, loss, var_list, tape=None):
        """Keras 2's step: `loss` is a function, or a tensor that `tape` recorded."""
        if callable(loss):
            with GradientTape() as tape:
                loss = loss()
        variables = list(var_list() if callable(var_list) else var_list)
        return self.apply_gradients(zip(tape.gradient(loss, variables), variables))

    @property
    def learning_rate(self):
        """A variable; the rate of the next step if a schedule decides."""
        if self._own is not None:
            return self._own.learning_rate
        if not self._created.has_schedule:
            return same_variables([self._created.learning_rate_variable])[0]
        return _core.constant(self._created.learning_rate)

    @learning_rate.setter
    def learning_rate(self, value):
        if self._own is not None:
            self._own.set_learning_rate(value)
        elif isinstance(value, LearningRateSchedule):
            self._rate = value
            self._created.set_schedule(value._handle)
        else:
            self._created.learning_rate = float(value)

    # Keras 2's name.
    lr = learning_rate

    @property
    def iterations(self):
        """The number of steps, a variable."""
        if self._own is not None:
            return self._own.iterations
        return same_variables([self._created.iterations])[0]

    @property
    def variables(self):
        """All state; Keras 2's way to write it, variables(), works too."""
        if self._own is not None:
            return CallableList(self._own.variables)
        return CallableList(same_variables(self._created.variables()))

    def get_weights(self) -> list:
        """The values of the state as arrays."""
        return [variable.numpy() for variable in self.variables]

    def set_weights(self, weights) -> None:
        """Sets the state to these arrays."""
        for variable, value in zip(self.variables, weights, strict=True):
            variable.assign(value)

    def scale_loss(self, loss):
        """The loss times loss_scale_factor, if there is one."""
        if self._created is not None:
            return self._created.scale_loss(loss)
        return loss * self.loss_scale_factor if self.loss_scale_factor else loss

    def finalize_variable_values(self, var_list=None) -> None:
        """At the end of training: with use_ema the weights become their means."""
        if self._created is not None:
            self._created.finalize_variable_values()

    def exclude_from_weight_decay(self, var_list=None, var_names=None) -> None:
        """Turns weight decay off for variables, or for those whose names contain a text."""
        if self._created is not None:
            self._created.exclude_from_weight_decay(list(var_names or ()), list(var_list or ()))

    def _row_config(self) -> dict:
        config = super()._row_config()
        if isinstance(self._rate, LearningRateSchedule):
            config["learning_rate"] = _serialization.serialize_object(self._rate)
        return config

    def get_config(self) -> dict:
        """The settings of the base; a class of your own adds its own."""
        return {"name": self.name, "learning_rate": self._own.rate_setting(),
                "weight_decay": self.weight_decay, "clipnorm": self.clipnorm,
                "clipvalue": self.clipvalue, "global_clipnorm": self.global_clipnorm}

    @classmethod
    def from_config(cls, config: dict, custom_objects=None):
        """An optimizer with these settings."""
        rate = config.get("learning_rate")
        if isinstance(rate, dict):
            from plimsoll.keras.optimizers import schedules

            config = {**config, "learning_rate": schedules.deserialize(rate, custom_objects)}
        return cls(**config)


class CallableList(list):
    """A list that may be called, for optimizer.variables is a method in Keras 2."""

    def __call__(self) -> list:
        return self


def of_handle(handle) -> Optimizer:
    """A Python object for an optimizer that the engine made."""
    from plimsoll.keras._classes import class_for

    kind = class_for("optimizers", handle.class_name) or Optimizer
    optimizer = kind.__new__(kind)
    object.__setattr__(optimizer, "_given", {})
    optimizer._own, optimizer._created = None, handle
    optimizer.name = handle.name
    return optimizer
