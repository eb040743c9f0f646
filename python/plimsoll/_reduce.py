"""The smallest case of a training that fails or learns badly."""
import os

from plimsoll import _core


class ReducedCase:
    """A case that `reduce` has written: `folder` holds model.keras, data.npz and README.md."""

    def __init__(self, folder: str, found: dict) -> None:
        self.folder = folder
        self.kind = found["failure"]["kind"]      # "not_finite", "bad_record", "diagnosis"
        self.cause = found["failure"]["cause"]    # the operation, the flaw, the doctor's cause
        self.what = found["failure"]["what"]
        self.records = found["records"]
        self.size, self.original_size = found["size"], found["from"]
        self.commands = found["commands"]
        self.is_minimal = found["is_minimal"]

    def __repr__(self) -> str:
        return (f"<ReducedCase {self.folder!r}: {self.kind} {self.cause}, {self.size['records']} record(s), "
                f"{self.size['layers']} layer(s)>")


def reduce(model, x, y=None, *, epochs=1, batch_size=None, shuffle=True, sample_weight=None, seed=0,
           allow_nan=False, out="case", seconds=120.0) -> ReducedCase:
    """Finds the fewest records, the smallest model and the earliest step with which model.fit(x, y, …) still fails,
    or learns badly, in the same way, and writes them to the folder `out`.

    ValueError (plimsoll.InvalidArgument) where nothing fails. Ctrl-C ends the search with the smallest case so far.
    The model is not changed.
    """
    import json

    from plimsoll.keras.models import data

    model._require_compiled("reduce()")
    records = data.for_engine(model, x, y, sample_weight, batch_size, "reduce")
    model._build_for(records)
    out = os.path.abspath(os.fspath(out))
    with data.closing(records):
        text = _core.reduce(model._model, records.dataset, out, int(epochs), records.batch_size or batch_size,
                            bool(shuffle) and records.may_shuffle, int(seed), bool(allow_nan), float(seconds))
    return ReducedCase(out, json.loads(text))
