"""Keras 2's place of preprocessing layers, which are in keras.layers."""
from plimsoll.keras._lazy import forward

forward(globals(), "plimsoll.keras.layers")
