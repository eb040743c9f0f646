"""Models in files."""
import functools
import json
import os
import tempfile
import warnings

from plimsoll import _core
from plimsoll.keras import _foreign
from plimsoll.keras.layers.layer import wrapper_of
from plimsoll.keras.models import functional, own_class
from plimsoll.keras.models.loaded import compile_from_file, compiled_of


def load_model(filepath, custom_objects=None, compile=True, safe_mode=True):
    """Reads a whole model: .keras, .h5, or the folder of an unpacked .keras file."""
    from plimsoll.keras.saving import custom_object_scope

    path = os.fspath(filepath)
    if not os.path.exists(path):
        raise OSError(f"{path}: there is no such file")
    config = own_class.config_in(path)
    if config is not None:
        return own_class.load(path, config, custom_objects, compile)
    kept = []  # the model, which the compile settings need before the engine has read its weights
    with custom_object_scope(custom_objects or {}):
        found = _core.load_model(path, compile=functools.partial(compile_from_file, kept) if compile else None)
    if found["model"].layer.class_name == "FeatureSpace":
        from plimsoll.keras.utils import FeatureSpace

        return FeatureSpace._of_engine(found["model"])
    model = functional.of_engine(found["model"])
    model._held_layers = [wrapper_of(handle) for handle in model._model.layers()]
    _foreign.forget_made_layers()
    if compile and found["compiled"] and model._compiled is None:
        model._compiled = compiled_of(model)
    if compile and not found["compiled"]:
        for note in found["notes"]:
            warnings.warn(f"{note}; pass it in custom_objects, or call compile()", stacklevel=2)
    return model


def save_model(model, filepath, overwrite=True, **kwargs) -> None:
    """Writes a whole model. `include_optimizer` and `save_format` are Keras 2's words."""
    path = os.fspath(filepath)
    with_optimizer = kwargs.pop("include_optimizer", True)
    kwargs.pop("zipped", None)  # a .keras file always is
    _take_format(kwargs, path)
    _refuse_words(kwargs, "save")
    _refuse_to_replace(path, overwrite)
    if not path.endswith((".keras", ".h5", ".hdf5", ".json")):
        raise ValueError(f"{path}: a model's file name must end in .keras (or .h5); TensorFlow's "
                         "SavedModel folders are not written")
    if model._network is None:
        if not with_optimizer:
            raise NotImplementedError("save: include_optimizer=False is not known for a model class of your own; "
                                      "save_weights() writes the weights alone")
        return own_class.save(model, path)
    if not with_optimizer:
        return _core.Model(model._network).save(path)
    own = [] if model._compiled is None else model._compiled.own_code()
    if not own or model._compiled.own_objective():
        return model._model.save(path)
    warnings.warn(f"{path}: {', '.join(own)} is code without a name, which files cannot hold; the file "
                  "has the model without it, so call compile() after load_model()", stacklevel=3)
    _core.Model(model._network).save(path)


def to_bytes(model) -> bytes:
    """What save() writes as .keras."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.keras")
        save_model(model, path)
        with open(path, "rb") as file:
            return file.read()


def from_bytes(content: bytes):
    """The model of to_bytes()."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.keras")
        with open(path, "wb") as file:
            file.write(content)
        return load_model(path)


def save_weights(model, filepath, overwrite=True, max_shard_size=None, **kwargs) -> None:
    """Writes the weights of a model."""
    if max_shard_size is not None:
        raise NotImplementedError(
            f"save_weights: max_shard_size={max_shard_size} asks for several files, and all weights go into one here; "
            "leave it out")
    path = os.fspath(filepath)
    _take_format(kwargs, path)
    _refuse_words(kwargs, "save_weights")
    _refuse_to_replace(path, overwrite)
    model._model.save_weights(path)


def load_weights(model, filepath, skip_mismatch=False, **kwargs) -> None:
    """Reads the weights of a model."""
    for word, is_asked in (("skip_mismatch", skip_mismatch), ("by_name", kwargs.pop("by_name", False))):
        if is_asked:
            raise NotImplementedError(f"load_weights: {word} is not known; all weights of the file are read, in the "
                                      "order of the layers, and the error without it names the layer that differs")
    _refuse_words(kwargs, "load_weights")
    model._model.load_weights(os.fspath(filepath))


def _take_format(kwargs: dict, path: str) -> None:
    """Keras 2's save_format: the file's name says the same here."""
    if kwargs.pop("save_format", None) == "tf":
        raise ValueError(f"{path}: TensorFlow's folders are not written (save_format='tf'); leave save_format out and "
                         "let the file's name end in .keras, or .weights.h5 for weights")


def _refuse_words(kwargs: dict, what: str) -> None:
    if kwargs.pop("options", None) is not None:
        raise ValueError(f"{what}: options are of TensorFlow's own files, which are not read or written here")
    if kwargs:
        raise ValueError(f"{what}: the following arguments are not known: {', '.join(kwargs)}")


def _refuse_to_replace(path: str, overwrite: bool) -> None:
    if not overwrite and os.path.exists(path):
        raise FileExistsError(f"{path}: there is a file already; pass overwrite=True to replace it")


def save_for_run(model, path: str) -> None:
    """Writes the model of a run; what save_model() would warn of each time is left out of the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        save_model(model, path)


def model_from_json(json_string: str, custom_objects=None):
    """A new model of what to_json() gave."""
    return model_from_json_object(json.loads(json_string), custom_objects)


def model_from_json_object(config: dict, custom_objects=None):
    if "class_name" not in config:
        config = {"class_name": "Functional" if "input_layers" in config else "Sequential",
                  "config": config}
    return functional.from_config(config, custom_objects)
