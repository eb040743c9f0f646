"""Stages that put elements together and take them apart."""

import itertools
from collections import deque

import numpy as np

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._specs import TensorSpec
from plimsoll.tensorflow.data._records import BatchRecords, row, stacked
from plimsoll.tensorflow.data._sources import ListStage
from plimsoll.tensorflow.data._stage import DatasetSpec, Stage, with_axis, without_axis
from plimsoll.tensorflow.data._structure import (
    flatten,
    is_nested,
    map_structure,
    map_up_to,
    pack,
)
from plimsoll.tensorflow.data._values import to_array


def checked_size(size, stage: str) -> int:
    size = int(size)
    if size < 1:
        raise InvalidArgument(f"{stage}: Batch size must be greater than zero, found {size}")
    return size


class _Groups:
    """An iterator of lists of elements that can go on after an error of its input."""

    def __init__(self, elements, size: int, drop_remainder: bool, put_together):
        self._elements, self._size = elements, size
        self._least = size if drop_remainder else 1
        self._put_together = put_together

    def __iter__(self):
        return self

    def __next__(self):
        group = list(itertools.islice(self._elements, self._size))
        if len(group) < self._least:
            raise StopIteration
        return self._put_together(group)


class BatchStage(Stage):
    """`size` elements stacked; the last batch may be smaller."""

    def __init__(self, inner: Stage, size, drop_remainder: bool):
        super().__init__(inner)
        self.size = checked_size(size, "batch")
        self.drop_remainder = drop_remainder

    def spec(self):
        spec = self.inner.spec()
        if any(isinstance(leaf, DatasetSpec) for leaf in flatten(spec)):
            raise InvalidArgument(
                "batch: data sets cannot be stacked; after window() use "
                "flat_map(lambda window: window.batch(size))"
            )
        return with_axis(spec, self.size if self.drop_remainder else None)

    def cardinality(self) -> int:
        return batches(self.inner.cardinality(), self.size, self.drop_remainder)

    def records(self):
        records = self.inner.records()
        if records is None:
            return None
        return BatchRecords(
            records, self.size, batches(records.size, self.size, self.drop_remainder)
        )

    def sequence(self):
        return _Groups(self.inner.open(), self.size, self.drop_remainder, stacked)


def batches(elements: int, size: int, drop_remainder: bool) -> int:
    if elements < 0:
        return elements
    return elements // size if drop_remainder else -(-elements // size)


class PaddedBatchStage(Stage):
    """`size` elements, each padded to the given shape, or to the longest of the batch."""

    def __init__(self, inner: Stage, size, shapes, values, drop_remainder: bool):
        super().__init__(inner)
        self._size = checked_size(size, "padded_batch")
        self._shapes, self._values, self._drop_remainder = shapes, values, drop_remainder
        # What the spec says, where the shapes of this data set are not those of all.
        self.declared_shapes = shapes

    def spec(self):
        spec = self.inner.spec()
        shapes = _by_leaf(spec, self.declared_shapes, "padded_shapes")
        found = [
            leaf if asked is None else TensorSpec(_sizes(asked), leaf.dtype)
            for leaf, asked in zip(flatten(spec), shapes)
        ]
        return with_axis(pack(spec, found), self._size if self._drop_remainder else None)

    def cardinality(self) -> int:
        return batches(self.inner.cardinality(), self._size, self._drop_remainder)

    def sequence(self):
        return _Groups(self.inner.open(), self._size, self._drop_remainder, self._padded)

    def _padded(self, group: list):
        columns = zip(*(flatten(element) for element in group))
        shapes = _by_leaf(group[0], self._shapes, "padded_shapes")
        values = self._values
        if values is not None and not is_nested(values):
            values = map_structure(lambda _: self._values, group[0])
        values = _by_leaf(group[0], values, "padding_values")
        return pack(group[0], [_pad(*column) for column in zip(columns, shapes, values)])


def _by_leaf(like, given, name: str) -> list:
    """One entry per component, in the order of flatten(); None where nothing is given."""
    if given is None:
        return [None] * len(flatten(like))
    try:
        # Lists are entries here, so each is wrapped for flatten() to leave it alone.
        return [entry[0] for entry in flatten(map_up_to(like, lambda value: [value], given))]
    except ValueError as error:
        raise InvalidArgument(
            f"padded_batch: {name} must have the structure of an element: {error}"
        ) from error


def _sizes(shape) -> list:
    return [None if size is None or int(size) < 0 else int(size) for size in _axes(shape)]


def _axes(shape):
    return shape if hasattr(shape, "__iter__") else [shape]


