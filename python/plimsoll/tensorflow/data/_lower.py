"""Pipelines whose records the engine itself can read, as a source of the engine.

Records are lowered as they are. Batches of them are too, as long as cutting the records anew into
batches of that size gives the same batches.
"""

from dataclasses import dataclass, replace

import numpy as np

from plimsoll import _core
from plimsoll.tensorflow.data import _order
from plimsoll.tensorflow.data._ahead import PrefetchStage
from plimsoll.tensorflow.data._batches import BatchStage
from plimsoll.tensorflow.data._cache import CacheStage
from plimsoll.tensorflow.data._shuffle import ShuffleStage
from plimsoll.tensorflow.data._sources import ArraysStage, RangeStage
from plimsoll.tensorflow.data._stage import Stage
from plimsoll.tensorflow.data._structure import flatten


@dataclass(frozen=True)
class Lowered:
    source: object  # a _core.Source
    size: int  # its records
    batch_size: int | None = None  # None: its elements are not batched yet

    def records_of(self, batches: int) -> int:
        """How many records the first `batches` elements have."""
        return min(batches * (self.batch_size or 1), self.size)

    @property
    def is_whole(self) -> bool:
        """True if every batch is full, so that batches can be joined."""
        return self.batch_size is None or self.size % self.batch_size == 0


def lowered(stage: Stage, frozen: bool = False) -> Lowered | None:
    """None where the engine cannot read the records, or would make other batches of them.

    frozen: the order must not change from pass to pass.
    """
    lower = _LOWER.get(type(stage))
    if lower is not None:
        return lower(stage, frozen)
    source = stage.engine_source()
    return None if source is None else Lowered(source, stage.cardinality())


def _arrays(stage: ArraysStage, frozen: bool) -> Lowered | None:
    # The engine reads numbers of arrays in the byte order of the machine.
    if not all(a.dtype.kind in "biuf" and a.dtype.isnative for a in flatten(stage.arrays)):
        return None
    return Lowered(_core.from_arrays(flatten(stage.arrays)), stage.cardinality())


def _range(stage: RangeStage, frozen: bool) -> Lowered:
    numbers = np.arange(
        stage.numbers.start, stage.numbers.stop, stage.numbers.step, stage.dtype.as_numpy_dtype
    )
    return Lowered(_core.from_arrays([numbers]), len(numbers))


def _take(stage: _order.TakeStage, frozen: bool) -> Lowered | None:
    inner = lowered(stage.inner, frozen)
    if inner is None or stage.count < 0:
        return inner
    count = inner.records_of(stage.count)
    return replace(inner, source=inner.source.take(count), size=count)


def _skip(stage: _order.SkipStage, frozen: bool) -> Lowered | None:
    inner = lowered(stage.inner, frozen)
    if inner is None:
        return None
    count = inner.size if stage.count < 0 else inner.records_of(stage.count)
    return replace(inner, source=inner.source.skip(count), size=inner.size - count)


def _shard(stage: _order.ShardStage, frozen: bool) -> Lowered | None:
    inner = lowered(stage.inner, frozen)
    if inner is None or inner.batch_size is not None:
        return None
    return replace(
        inner, source=inner.source.shard(stage.count, stage.index), size=stage.cardinality()
    )


def _repeat(stage: _order.RepeatStage, frozen: bool) -> Lowered | None:
    inner = lowered(stage.inner, frozen)
    if inner is None or stage.count < 0 or not inner.is_whole:
        return None
    return replace(inner, source=inner.source.repeat(stage.count), size=inner.size * stage.count)


def _concatenate(stage: _order.ConcatenateStage, frozen: bool) -> Lowered | None:
    first, second = (lowered(part, frozen) for part in stage.inputs)
    if first is None or second is None or first.batch_size != second.batch_size:
        return None
    if not first.is_whole or stage.inputs[0].spec() != stage.inputs[1].spec():
        return None
    return replace(
        first, source=first.source.concatenate(second.source), size=first.size + second.size
    )


def _zip(stage: _order.ZipStage, frozen: bool) -> Lowered | None:
    parts = [lowered(part, frozen) for part in stage.inputs]
    if any(part is None or part.batch_size != parts[0].batch_size for part in parts):
        return None
    size = min(part.size for part in parts)
    # Batches side by side have as many records each, so none may end within one.
    if (
        parts[0].batch_size
        and len({part.size for part in parts}) > 1
        and size % parts[0].batch_size
    ):
        return None
    source = parts[0].source
    for part in parts[1:]:
        source = source.zip(part.source)
    return replace(parts[0], source=source, size=size)


def _shuffle(stage: ShuffleStage, frozen: bool) -> Lowered | None:
    inner = lowered(stage.inner, frozen)
    if inner is None or stage.buffer_size == 1:
        return inner
    if inner.batch_size is not None:
        return None
    passes = stage.passes
    source = inner.source.shuffle(passes.next_seed(), passes.another_each_time and not frozen)
    return replace(inner, source=source)


def _batch(stage: BatchStage, frozen: bool) -> Lowered | None:
    inner = lowered(stage.inner, frozen)
    if inner is None or inner.batch_size is not None:
        return None
    if stage.drop_remainder and inner.size % stage.size:
        size = inner.size - inner.size % stage.size
        inner = replace(inner, source=inner.source.take(size), size=size)
    return replace(inner, batch_size=stage.size)


def _same(stage: Stage, frozen: bool) -> Lowered | None:
    return lowered(stage.inner, frozen)


def _cache(stage: CacheStage, frozen: bool) -> Lowered | None:
    # What is in memory is its own cache, but for the order.
    return lowered(stage.inner, frozen=True)


_LOWER = {
    ArraysStage: _arrays,
    RangeStage: _range,
    _order.TakeStage: _take,
    _order.SkipStage: _skip,
    _order.ShardStage: _shard,
    _order.RepeatStage: _repeat,
    _order.ConcatenateStage: _concatenate,
    _order.ZipStage: _zip,
    ShuffleStage: _shuffle,
    BatchStage: _batch,
    PrefetchStage: _same,
    CacheStage: _cache,
}
