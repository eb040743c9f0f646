"""Stage: one step of a pipeline. A data set is a tree of them, and none of them ever changes."""

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._specs import TensorShape, TensorSpec, TypeSpec
from plimsoll.tensorflow.data._records import Records, iterate
from plimsoll.tensorflow.data._structure import map_structure
from plimsoll.tensorflow.data._values import spec_of

INFINITE = -1
UNKNOWN = -2


class DatasetSpec(TypeSpec):
    """The spec of a data set that is itself an element, as window() makes them."""

    def __init__(self, element_spec, dataset_shape=()):
        self.element_spec = element_spec
        self._shape = TensorShape(dataset_shape)

    def __eq__(self, other) -> bool:
        return isinstance(other, DatasetSpec) and self.element_spec == other.element_spec

    def __hash__(self) -> int:
        return hash(DatasetSpec)

    def __repr__(self) -> str:
        return f"DatasetSpec({self.element_spec!r}, {self._shape!r})"


class Stage:
    """A source of elements, or a step on those of `inner`.

    A stage overrides records() if its records can be read in any order, and sequence() otherwise.
    An element is a nested structure of arrays; a leaf may also be a Dataset or None.
    """

    # True if making an element takes long enough that a thread should do so ahead of its use.
    works = False
    _peeked = None
    _first_spec = None

    def __init__(self, *inputs: "Stage"):
        self.inputs = inputs

    @property
    def inner(self) -> "Stage":
        return self.inputs[0]

    def spec(self):
        """The spec of an element; the first element is made if nothing else says it."""
        return self.peeked_spec()

    def cardinality(self) -> int:
        return UNKNOWN

    def records(self) -> Records | None:
        """The records of a new pass, or None if they come one after the other only."""
        return None

    def engine_source(self):
        """The records as a source that the engine reads itself, or None if only Python can."""
        return None

    def sequence(self):
        """The elements of a new pass, where there are no records."""
        raise NotImplementedError

    def elements(self):
        """The elements of a new pass."""
        records = self.records()
        return self.sequence() if records is None else iterate(records)

    def open(self):
        """As elements(), beginning with the element that was made early for its spec."""
        peeked, self._peeked = self._peeked, None
        return peeked if peeked is not None else self.elements()

    def first(self):
        """The first element of the next pass, which is made now and given then."""
        if self._peeked is None:
            elements = self.elements()
            try:
                self._peeked = _Resumed(next(elements), elements)
            except StopIteration:
                raise InvalidArgument(
                    "the data set is empty, so the spec of its elements is not known"
                ) from None
        return self._peeked.first

    def peeked_spec(self):
        if self._first_spec is None:
            self._first_spec = self.find_spec()
        return self._first_spec

    def find_spec(self):
        """The spec as far as the first element shows it."""
        return spec_of(self.first())

    def any_works(self) -> bool:
        return self.works or any(stage.any_works() for stage in self.inputs)


class _Resumed:
    """An iterator whose first element was taken already."""

    def __init__(self, first, rest):
        self.first, self._rest, self._given = first, rest, False

    def __iter__(self):
        return self

    def __next__(self):
        if self._given:
            return next(self._rest)
        self._given, first, self.first = True, self.first, None
        return first

    def close(self) -> None:
        close = getattr(self._rest, "close", None)
        if close is not None:
            close()


def with_axis(spec, size: int | None):
    """The spec of several elements together."""

    def longer(leaf):
        if not isinstance(leaf, TensorSpec):
            return leaf
        return TensorSpec(TensorShape([size]).concatenate(leaf.shape), leaf.dtype)

    return map_structure(longer, spec)


def without_axis(spec):
    """The spec of one of the elements of a batch."""

    def shorter(leaf):
        if not isinstance(leaf, TensorSpec):
            return leaf
        if leaf.shape.rank == 0:
            raise InvalidArgument("unbatch: a component has no axis to take apart")
        return TensorSpec(leaf.shape[1:], leaf.dtype)

    return map_structure(shorter, spec)


def merged_spec(first, second):
    """A spec that the elements of both have. TypeError if structures or types differ."""
    try:
        return map_structure(lambda a, b: a.most_specific_compatible_type(b), first, second)
    except (ValueError, AttributeError) as error:
        if first == second:
            return first
        raise TypeError(
            f"Incompatible dataset elements: the first data set has {first}, the second {second}"
        ) from error


def least(*sizes: int) -> int:
    """The cardinality of several data sets side by side."""
    if any(size == 0 for size in sizes):
        return 0
    if any(size == UNKNOWN for size in sizes):
        return UNKNOWN
    finite = [size for size in sizes if size != INFINITE]
    return min(finite) if finite else INFINITE
