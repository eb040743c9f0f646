"""keras.optimizers.legacy: Keras 2's place of optimizers, which are the same ones here."""
from plimsoll.keras._lazy import forward

forward(globals(), "plimsoll.keras.optimizers")
