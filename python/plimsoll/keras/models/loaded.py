"""compile() of a model that was read from a file."""
import json
import weakref

from plimsoll.keras import losses, metrics
from plimsoll.keras.models import functional
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


def compile_from_file(kept: list, inner, optimizer, settings: str) -> bool:
    """Compiles the engine's model with what the file says; False if that is left to the engine, which
    knows the forms of older files and what to say of names that are not known.

    The Python model goes to `kept`.
    """
    model = functional.of_engine(inner)
    config = json.loads(settings)
    try:
        compiled = Compiled(model, of_handle(optimizer), objects_of(losses, config.get("loss")),
                            config.get("loss_weights"), objects_of(metrics, config.get("metrics")),
                            objects_of(metrics, config.get("weighted_metrics")))
        compiled.hand_over()
    except (TypeError, ValueError):
        return False
    model._compiled = compiled
    kept.append(model)
    return True


def objects_of(package, given):
    """The objects of configs, alone, in lists or by the names of outputs."""
    if isinstance(given, list):
        return [objects_of(package, each) for each in given]
    if not isinstance(given, dict):
        return given
    if "class_name" not in given:
        return {name: objects_of(package, each) for name, each in given.items()}
    if given["class_name"] == "MeanMetricWrapper":  # Keras 2's form of a function
        return objects_of(package, given["config"]["fn"])
    return package.get(given)
