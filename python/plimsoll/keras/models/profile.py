"""Where the time of training steps goes."""
import html
import json

from plimsoll import _core
from plimsoll.keras.callbacks.callback import Callback

_WARM_UP = 3  # steps before those that are measured


class _Measuring(Callback):
    """Hands the engine its profiler."""

    def __init__(self, profiler):
        super().__init__()
        self._profiler = profiler

    def engine_callbacks(self) -> list:
        return [self._profiler.callback()]


class StepProfile:
    """The time of a training step by operation and by layer: `print` it, or look at `operations`."""

    def __init__(self, profiler):
        self._profiler = profiler
        self._found = json.loads(profiler.json())

    @classmethod
    def of(cls, model, x, y, batch_size, steps: int, memory):
        profiler = _core.Profiler(steps)
        model.fit(x, y, batch_size=batch_size, epochs=_WARM_UP + steps, verbose=0, memory=memory,
                  callbacks=[_Measuring(profiler)])
        return cls(profiler)

    def table(self, by: str = "operation", rows: int = 20) -> str:
        """The longest first; `by` is "operation" or "layer"."""
        if by not in ("operation", "layer"):
            raise ValueError(f"by: expected 'operation' or 'layer', found {by!r}")
        return self._profiler.table(by == "layer", rows)

    def save_trace(self, path) -> None:
        """Writes what each thread did and when, and what was live in the arena, for ui.perfetto.dev."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._profiler.trace())

    def __getattr__(self, name: str):
        if name in self._found:
            return self._found[name]
        raise AttributeError(f"a profile has no '{name}' (it has {', '.join(self._found)})")

    def __str__(self) -> str:
        return self.table()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.table())}</pre>"
