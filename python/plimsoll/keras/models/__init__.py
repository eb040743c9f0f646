"""keras.models: Model, Sequential, and models in files."""
from plimsoll import _missing
from plimsoll.keras.models.cloning import clone_model
from plimsoll.keras.models.files import load_model, model_from_json, save_model
from plimsoll.keras.models.functional import Functional
from plimsoll.keras.models.model import Model
from plimsoll.keras.models.sequential import Sequential

__all__ = ["Functional", "Model", "Sequential", "clone_model", "load_model", "model_from_config",
           "model_from_json", "save_model"]


def model_from_config(config, custom_objects=None):
    """A model of what get_config() gave, as keras.models.model_from_config has it."""
    from plimsoll.keras.models.files import model_from_json_object

    return model_from_json_object(config, custom_objects)


_missing.told(globals())
