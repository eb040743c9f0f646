"""The models that train under a memory limit: the same for Plimsoll, Keras and PyTorch."""

from dataclasses import dataclass

THREADS = 2


@dataclass(frozen=True)
class Case:
    batch: int
    shape: tuple  # of one record's input
    limit_mib: int
    classes: int = 10
    vocabulary: int = 0  # inputs are words; 0: they are float32
    steps: int = 2


CASES = {
    "cnn": Case(512, (224, 224, 3), 192),
    "lstm": Case(512, (50, 10), 48, classes=2),
    "lstm_long": Case(512, (1000, 10), 224, classes=2),
    "resnet50": Case(32, (224, 224, 3), 1024),
    "mobilenet_v2": Case(64, (224, 224, 3), 1024),
    "encoder": Case(64, (256,), 1536, vocabulary=8000, steps=1),
}
# Of the encoder.
LAYERS, WIDTH, HEADS, HIDDEN = 12, 512, 8, 2048
LSTM_UNITS = 256
