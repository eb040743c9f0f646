"""keras.callbacks: what happens while a model is trained."""
from plimsoll import _missing

_missing.lazy(globals(), {
    "callback": ["Callback"],
    "callback_list": ["CallbackList"],
    "early_stopping": ["EarlyStopping"],
    "files": ["BackupAndRestore", "ModelCheckpoint", "SwapEMAWeights"],
    "history": ["History"],
    "learning_rates": ["LearningRateScheduler", "ReduceLROnPlateau"],
    "logs": ["CSVLogger", "ProgbarLogger", "RemoteMonitor"],
    "small": ["LambdaCallback", "TerminateOnNaN"],
    "tensor_board": ["TensorBoard"],
})
