"""What the trainer reads batches from.

    ('source', source, batch_size, spec)    records with random access, read by the engine's threads
    ('stream', factory, spec, batches)      factory() is an iterator of nested batches of arrays;
                                            batches is their number, or None

`spec` is the spec of a batch. The fields of a source are in the order of flatten(spec), which sorts
the keys of dicts; so does the spec itself.
"""

from collections.abc import Mapping

from plimsoll.tensorflow.data._lower import Lowered, lowered
from plimsoll.tensorflow.data._stage import Stage


def for_fit(stage: Stage):
    found: Lowered | None = lowered(stage)
    if found is not None and found.batch_size is not None:
        return "source", found.source, found.batch_size, _sorted(stage.spec())
    size = stage.cardinality()
    return "stream", stage.open, stage.spec(), None if size < 0 else size


def _sorted(spec):
    if isinstance(spec, Mapping):
        return {key: _sorted(spec[key]) for key in sorted(spec)}
    return tuple(_sorted(item) for item in spec) if isinstance(spec, tuple) else spec
