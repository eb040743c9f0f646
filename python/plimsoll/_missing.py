"""Names that are imported when first used, and sentences for names that are not here."""

import importlib
import sys
from opcode import opmap

_IMPORT_FROM = opmap["IMPORT_FROM"]

# What there is instead of a part of TensorFlow or Keras that Plimsoll does not have. The longest
# path that is a prefix of the missing one counts.
_INSTEAD = {
    "keras.distribution": "Plimsoll trains on one machine and uses all of its cores",
    "keras.export": "model.save('model.keras') writes a file that Keras reads too",
    "keras.layers.TFSMLayer": "save the model as a .keras file and load it with "
    "keras.models.load_model",
    "keras.layers.RandomHeight": "Keras 3 does not have it either; RandomZoom(height_factor=…) keeps the size of "
    "images",
    "keras.layers.RandomWidth": "Keras 3 does not have it either; RandomZoom(height_factor=…, width_factor=…) "
    "keeps the size of images",
    "keras.ops.ctc_decode": "take the most probable class of each step with keras.ops.argmax, and leave out "
    "repeats and blanks",
    "keras.ops.nn.ctc_decode": "take the most probable class of each step with keras.ops.argmax, and leave out "
    "repeats and blanks",
    "keras.ops.stft": "there are no complex numbers; scipy.signal.stft makes spectrograms of NumPy arrays",
    "keras.optimizer_v2": "the optimizers are in keras.optimizers",
    "keras.saving.save": "load_model and save_model are in keras.models and keras.saving",
    "keras.layers.DenseFeatures": "use keras.layers.Normalization, CategoryEncoding and "
    "StringLookup",
    "keras.models.Model.export": "model.save('model.keras') writes a file that Keras reads too",
    "keras.utils.audio_dataset_from_directory": "read the sounds with scipy.io.wavfile or "
    "soundfile and give the arrays to tf.data.Dataset.from_tensor_slices",
    "tf.autograph": "Plimsoll records operations as they are called, so Python's own if and for "
    "work in tf.function",
    "tf.compat.v1": "Plimsoll has the API of TensorFlow 2; sessions and placeholders are not in it",
    "tf.complex": "there are no complex numbers; keep the real and the imaginary part in two tensors",
    "tf.contrib": "it was removed from TensorFlow 2 as well",
    "tf.distribute": "Plimsoll trains on one machine and uses all of its cores; leave the "
    "strategy out",
    "tf.estimator": "it was removed from TensorFlow as well; use keras.Model",
    "tf.experimental.dtensor": "Plimsoll trains on one machine and uses all of its cores",
    "tf.experimental.numpy": "use the functions of tf or keras.ops, or NumPy itself",
    "tf.feature_column": "use keras.layers.Normalization, StringLookup and CategoryEncoding",
    "tf.lite": "save the model with model.save('model.keras'); TensorFlow can convert that file",
    "tf.lookup": "there are StaticHashTable, KeyValueTensorInitializer and TextFileInitializer, and "
    "keras.layers.StringLookup and IntegerLookup",
    "tf.placeholder": "Plimsoll has the API of TensorFlow 2; pass the values to the function",
    "tf.profiler": "fit(..., memory=...) and model.plan() say what a run needs",
    "tf.ragged": "there are constant and stack; to_tensor() pads the rows for everything else",
    "tf.saved_model": "model.save('model.keras') and keras.models.load_model keep whole models",
    "tf.Session": "Plimsoll has the API of TensorFlow 2; call the function directly",
    "tf.signal": "NumPy's np.fft has these transforms",
    "tf.sparse": "there are SparseTensor, from_dense, to_dense and sparse_dense_matmul; use dense tensors "
    "for everything else",
    "tf.tpu": "Plimsoll computes on the processor",
}


def shown(module_name: str) -> str:
    """The name of a module as scripts write it: plimsoll.tensorflow.data is tf.data."""
    name = module_name.removeprefix("plimsoll.")
    name = name.replace("tensorflow.keras", "keras", 1)
    head, dot, rest = name.partition(".")
    return "tf" + dot + rest if head == "tensorflow" else name


def instead(path: str) -> str | None:
    """What there is instead of a missing name such as 'tf.lite.Interpreter', if that is known."""
    while path:
        if path in _INSTEAD:
            return _INSTEAD[path]
        path = path.rpartition(".")[0]
    return None


def sentence(module_name: str, name: str, known=()) -> str:
    """Says that a module lacks a name, and what there is instead of it."""
    path = f"{shown(module_name)}.{name}"
    other = instead(path)
    if other is None:
        import difflib

        public = [other for other in known if not other.startswith("_") and other != name]
        close = difflib.get_close_matches(name, public, 3, 0.75)
        other = "there is " + " and ".join(close) if close else None
    return f"Plimsoll has no {path}" + (f"; {other}" if other else "")


def missing(module_name: str, name: str, known=(), frames: int = 1) -> Exception:
    """The error for a module's __getattr__ to raise.

    It is an ImportError under `from module import name`, where Python would replace the sentence
    of an AttributeError by one of its own, and an AttributeError elsewhere, for hasattr() to work.
    `frames` is the number of frames from the caller of missing() to the line that uses the name.
    """
    frame = sys._getframe(1 + frames)
    text = sentence(module_name, name, known)
    if frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti] == _IMPORT_FROM:
        return ImportError(text, name=module_name)
    return AttributeError(text, name=name)


def told(namespace: dict) -> None:
    """Gives a module, whose own names are all there, the sentence for a name that is not."""
    module = namespace["__name__"]

    def __getattr__(name):
        raise missing(module, name, namespace)

    namespace["__getattr__"] = __getattr__


def lazy(namespace: dict, homes: dict, modules=()) -> None:
    """Gives a package names that are imported when they are first used.

    homes: the sub-module (or full module name) of each list of names; modules: sub-modules that
    can be used without an import of their own. A name in neither fails with a sentence.
    """
    package = namespace["__name__"]
    home_of = {name: home for home, names in homes.items() for name in names}
    own = {n for n, v in namespace.items() if not n.startswith("_") and v is not lazy}
    public = sorted({*home_of, *modules, *own})

    def find(name):
        if name in modules and name not in home_of:
            return importlib.import_module(f"{package}.{name}")
        home = home_of[name]
        return getattr(importlib.import_module(home if "." in home else f"{package}.{home}"), name)

    def __getattr__(name):
        if name not in home_of and name not in modules:
            raise missing(package, name, public)
        namespace[name] = value = find(name)
        return value

    namespace.update(__getattr__=__getattr__, __dir__=lambda: public, __all__=public)
