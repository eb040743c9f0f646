"""The doctor: why a model does not learn, and which learning rate to begin with."""
import dataclasses
import html
import math


@dataclasses.dataclass(frozen=True)
class Finding:
    """A cause of bad learning: `what` is the evidence in words, `option` the line that removes it, if there is one."""
    cause: str
    severity: str
    confidence: float
    where: dict
    what: str
    evidence: dict
    remedy: str
    option: str

    def __str__(self) -> str:
        return (f"{self.severity} {self.cause} ({self.confidence:.0%})\n  {self.what}\n"
                f"  {self.remedy}" + (f": {self.option}" if self.option else ""))


class Diagnosis:
    """`verdict` is "healthy", "poor" or "failed"; `findings` are the causes, the most likely first."""

    def __init__(self, found: dict):
        self.verdict: str = found["verdict"]
        self.skill = found["skill"]
        self.findings = [Finding(**each) for each in found["findings"]]

    def __iter__(self):
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        return True

    def _title(self) -> str:
        if self.skill is None:
            return self.verdict
        return f"{self.verdict}: {self.skill:.0%} of the way from a constant answer to a perfect one was made"

    def __str__(self) -> str:
        return "\n\n".join([self._title(), *map(str, self.findings)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        def row(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

        head = row(["severity", "cause", "confidence", "evidence", "remedy", "option"], "th")
        body = "".join(row([it.severity, it.cause, f"{it.confidence:.0%}", it.what, it.remedy, it.option], "td")
                       for it in self.findings)
        return f"<p><b>{html.escape(self._title())}</b></p>" + (f"<table>{head}{body}</table>" if body else "")


@dataclasses.dataclass(frozen=True)
class FoundLearningRate:
    """`learning_rate` is None if the loss fell at no rate; `rates` and `losses` are what was tried."""
    learning_rate: float | None
    how: str
    rates: list = dataclasses.field(repr=False)
    losses: list = dataclasses.field(repr=False)


def doctor(model, x=None, y=None, *, history=None, thresholds=None) -> Diagnosis:
    """Says why `model`, which is compiled, learns badly, or what will go wrong with it.

    `history` is what fit returned. After fit(…, doctor=True) it has the statistics of layers too, so that
    more causes are known. Without it the model is looked at before any training.
    """
    from plimsoll import _core

    model._require_compiled("doctor()")
    records = None if x is None else _records(model, x, y, "doctor")
    data = _core.no_data() if records is None else records.dataset
    watching = getattr(history, "doctor", None)
    return Diagnosis(_core.diagnose(
        model._model, data, watching, _epochs(history), _batch_size(history, records),
        getattr(history, "_is_shuffled", True), getattr(history, "_has_class_weights", False), dict(thresholds or {})))


def _batch_size(history, records) -> int:
    """That of the run, by its plan; else that of the data, which may come in batches."""
    plan = getattr(history, "plan", None)
    if plan is not None:
        return plan.batch_size
    if records is not None and (records.batch_size or records.stream):
        return records.batch_size or records.stream.batch_size
    steps = (getattr(history, "params", None) or {}).get("steps")
    return 32 if records is None or not steps else math.ceil(records.count / steps)


def find_learning_rate(model, x, y=None, *, batch_size=None, steps=150, least=1e-7,
                       largest=10.0) -> FoundLearningRate:
    """Tries rates from tiny to huge, one per step, and proposes one. The model is as before afterwards."""
    from plimsoll import _core

    model._require_compiled("find_learning_rate()")
    records = _records(model, x, y, "find_learning_rate")
    return FoundLearningRate(**_core.find_learning_rate(
        model._model, records.dataset, records.batch_size or batch_size, steps, least, largest))


def _records(model, x, y, what: str):
    from plimsoll.keras.models import data

    records = data.for_engine(model, x, y, None, None, what)
    model._build_for(records)
    return records


def _epochs(history) -> list:
    """The metrics of each epoch."""
    logs = getattr(history, "history", history) or {}
    count = max((len(values) for values in logs.values()), default=0)
    return [{name: float(values[i]) for name, values in logs.items() if i < len(values)} for i in range(count)]
