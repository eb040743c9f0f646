"""Runs the public tests of Keras, from a folder with Keras's sources, against plimsoll.keras."""
