"""The state of callbacks in checkpoints: what they keep in plain attributes, as JSON.

Numbers, texts, lists, dicts and arrays are kept; anything else (a model, a function, an open file) is
made anew by the program that goes on.
"""
import base64
import json

import numpy as np

_LEFT_OUT = ("params", "_model", "model")


def _is_plain(value) -> bool:
    if value is None or isinstance(value, (bool, int, float, str, np.generic)):
        return True
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biuf"
    if isinstance(value, (list, tuple)):
        return all(_is_plain(each) for each in value)
    return isinstance(value, dict) and all(
        isinstance(key, str) and _is_plain(each) for key, each in value.items())


def _encoded(value):
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
        return {"array": data, "dtype": value.dtype.str, "shape": list(value.shape)}
    if isinstance(value, (list, tuple)):
        return [_encoded(each) for each in value]
    if isinstance(value, dict):
        return {"dict": {key: _encoded(each) for key, each in value.items()}}
    return value


def _decoded(value):
    if isinstance(value, list):
        return [_decoded(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "array" in value:
        data = np.frombuffer(base64.b64decode(value["array"]), dtype=np.dtype(value["dtype"]))
        return data.reshape(value["shape"]).copy()
    return {key: _decoded(each) for key, each in value["dict"].items()}


def state_of(callbacks: list) -> str:
    """What the callbacks know, in their order. One with a file puts its place into an attribute first."""
    for callback in callbacks:
        if hasattr(callback, "_keep_place"):
            callback._keep_place()
    return json.dumps([{name: _encoded(value) for name, value in vars(callback).items()
                        if name not in _LEFT_OUT and _is_plain(value)} for callback in callbacks])


def set_state(callbacks: list, text: str) -> None:
    states = json.loads(text)
    if len(states) != len(callbacks):
        raise ValueError(f"the run had {len(states)} callbacks, and has {len(callbacks)} now")
    for callback, state in zip(callbacks, states):
        for name, value in state.items():
            setattr(callback, name, _decoded(value))
        if hasattr(callback, "_go_to_place"):
            callback._go_to_place()
