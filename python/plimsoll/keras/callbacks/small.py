"""LambdaCallback and TerminateOnNaN."""
import math

from plimsoll.keras.callbacks.callback import Callback


class LambdaCallback(Callback):
    """Hooks as functions."""

    def __init__(self, on_epoch_begin=None, on_epoch_end=None, on_train_begin=None, on_train_end=None,
                 on_train_batch_begin=None, on_train_batch_end=None, **kwargs):
        super().__init__()
        hooks = {"on_epoch_begin": on_epoch_begin, "on_epoch_end": on_epoch_end,
                 "on_train_begin": on_train_begin, "on_train_end": on_train_end,
                 "on_train_batch_begin": on_train_batch_begin or kwargs.pop("on_batch_begin", None),
                 "on_train_batch_end": on_train_batch_end or kwargs.pop("on_batch_end", None)}
        for name, function in {**hooks, **kwargs}.items():
            if function is not None:
                setattr(self, name, function)


class TerminateOnNaN(Callback):
    """Stops when the loss is not a number. The step that made it changed no weight.

    With raise_error it raises a RuntimeError instead.
    """

    def __init__(self, raise_error: bool = False):
        super().__init__()
        self.raise_error = raise_error

    def on_train_batch_end(self, batch, logs=None):
        loss = (logs or {}).get("loss")
        if loss is not None and not math.isfinite(loss):
            self.stop(f"batch {batch}: the loss is {loss}")

    def stop(self, reason: str) -> None:
        """Ends the training; called by fit() too, when the engine refuses a step for such a loss."""
        if self.raise_error:
            raise RuntimeError(f"TerminateOnNaN: {reason}")
        print(f"TerminateOnNaN: {reason}; training ends")
        self.model.stop_training = True
