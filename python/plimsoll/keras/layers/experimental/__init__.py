"""keras.layers.experimental: Keras 2's place of layers that are in keras.layers."""
from plimsoll.keras._lazy import forward
from plimsoll.keras.layers.experimental import preprocessing  # noqa: F401

forward(globals(), "plimsoll.keras.layers")
