"""CallbackList: all callbacks of a run as one."""
import math

from plimsoll import _core
from plimsoll.keras.callbacks import state
from plimsoll.keras.callbacks.callback import HOOKS, Callback, hooks_of


class CallbackList:
    """Calls each hook of each callback that has it."""

    def __init__(self, callbacks=None, add_history=False, add_progbar=False, model=None, **params):
        from plimsoll.keras.callbacks.history import History

        callbacks = callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]
        self.callbacks = [each for each in callbacks if each is not None]
        if add_history and not any(isinstance(each, History) for each in self.callbacks):
            self.callbacks.append(History())
        self.model, self.params = model, params
        self._by_hook = {hook: [] for hook in HOOKS}
        for callback in self.callbacks:
            self._take(callback)

    @classmethod
    def of_run(cls, callbacks, model, history, params: dict) -> "CallbackList":
        """Those that a run was given, and its history."""
        listed = list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]
        return cls([*listed, history], model=model, **params)

    def _take(self, callback) -> None:
        from plimsoll.keras.callbacks.history import History

        if not isinstance(callback, Callback) and not hasattr(callback, "set_model"):
            raise ValueError(f"callbacks: expected a keras.callbacks.Callback, found "
                             f"{type(callback).__name__}")
        callback.set_params(self.params)
        if self.model is not None:
            callback.set_model(self.model)
            if isinstance(callback, History):
                self.model.history = callback
        for hook in hooks_of(callback) if isinstance(callback, Callback) else HOOKS:
            self._by_hook[hook].append(callback)

    def set_params(self, params: dict) -> None:
        self.params = params
        for callback in self.callbacks:
            callback.set_params(params)

    def set_model(self, model) -> None:
        self.model = model
        for callback in self.callbacks:
            callback.set_model(model)

    def has(self, hook: str) -> bool:
        return bool(self._by_hook[hook])

    def for_engine(self) -> list:
        """The engine's callback that calls these, which also looks for Ctrl-C, and those that they bring."""
        hooks = [hook for hook in HOOKS if self._by_hook[hook]]
        own = [own for each in self.callbacks for own in getattr(each, "engine_callbacks", list)()]
        return [_core.python_callback(self, [*hooks, "on_bad_record"]), *own]

    def on_bad_record(self, name: str, reason: str, detail: str) -> None:
        """A record is left out; the callbacks that have this hook, which is not Keras's, are told."""
        for callback in self.callbacks:
            hook = getattr(callback, "on_bad_record", None)
            if hook is not None:
                hook(name, reason, detail)

    def get_state(self) -> str:
        """For checkpoints."""
        return state.state_of(self.callbacks)

    def set_state(self, text: str) -> None:
        state.set_state(self.callbacks, text)

    def end_not_finite(self, error, epoch: int) -> None:
        """Ends a run whose loss is not finite in this epoch if a TerminateOnNaN asks for that; else it fails."""
        from plimsoll.keras.callbacks.small import TerminateOnNaN

        found = [each for each in self.callbacks if isinstance(each, TerminateOnNaN)]
        if not found:
            raise error
        found[0].stop(str(error))
        logs = {"loss": math.nan}
        self.on_epoch_end(epoch, logs)
        self.on_train_end(logs)

    def append(self, callback) -> None:
        self.callbacks.append(callback)
        self._take(callback)


def _hook(name: str):
    if "batch" in name or "epoch" in name:
        def call(self, number, logs=None):
            for callback in self._by_hook[name]:
                getattr(callback, name)(number, logs if logs is not None else {})
    else:
        def call(self, logs=None):
            for callback in self._by_hook[name]:
                getattr(callback, name)(logs if logs is not None else {})
    call.__name__ = name
    return call


for _name in HOOKS:
    setattr(CallbackList, _name, _hook(_name))
