"""Models in files."""
import json
import os
import warnings

from plimsoll import _core
from plimsoll.keras import _foreign
from plimsoll.keras.layers.layer import wrapper_of
from plimsoll.keras.models import functional


def load_model(filepath, custom_objects=None, compile=True, safe_mode=True, **kwargs):
    """Reads a whole model: .keras, .h5, or the folder of an unpacked .keras file."""
    from plimsoll.keras.saving import custom_object_scope

    path = os.fspath(filepath)
    if not os.path.exists(path):
        raise OSError(f"{path}: there is no such file")
    with custom_object_scope(custom_objects or {}):
        found = _core.load_model(path, compile=compile)
    model = functional.of_engine(found["model"])
    model._held_layers = [wrapper_of(handle) for handle in model._model.layers()]
    _foreign.forget_made_layers()
    if found["compiled"]:
        _take_compiled(model)
    return model


def _take_compiled(model) -> None:
    """What the file says of training, as compile() would have been given it."""
    from plimsoll.keras.models.loaded import compiled_of

    model._compiled = compiled_of(model)


def save_model(model, filepath, overwrite=True, **kwargs) -> None:
    """Writes a whole model."""
    path = os.fspath(filepath)
    if not overwrite and os.path.exists(path):
        raise FileExistsError(f"{path}: there is a file already; pass overwrite=True to replace it")
    if not path.endswith((".keras", ".h5", ".hdf5", ".json")):
        raise ValueError(f"{path}: a model's file name must end in .keras (or .h5); TensorFlow's "
                         "SavedModel folders are not written")
    if model._network is None:
        raise NotImplementedError(
            f"{model.name}: a model class of your own is Python code, which is not put into files; "
            "save its weights with save_weights('name.weights.h5'), make the object again and call "
            "load_weights()")
    own = [] if model._compiled is None else model._compiled.own_code()
    if not own:
        return model._model.save(path)
    warnings.warn(f"{path}: {', '.join(own)} is code of your own, which is not put into files; the file "
                  "has the model without it, so call compile() after load_model()", stacklevel=3)
    _core.Model(model._network).save(path)


def model_from_json(json_string: str, custom_objects=None):
    """A new model of what to_json() gave."""
    return model_from_json_object(json.loads(json_string), custom_objects)


def model_from_json_object(config: dict, custom_objects=None):
    if "class_name" not in config:
        config = {"class_name": "Functional" if "input_layers" in config else "Sequential",
                  "config": config}
    return functional.from_config(config, custom_objects)
