"""TensorBoard: event files of a training, written by the engine."""
import os
import time
import warnings

from plimsoll import _core, _findings
from plimsoll.keras.callbacks.callback import Callback
from plimsoll.tensorflow.summary import _values


class TensorBoard(Callback):
    """Writes the numbers of epochs, and of batches if update_freq says so, for TensorBoard.

    It also writes the graph of the model, the samples per second, the memory that the process takes and
    what was planned for it, and with histogram_freq histograms of the weights. Of a run of the engine it writes what
    `plimsoll train --tensorboard` does: hyper-parameters and findings; with `statistics` the loss, the learning rate and
    histograms of weights and gradients of sampled steps; with `bad_records` the records that on_bad_record="skip" leaves
    out, as text and as pictures, for which the plan counts 11 MiB. A run that goes on from a checkpoint leaves no step
    twice. Images of weights, embeddings and profiles are not written, which is said once.
    """

    def __init__(self, log_dir="logs", histogram_freq=0, write_graph=True, write_images=False,
                 write_steps_per_second=False, update_freq="epoch", profile_batch=0,
                 embeddings_freq=0, embeddings_metadata=None, *, statistics=True, bad_records=False):
        super().__init__()
        self.log_dir, self.update_freq = os.fspath(log_dir), update_freq
        self.histogram_freq, self.write_graph = histogram_freq, write_graph
        self.write_steps_per_second = write_steps_per_second
        self._every = 0 if update_freq == "epoch" else 1 if update_freq == "batch" else int(update_freq)
        self._steps = self._steps_at_epoch = 0
        self._board = self._place = None
        self._facts = self._facts_to_come = None  # of the engine's run; a loop in Python has none
        self._began = 0.0
        self._wants_statistics, self._wants_bad_records = bool(statistics), bool(bad_records)
        self._found, self._findings_written = [], 0  # what was found, and how much of that the board has
        left_out = [name for name, value in (
            ("write_images", write_images), ("profile_batch", profile_batch),
            ("embeddings_freq", embeddings_freq)) if value]
        if left_out:
            warnings.warn(f"TensorBoard: {', '.join(left_out)}: Plimsoll writes numbers, histograms and the "
                          "graph, and none of this", stacklevel=2)

    def engine_callbacks(self) -> list:
        """What the engine tells of the run beside its logs."""
        self._facts_to_come = _core.RunFacts()
        self._facts_to_come.statistics = self._wants_statistics
        self._facts_to_come.bad_records = self._wants_bad_records
        self._found, self._findings_written = [], 0
        _findings.listeners.add(self)
        return [self._facts_to_come.callback()]

    def on_train_begin(self, logs=None):
        self._facts, self._facts_to_come = self._facts_to_come, None
        self._board = _core.TrainingBoard(self.log_dir, self._every > 0)
        self._steps, self._place = 0, None
        self._needs_graph = bool(self.write_graph)
        if self._facts is not None:
            self._facts.set_board(self._board)

    def hear_finding(self, *finding) -> None:
        """What is found while the run is prepared and goes on; on any thread."""
        self._found.append(list(finding))

    def _write_findings(self, epoch: int) -> None:
        for finding in self._found[self._findings_written:]:
            self._board.add_finding(*finding, epoch)
            self._findings_written += 1

    def _keep_place(self) -> None:
        self._place = self._board.state() if self._board is not None else None

    def _go_to_place(self) -> None:
        if self._board is not None and self._place is not None:
            self._board.go_on(self._place, "the checkpoint")
        self._began, self._steps_at_epoch = time.monotonic(), self._steps

    def on_epoch_begin(self, epoch, logs=None):
        self._began, self._steps_at_epoch = time.monotonic(), self._steps
        self._write_graph()
        self._write_findings(epoch)

    def _write_graph(self) -> None:
        """Once. A class of the user's own has no graph."""
        model = getattr(self.model, "_model", None)
        if self._needs_graph and isinstance(model, _core.Model):
            self._board.add_graph(model)
        self._needs_graph = False

    def _steps_per_second(self) -> float:
        seconds = time.monotonic() - self._began
        steps = self._steps - self._steps_at_epoch
        return steps / seconds if self.write_steps_per_second and seconds > 0 else 0.0

    def on_train_batch_end(self, batch, logs=None):
        self._steps += 1
        if self._every and self._steps % self._every == 0:
            self._board.add_batch(self._steps, _numbers(logs), self._steps_per_second())

    def on_epoch_end(self, epoch, logs=None):
        rate = getattr(self.model.optimizer, "learning_rate", None)
        rest = {"resident_bytes": float(_core.process_memory()[0]),
                "steps_per_second": self._steps_per_second()}
        if self._facts is not None:
            rest["samples_per_second"] = self._facts.samples_per_second
            rest["planned_bytes"] = float(self._facts.planned_bytes)
        if rate is not None:
            rest["learning_rate"] = float(rate)
        self._board.add_epoch(epoch, _numbers(logs), rest)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            for weight in self.model.weights:
                self._board.add_histogram(weight.path.replace(":", "_") + "/histogram",
                                          *_values.bucket_counts(weight, 30), epoch)
        self._write_findings(epoch)

    def on_train_end(self, logs=None):
        _findings.listeners.discard(self)
        if self._board is not None:
            self._board.add_outcome(False)
            self._board.close()
        if self._facts is not None:
            self._facts.set_board(None)
        self._board = self._facts = None


def _numbers(logs) -> dict:
    return {name: float(value) for name, value in (logs or {}).items()}
