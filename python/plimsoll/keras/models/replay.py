"""A step that was not finite, to look at."""
import html
import os

from plimsoll import _core


class ReplayedStep:
    """`cause` is what was found; `operations` are those that ran, in their order, each a dict.

    An operation has `op`, `gradient_of` (in the backward pass), `layer`, `inputs`, `outputs`, `histograms` of the
    outputs, and `file` and `line`, which are "" and 0 if it is none of the script's lines. `print` the step: a row
    that begins with ! is not finite.
    """

    def __init__(self, found: dict, is_part: bool):
        self.step: int = found["step"]
        self.cause: str = found["cause"]
        self.records: list = found["records"]
        self.operations: list = found["operations"]
        self._is_part = is_part

    @classmethod
    def of(cls, model, run: str, step, at: str) -> "ReplayedStep":
        known = _core.bad_steps(run)
        if not known:
            raise ValueError(f"{run}: no step is kept in bad-steps: each loss and gradient was finite, or the run "
                             "kept no checkpoints")
        if step is not None and step not in known:
            raise ValueError(f"{run}: step {step} is not kept (kept: {', '.join(map(str, known))})")
        return cls(_core.replay(model._model, run, known[-1] if step is None else step, at), bool(at))

    def __str__(self) -> str:
        lines = [f"step {self.step}: {self.cause}", ""]
        for operation in self.operations:
            for mark, name, layer, shape, text, line in _rows(operation):
                lines.append(f"{mark} {name:<40} {layer:<24} {shape:<18} {text}" + (f"  at {line}" if line else ""))
            if self._is_part:
                lines += [f"    reads {str(it['shape']):<18} {it['text']}" for it in operation["inputs"]]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        def row(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        body = "".join(row(cells, "td") for operation in self.operations for cells in _rows(operation))
        return (f"<p>step {self.step}: <b>{html.escape(self.cause)}</b></p>"
                f"<table>{row(('', 'operation', 'layer', 'shape', 'numbers', 'line'), 'th')}{body}</table>")


def _rows(operation: dict) -> list:
    """A row for each output; the mark is ! where it is not finite."""
    name = operation["op"]
    if operation["gradient_of"]:
        name += f" (gradient of {operation['gradient_of']})"
    line = f"{os.path.basename(operation['file'])}:{operation['line']}" if operation["line"] else ""
    return [("!" if output["nans"] or output["infinities"] else " ", name, operation["layer"], str(output["shape"]),
             output["text"], line) for output in operation["outputs"]]
