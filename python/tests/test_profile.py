"""model.profile(): the time of training steps by operation."""
import json

import numpy as np
import pytest

from plimsoll import keras


def small_model():
    model = keras.Sequential([keras.layers.Dense(16, activation="relu", name="first"),
                              keras.layers.Dense(1, name="last")])
    model.compile("adam", "mse")
    return model


def test_names_operations_and_layers(tmp_path):
    profile = small_model().profile(np.ones((64, 8)), np.ones((64, 1)), batch_size=8, steps=4)
    assert profile.steps == 4
    assert profile.batch_size == 8
    assert {"first", "last"} <= {row["layer"] for row in profile.operations}
    assert "matmul" in str(profile)
    assert "first" in profile.table(by="layer")
    assert "<pre>" in profile._repr_html_()
    profile.save_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert {"step", "matmul"} <= {event["name"] for event in events}
    live = [event["args"]["bytes"] for event in events if event["name"] == "live in the arena"]
    assert len(live) > 4 and min(live) < max(live)


def test_refuses_what_it_does_not_know():
    profile = small_model().profile(np.ones((8, 8)), np.ones((8, 1)), steps=1)
    with pytest.raises(ValueError, match="expected 'operation' or 'layer'"):
        profile.table(by="color")
    with pytest.raises(AttributeError, match="a profile has no 'speed'"):
        profile.speed
