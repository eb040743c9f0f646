"""compile() of a model that was read from a file."""
import weakref

from plimsoll.keras.models.compiled import Compiled
from plimsoll.keras.optimizers.optimizer import of_handle


class LoadedCompiled(Compiled):
    """The engine's model is compiled already."""

    def __init__(self, model, handle):
        self._model = weakref.ref(model)
        self.optimizer = of_handle(handle)
        self.given_loss = None
        self.losses = self.loss_weights = self.metrics = self.weighted_metrics = None
        self.given_metrics = self.given_weighted = None
        self.is_handed_over = True


def compiled_of(model) -> Compiled:
    return LoadedCompiled(model, model._model.optimizer())