def _pad(leaves, asked, value) -> np.ndarray:
    longest = [max(sizes) for sizes in zip(*(leaf.shape for leaf in leaves))]
    if any(leaf.ndim != len(longest) for leaf in leaves):
        raise InvalidArgument(
            "padded_batch: the elements of a batch differ in their number of axes"
        )
    shape = longest
    if asked is not None:
        sizes = _sizes(asked)
        if len(sizes) != len(longest):
            raise InvalidArgument(
                f"padded_batch: padded_shapes has {len(sizes)} axes, the elements {len(longest)}"
            )
        shape = [n if size is None else size for n, size in zip(longest, sizes)]
    if any(size < n for size, n in zip(shape, longest)):
        raise InvalidArgument(
            f"padded_batch: Attempted to pad to a smaller size than the input element: {shape} is "
            f"smaller than {longest}"
        )
    if value is None:
        value = b"" if leaves[0].dtype == object else 0
    else:
        value = to_array(value).astype(leaves[0].dtype)[()]
    batch = np.full((len(leaves), *shape), value, leaves[0].dtype)
    for place, leaf in enumerate(leaves):
        batch[(place, *map(slice, leaf.shape))] = leaf
    return batch


class UnbatchStage(Stage):
    """The elements that batches are made of."""

    def spec(self):
        return without_axis(self.inner.spec())

    def cardinality(self) -> int:
        size = self.inner.cardinality()
        if size <= 0:
            return size
        rows = {leaf.shape[0] for leaf in flatten(self.inner.spec()) if leaf.shape.rank}
        known = rows - {None}
        return size * known.pop() if len(known) == 1 else -2

    def sequence(self):
        for batch in self.inner.open():
            leaves = flatten(batch)
            if any(leaf.ndim == 0 for leaf in leaves):
                raise InvalidArgument("unbatch: a component has no axis to take apart")
            if len({len(leaf) for leaf in leaves}) > 1:
                raise InvalidArgument("unbatch: the components of a batch differ in their length")
            for place in range(len(leaves[0])):
                yield row(batch, place)


class RebatchStage(Stage):
    """Batches in other sizes, which are used in turn."""

    def __init__(self, inner: Stage, sizes, drop_remainder: bool):
        super().__init__(inner)
        sizes = np.atleast_1d(np.asarray(sizes)).tolist()
        self._sizes = [checked_size(size, "rebatch") for size in sizes]
        self._drop_remainder = drop_remainder

    def spec(self):
        size = self._sizes[0] if self._drop_remainder and len(set(self._sizes)) == 1 else None
        return with_axis(without_axis(self.inner.spec()), size)

    def sequence(self):
        rows = UnbatchStage(self.inner).sequence()
        for size in itertools.cycle(self._sizes):
            group = list(itertools.islice(rows, size))
            if not group or (self._drop_remainder and len(group) < size):
                return
            yield stacked(group)


class WindowStage(Stage):
    """Data sets of neighbouring elements, one for each component of an element."""

    def __init__(self, inner: Stage, size: int, shift: int, stride: int, drop_remainder: bool):
        super().__init__(inner)
        for value, name in ((size, "size"), (shift, "shift"), (stride, "stride")):
            if value < 1:
                raise InvalidArgument(f"window: {name} must be greater than zero, found {value}")
        self._size, self._shift, self._stride = size, shift, stride
        self._drop_remainder = drop_remainder

    def spec(self):
        return map_structure(DatasetSpec, self.inner.spec())

    def cardinality(self) -> int:
        size = self.inner.cardinality()
        if size < 0:
            return size
        if not self._drop_remainder:
            return -(-size // self._shift)
        span = (self._size - 1) * self._stride + 1
        return 0 if size < span else (size - span) // self._shift + 1

    def sequence(self):
        span = (self._size - 1) * self._stride + 1
        elements, buffer = self.inner.open(), deque()
        while True:
            buffer.extend(itertools.islice(elements, span - len(buffer)))
            if not buffer or (self._drop_remainder and len(buffer) < span):
                return
            yield self._window(list(itertools.islice(buffer, 0, span, self._stride)))
            for _ in range(min(self._shift, len(buffer))):
                buffer.popleft()
            if self._shift > span:
                deque(itertools.islice(elements, self._shift - span), maxlen=0)

    def _window(self, elements: list):
        from plimsoll.tensorflow.data.dataset import Dataset

        columns = zip(*(flatten(element) for element in elements))
        specs = flatten(self.inner.spec())
        stages = [ListStage(list(column), spec) for column, spec in zip(columns, specs)]
        return pack(elements[0], [Dataset(stage) for stage in stages])
