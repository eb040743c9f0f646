"""History: the numbers of every epoch, which fit returns."""
import weakref

from plimsoll import _core
from plimsoll.keras.callbacks.callback import Callback


class History(Callback):
    """`history.history["loss"]` has a number for each epoch; `plan` is the memory plan of the run; a
    loop in Python has none.

    `left_out` names the records that were left out, each as (name, reason, detail).
    """

    def __init__(self):
        super().__init__()
        self.history: dict = {}
        self.epoch: list = []
        self.plan = self.measured_peak_bytes = self.step_seconds = None
        self.left_out: list = []

    # The model holds its history: a cycle would wait for a collection.
    def set_model(self, model) -> None:
        self._weak_model = weakref.ref(model)

    @property
    def model(self):
        known = self.__dict__.get("_weak_model")
        return None if known is None else known()

    def on_epoch_end(self, epoch, logs=None):
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)

    def on_bad_record(self, name: str, reason: str, detail: str) -> None:
        self.left_out.append((name, reason, detail))

    def take_loop(self, step_seconds: float) -> None:
        """What a loop in Python knows of the run."""
        self.measured_peak_bytes, self.step_seconds = _core.process_memory()[1], step_seconds

    def take(self, found: dict) -> None:
        """What the engine says of the run."""
        from plimsoll.keras.models.plan import MemoryPlan

        self.plan = MemoryPlan(found["plan"])
        self.measured_peak_bytes = found["measured_peak_bytes"]
        self.step_seconds = found["step_seconds"]
        order = {name: values for name, values in self.history.items()}
        self.history = {name: order[name] for name in sorted(
            order, key=lambda name: (name.startswith("val_"), name != "loss", name))}
