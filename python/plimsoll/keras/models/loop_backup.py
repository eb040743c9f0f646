"""BackupAndRestore of a loop in Python: a checkpoint after each epoch, from which the next process goes on."""
import os

from plimsoll.keras.optimizers import Optimizer


class LoopBackup:
    """What is kept: weights, optimizers, callbacks with the history, random numbers and the number of epochs."""

    def __init__(self, backup, model, callbacks):
        from plimsoll.tensorflow.train import Checkpoint, CheckpointManager

        if backup.steps is not None:
            raise ValueError(f"{model.name}: a model with a step or an optimizer of its own, or with run_eagerly, runs "
                             "in a Python loop, which keeps a checkpoint after each epoch; leave save_freq out")
        self._backup, self._callbacks, self.epochs_done = backup, callbacks, 0
        optimizers = {name: value for name, value in vars(model).items() if isinstance(value, Optimizer)}
        if model.optimizer is not None:
            optimizers["optimizer"] = model.optimizer
        self._manager = CheckpointManager(Checkpoint(model=model, progress=self, **optimizers),
                                          os.path.join(backup.folder, "checkpoints"), max_to_keep=2)

    def restore(self) -> int:
        """Goes to the newest checkpoint that is whole; the epochs that are done, 0 without one."""
        self._manager.restore_or_initialize()
        return self.epochs_done

    def save(self, epochs_done: int) -> None:
        self.epochs_done = epochs_done
        self._manager.save(epochs_done)

    def end(self) -> None:
        """The run is done."""
        self._backup.end()

    def has_checkpoint(self) -> bool:
        return self._manager.latest_checkpoint is not None

    def checkpoint_state(self) -> dict:
        return {"epochs_done": self.epochs_done, "callbacks": self._callbacks.get_state()}

    def set_checkpoint_state(self, state: dict) -> None:
        self.epochs_done = state["epochs_done"]
        self._callbacks.set_state(state["callbacks"])
