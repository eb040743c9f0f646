"""keras.saving: models in files, and classes of the user's own in them."""
from plimsoll import _missing
from plimsoll.keras.saving.registration import CustomObjectScope

custom_object_scope = CustomObjectScope

_missing.lazy(globals(), {
    "objects": ["deserialize_keras_object", "serialize_keras_object"],
    "registration": ["get_custom_objects", "get_registered_name", "get_registered_object",
                     "register_keras_serializable"],
    "plimsoll.keras.models.files": ["load_model", "save_model", "model_from_json"],
    "weights": ["load_weights", "save_weights"],
})
