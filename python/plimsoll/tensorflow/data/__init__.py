"""tf.data: pipelines of data for models and loops."""

from plimsoll import _missing

_missing.lazy(
    globals(),
    {
        "dataset": ["AUTOTUNE", "Dataset", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY"],
        "iterator": ["Iterator", "IteratorSpec", "NumpyIterator"],
        "options": ["Options", "ThreadingOptions"],
        "readers": ["TFRecordDataset", "TextLineDataset"],
        "plimsoll.tensorflow.data._stage": ["DatasetSpec"],
    },
    modules=["experimental"],
)
