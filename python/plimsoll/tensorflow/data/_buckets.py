"""bucket_by_sequence_length: batches of elements of about the same length."""

import bisect

import numpy as np

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow.data._structure import map_structure
from plimsoll.tensorflow.data._values import to_array


class Buckets:
    """Functions for group_by_window. Bucket i has lengths from boundary i - 1 up to below i."""

    def __init__(self, length, boundaries, batch_sizes):
        if len(batch_sizes) != len(boundaries) + 1:
            raise ValueError(
                "bucket_by_sequence_length: expected one more entry in bucket_batch_sizes than in "
                f"bucket_boundaries, found {len(batch_sizes)} and {len(boundaries)}"
            )
        self._length, self._boundaries, self._sizes = length, list(boundaries), list(batch_sizes)
        self.padding = (None, None, False, False)
        self.drop_remainder = False

    def number(self, *element):
        length = int(to_array(self._length(*element)))
        return np.asarray(bisect.bisect_right(self._boundaries, length), np.int64)

    def size(self, number) -> int:
        return self._sizes[int(number)]

    def batch(self, number, window):
        size = self.size(number)
        shapes, values, to_boundary, no_padding = self.padding
        if no_padding:
            return window.batch(size, drop_remainder=self.drop_remainder)
        declared = shapes
        if to_boundary:
            shapes = self._boundary_shapes(int(number), window, shapes)
        batches = window.padded_batch(size, shapes, values, drop_remainder=self.drop_remainder)
        batches._stage.declared_shapes = declared
        return batches

    def _boundary_shapes(self, number: int, window, shapes):
        """Unknown sizes become the largest that the bucket takes."""
        if number == len(self._boundaries):
            raise InvalidArgument(
                "bucket_by_sequence_length: an element is longer than the last boundary, so with "
                "pad_to_bucket_boundary there is no length to pad to"
            )
        longest = self._boundaries[number] - 1
        if shapes is None:
            shapes = map_structure(lambda spec: list(spec.shape), window.element_spec)
        return map_structure(
            lambda shape: [longest if size in (None, -1) else size for size in shape], shapes
        )
