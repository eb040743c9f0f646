"""Monitor: one number of the logs, and whether it got better."""
import warnings

import numpy as np

_RISING = ("acc", "auc", "precision", "recall", "f1", "fbeta", "iou", "r2", "hit", "cosine_similarity")


class Monitor:
    """Compares a number with the best so far."""

    def __init__(self, owner: str, monitor: str, mode: str = "auto", min_delta: float = 0.0):
        if mode not in ("auto", "min", "max"):
            warnings.warn(f"{owner}: the mode '{mode}' is not known, expected auto, min or max; auto "
                          "is used", stacklevel=3)
            mode = "auto"
        self.owner, self.monitor = owner, monitor
        name = monitor.removeprefix("val_").lower()
        self.rises = mode == "max" or (mode == "auto" and any(
            name.startswith(word) or f"_{word}" in name for word in _RISING) and "loss" not in name)
        self._delta = abs(min_delta) if self.rises else -abs(min_delta)

    @property
    def worst(self) -> float:
        return -np.inf if self.rises else np.inf

    def value(self, logs: dict):
        """The number now; None with a warning if the logs do not have it."""
        found = (logs or {}).get(self.monitor)
        if found is None:
            warnings.warn(f"{self.owner}: '{self.monitor}' is not among the numbers of this epoch "
                          f"({', '.join(logs or {})})", stacklevel=3)
        return found

    def is_better(self, value: float, reference: float) -> bool:
        return value - self._delta > reference if self.rises else value - self._delta < reference
