"""The memory plan of a run, to look at."""
import html

from plimsoll import _core


class MemoryPlan:
    """What a training step takes, in bytes, before the first one runs."""

    def __init__(self, found: dict):
        self._found = found

    @classmethod
    def of(cls, model, x, y, batch_size: int, memory):
        from plimsoll.keras.models import data

        budget = None if memory is None else _core.memory_budget(str(memory))
        if x is None:
            specs, names, targets = data.specs_of_model(model)
        else:
            records = data.for_engine(model, x, y, None, batch_size, "plan")
            specs, names, targets = records.specs, records.names, records.targets
        return cls(model._model.plan(specs, batch_size, names, targets, budget))

    def __getattr__(self, name: str):
        if name in self._found:
            return self._found[name]
        raise AttributeError(f"a memory plan has no '{name}' (it has {', '.join(self._found)})")

    def __str__(self) -> str:
        return self._found["text"]

    __repr__ = __str__

    def _repr_html_(self) -> str:
        def row(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

        columns = ("weight_bytes", "gradient_bytes", "optimizer_bytes", "activation_bytes",
                   "live_at_peak_bytes", "scratch_bytes")
        head = row(["layer", *(name.removesuffix("_bytes").replace("_", " ") for name in columns)], "th")
        body = "".join(row([layer["layer"], *(_core.format_bytes(layer[name]) for name in columns)], "td")
                       for layer in self._found["layers"])
        peak = _core.format_bytes(self._found["peak_bytes"])
        return (f"<p>planned peak <b>{peak}</b> at a batch of {self._found['batch_size']}</p>"
                f"<table>{head}{body}</table>")
