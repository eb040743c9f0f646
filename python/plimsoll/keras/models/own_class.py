"""Files of models that are classes of the user's own.

The code is not in the file: it names the class, its config and the shapes that it was built for.
"""
import json
import warnings
import zipfile

from plimsoll.keras import _serialization
from plimsoll.keras.models.loaded import objects_of
from plimsoll.keras.saving.objects import serialize_keras_object

_NETWORKS = ("Sequential", "Functional", "Model", "FeatureSpace")


def save(model, path: str) -> None:
    """Writes a .keras file."""
    if not path.endswith(".keras"):
        raise ValueError(f"{path}: a model class of your own is saved as .keras; its weights alone may be in "
                         ".weights.h5 or .safetensors")
    if not model.built:
        raise ValueError(f"{path}: {model.name} has no weights yet; call it on data, or fit it, before it is saved")
    config = serialize_keras_object(model)
    config["build_config"] = {"input_shape": _shapes(model)}
    if model._compiled is not None:
        config["compile_config"] = _compile_config(model, path)
    model._model.save_archive(json.dumps(config), path)


def _shapes(model):
    """The shapes of the inputs, with None for the batch: one, or a list of them."""
    shapes = [list(shape) for _, _, shape in model._model.inputs()]
    return shapes[0] if len(shapes) == 1 else shapes


def _compile_config(model, path: str):
    compiled = model._compiled
    try:
        return serialize_keras_object({
            "optimizer": compiled.optimizer, "loss": compiled.given_loss,
            "loss_weights": compiled.loss_weights, "metrics": compiled.given_metrics,
            "weighted_metrics": compiled.given_weighted})
    except (TypeError, ValueError) as error:
        warnings.warn(f"{path}: compile()'s settings are not in the file, because {error}", stacklevel=5)
        return None


def config_in(path: str) -> dict | None:
    """The config of a .keras file if it names a class of the user's; None for other files."""
    if not zipfile.is_zipfile(path):
        return None
    with zipfile.ZipFile(path) as archive:
        if "config.json" not in archive.namelist():
            return None
        try:
            config = json.loads(archive.read("config.json"))
        except ValueError:
            return None  # the engine says what is wrong with it
    is_own = isinstance(config, dict) and config.get("class_name") not in _NETWORKS
    return config if is_own and isinstance(config.get("class_name"), str) else None


def load(path: str, config: dict, custom_objects, compile: bool):
    """The object of the class that the file names, with the file's weights."""
    from plimsoll.keras.saving import custom_object_scope

    name = config.get("registered_name") or config["class_name"]
    with custom_object_scope(custom_objects or {}):
        if _serialization.find_custom(name) is None and _serialization.find_custom(config["class_name"]) is None:
            raise ValueError(f"{path}: the model class '{name}' is not known: pass it in custom_objects, or "
                             "register it with keras.saving.register_keras_serializable before the model is read")
        model = _serialization.deserialize_object(
            {**config, "registered_name": config.get("registered_name")}, "models")
        shape = (config.get("build_config") or {}).get("input_shape")
        if shape is not None and not model.built:
            model.build(_as_tuples(shape))
        if compile and config.get("compile_config"):
            _compile(model, config["compile_config"], path)
        model.load_weights(path)
    return model


def _as_tuples(shape):
    return [tuple(each) for each in shape] if shape and isinstance(shape[0], list) else tuple(shape)


def _compile(model, settings: dict, path: str) -> None:
    from plimsoll.keras import losses, metrics, optimizers

    try:
        model.compile(optimizers.get(settings.get("optimizer") or "rmsprop"),
                      objects_of(losses, settings.get("loss")), settings.get("loss_weights"),
                      objects_of(metrics, settings.get("metrics")),
                      objects_of(metrics, settings.get("weighted_metrics")))
    except (TypeError, ValueError) as error:
        warnings.warn(f"{path}: loaded without its compile settings, because {error}; call compile()",
                      stacklevel=4)
