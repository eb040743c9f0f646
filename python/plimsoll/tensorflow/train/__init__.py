"""tf.train: records for TFRecord files, and checkpoints in Plimsoll's own files."""
from plimsoll import _missing

_missing.lazy(globals(), {
    "_example": ["BytesList", "Example", "Feature", "FeatureList", "FeatureLists", "Features",
                 "FloatList", "Int64List", "SequenceExample"],
    "_checkpoint": ["Checkpoint", "CheckpointManager", "CheckpointOptions", "checkpoints_iterator",
                    "get_checkpoint_state", "latest_checkpoint", "list_variables", "load_checkpoint",
                    "load_variable"],
    "_state": ["ClusterSpec", "Coordinator", "ExponentialMovingAverage"],
})
