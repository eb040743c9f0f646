"""Compares what Plimsoll made of a case with what real Keras did, and lets Keras go on from there."""

import json
import re

import keras
import numpy as np

import comparison
import reference
from case import FURTHER, STEPS

PREDICTION = 1e-4  # of an output's largest value
WEIGHT = 1e-3  # of a tensor's largest value
COLUMNS = ["predict", "sgd", "optimizer", "logs", "goes on", "Keras goes on", "Keras reads", "formats", "config", "stable"]


class Verdict:
    """Column -> error, or a sentence where something is wrong that is no number."""

    def __init__(self, case, expected, ours):
        self.case, self.expected, self.ours = case, expected, ours
        self.errors = {column: 0.0 for column in COLUMNS}
        self.complaints = []

    def number(self, column, value, tolerance, what):
        self.errors[column] = max(self.errors[column], value)
        if not value <= tolerance:
            self.complain(column, f"{what} is off by {value:.2g} of the largest value, at most {tolerance:g} is right")

    def complain(self, column, sentence):
        self.errors[column] = float("inf") if self.errors[column] == 0 else self.errors[column]
        self.complaints.append(f"{column}: {sentence}")

    def weights(self, column, found, expected, excluded=()):
        errors = comparison.weight_errors(found, expected, excluded)
        name = max(errors, key=errors.get)
        self.number(column, errors[name], WEIGHT, f"{name} of {found.name}")

    def predictions(self, column, found_prefix, expected):
        found = [np.load(path) for path in sorted(self.ours.glob(f"{found_prefix}_*.npy"))]
        self.number(column, comparison.largest_error(found, expected), PREDICTION, f"the prediction '{found_prefix}'")

    def attempt(self, column, check):
        """An exception of a check is a complaint, and the others go on."""
        try:
            check(self)
        except FileNotFoundError:
            # What should have written it has complained.
            self.errors[column] = float("inf")
            if not self.complaints:
                raise
        except Exception as problem:
            self.complain(column, f"{type(problem).__name__}: {str(problem).splitlines()[0] if str(problem) else ''}")


def judge(case, expected, ours):
    verdict = Verdict(case, expected, ours)
    failures = ours / "failures.txt"
    if failures.exists():
        for line in failures.read_text().splitlines():
            column, _, sentence = line.partition(": ")
            verdict.complain(column, sentence)
    checks = {
        "predict": predictions,
        "sgd": sgd,
        "optimizer": optimizer,
        "logs": logs,
        "goes on": goes_on,
        "Keras goes on": keras_goes_on,
        "formats": formats,
        "config": config,
        "stable": stable,
    }
    for column, check in checks.items():
        verdict.attempt(column, check)
    return verdict


def first_predictions(verdict):
    stored = np.load(verdict.expected / "keras.npz")
    return [stored[f"prediction_{i}"] for i in range(len(stored.files))]


def predictions(verdict):
    verdict.predictions("predict", "first", first_predictions(verdict))


def sgd(verdict):
    verdict.weights("sgd", verdict.ours / "sgd_20.keras", verdict.expected / "sgd_20.weights.h5")


def optimizer(verdict):
    excluded = tuple(verdict.case.zero_gradients)
    verdict.weights("optimizer", verdict.ours / "compiled_20.keras", verdict.expected / "compiled_20.keras", excluded)


def logs(verdict):
    """Loss and metrics over the 20 steps."""
    # A metric that Keras makes again in one process has another number after its name.
    unnumbered = lambda logs: {re.sub(r"_[0-9]+$", "", name): value for name, value in logs.items()}
    expected = unnumbered(json.loads((verdict.expected / "keras_logs.json").read_text())["sgd"])
    found = unnumbered(json.loads((verdict.ours / "logs.json").read_text()))
    if found.keys() != expected.keys():
        verdict.complain("logs", f"has {sorted(found)}, Keras {sorted(expected)}")
        return
    for name, value in expected.items():
        verdict.number("logs", comparison.error(np.mean(found[name]), np.mean(value)), WEIGHT, name)


def goes_on(verdict):
    """From Keras's file, with the state of its optimizer."""
    excluded = tuple(verdict.case.zero_gradients)
    verdict.weights("goes on", verdict.ours / "compiled_25.keras", verdict.expected / "compiled_25.keras", excluded)


def keras_goes_on(verdict):
    """Real Keras reads our file, predicts as we do, and trains on with the optimizer's state."""
    _, inputs, targets = reference.build(verdict.case)
    model = keras.models.load_model(verdict.ours / "compiled_20.keras")
    verdict.predictions("Keras reads", "trained", reference.predict(model, inputs))
    reference.reset_states(model)
    if not verdict.case.no_resume:
        reference.train(model, inputs, targets, STEPS, FURTHER)
        model.save(verdict.ours / "keras_25.keras")
        excluded = tuple(verdict.case.zero_gradients)
        verdict.weights("Keras goes on", verdict.ours / "keras_25.keras", verdict.expected / "compiled_25.keras", excluded)
    model.load_weights(verdict.ours / "saved.weights.h5")
    reference.reset_states(model)
    expected = first_predictions(verdict)
    verdict.number("Keras reads", comparison.largest_error(reference.predict(model, inputs), expected), PREDICTION, "saved.weights.h5")
    if not verdict.case.no_legacy:
        model = keras.models.load_model(verdict.ours / "saved.h5", compile=False)
        verdict.number("Keras reads", comparison.largest_error(reference.predict(model, inputs), expected), PREDICTION, "saved.h5")


def formats(verdict):
    """Predictions from the same weights in every other format."""
    expected = first_predictions(verdict)
    if not verdict.case.no_config:
        verdict.predictions("formats", "from_json", expected)
        verdict.predictions("formats", "from_safetensors", expected)
    if not verdict.case.no_legacy:
        verdict.predictions("formats", "from_h5", expected)
    stored = sorted(array.tobytes() for array in comparison.safetensors(verdict.ours / "saved.safetensors").values())
    original = comparison.datasets(verdict.expected / "model.weights.h5")
    wanted = sorted(array.tobytes() for name, array in original.items() if comparison.is_weight(name) and not name.endswith("idf_weights"))
    if [w for w in wanted if w not in stored]:
        verdict.complain("formats", "saved.safetensors lacks a weight")


def config(verdict):
    """What we write is what Keras wrote."""
    found, expected = (json.loads(comparison.member(p, "config.json")) for p in (verdict.ours / "saved.keras", verdict.expected / "compiled.keras"))
    if verdict.case.policy == "float32" and (difference := comparison.config_difference(found, expected)):
        verdict.complain("config", difference)
    if different := comparison.differing_bytes(
        verdict.ours / "saved.keras", verdict.expected / "compiled.keras", comparison.is_weight
    ):
        verdict.complain("config", f"weights differ from those that were read: {different}")


def stable(verdict):
    """Saved, loaded, saved: the same bytes."""
    one, two = verdict.ours / "saved.keras", verdict.ours / "saved_again.keras"
    if comparison.member(one, "config.json") != comparison.member(two, "config.json"):
        verdict.complain("stable", "config.json changes")
    for suffix in ("keras", "weights.h5") + (() if verdict.case.no_legacy else ("h5",)):
        if different := comparison.differing_bytes(verdict.ours / f"saved.{suffix}", verdict.ours / f"saved_again.{suffix}"):
            verdict.complain("stable", f"weights change in .{suffix}: {different}")
    if (verdict.ours / "saved.safetensors").read_bytes() != (verdict.ours / "saved_again.safetensors").read_bytes():
        verdict.complain("stable", "the .safetensors file changes")
