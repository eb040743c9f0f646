"""The networks of keras.applications as real Keras has them; runs in an interpreter that has Keras.

structure NETWORK...         compares our networks, built from Keras's layers, with Keras's own;
                             prints the differences as JSON
describe FOLDER NETWORK...   writes names and shapes of layers and weights as JSON
predict FOLDER NETWORK...    writes random weights in the format of the official files, images and
                             predictions
preprocess FOLDER            writes images and what each preprocess_input makes of them
"""

import importlib.util
import inspect
import json
import os
import pathlib
import sys
import types

import numpy as np

os.environ.update(KERAS_BACKEND="tensorflow", TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
import keras  # noqa: E402

PLIMSOLL = pathlib.Path(__file__).resolve().parent.parent / "plimsoll"
FIRST = """
VGG16 ResNet50 ResNet50V2 MobileNet MobileNetV2 MobileNetV3Small MobileNetV3Large DenseNet121
InceptionV3 InceptionResNetV2 Xception EfficientNetB0 EfficientNetV2B0 EfficientNetV2S NASNetMobile
ConvNeXtTiny
""".split()
# As small as the networks allow; the images are not square.
SMALLEST = {"InceptionV3": 75, "InceptionResNetV2": 75, "Xception": 71}
# Arguments of single networks that change their layers.
SPECIAL = {
    "MobileNet": [{"alpha": 0.5, "depth_multiplier": 2}, {"input_shape": (160, 160, 3)}],
    "MobileNetV2": [{"alpha": 1.4}, {"alpha": 0.35, "input_shape": (96, 96, 3)}],
    "MobileNetV3Small": [{"minimalistic": True, "dropout_rate": 0}, {"alpha": 1.5}],
    "MobileNetV3Large": [
        {"minimalistic": True},
        {"alpha": 0.75, "include_preprocessing": False},
        {"data_format": "channels_first"},
    ],
    "EfficientNetV2B0": [{"include_preprocessing": False}, {"input_shape": (64, 64, 1)}],
    "ConvNeXtTiny": [{"include_preprocessing": False}, {"input_shape": (64, 64, 1)}],
    "ResNet50": [
        {"name": "mine", "classifier_activation": None},
        {"data_format": "channels_first"},
    ],
    "EfficientNetB0": [{"data_format": "channels_first"}],
    "InceptionV3": [{"data_format": "channels_first"}],
    "VGG16": [{"input_tensor": True, "include_top": False}],
}


def our_applications():
    """Our package, with real Keras in the place of plimsoll.keras."""
    package = types.ModuleType("plimsoll")
    package.__path__ = [str(PLIMSOLL)]
    sys.modules.update({"plimsoll": package, "plimsoll.keras": keras})
    # The engine has this layer under keras.layers.
    keras.layers.LayerScale = sys.modules["keras.src.applications.convnext"].LayerScale
    name, folder = "plimsoll.keras.applications", PLIMSOLL / "keras" / "applications"
    place = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    ours = importlib.util.module_from_spec(place)
    sys.modules[name] = ours
    place.loader.exec_module(ours)
    return ours


def cases(network):
    """The larger networks of a family differ from its first one by numbers only."""
    size = SMALLEST.get(network, 64)
    yield {"weights": "imagenet"}
    yield {"weights": "imagenet", "include_top": False, "pooling": "avg"}
    if network in FIRST:
        yield {"classes": 7, "input_shape": (size + 22, size + 31, 3)}
        yield {"include_top": False, "pooling": "max", "input_shape": (size + 1, size, 3)}
        yield from SPECIAL.get(network, [])


def built(function, arguments):
    keras.utils.clear_session()
    arguments = dict(arguments)
    keras.config.set_image_data_format(arguments.pop("data_format", "channels_last"))
    if arguments.get("input_tensor"):
        image = keras.layers.Input((40, 50, 3))
        arguments["input_tensor"] = keras.layers.Rescaling(2.0)(image)
    return function(**{"weights": None, **arguments})


class WantedFiles:
    """Takes note of the official files that are asked for (name, address, checksum); reads none."""

    def __init__(self, ours):
        self.noted = []
        keras.Model.load_weights = lambda model, path: None
        file_utils = sys.modules["keras.src.utils.file_utils"]
        file_utils.get_file = lambda fname, origin, cache_subdir, file_hash=None: self.note(
            fname, origin, file_hash
        )
        checksums = importlib.import_module(f"{ours.__name__}._checksums").CHECKSUMS
        importlib.import_module(f"{ours.__name__}._network").cached_file = (
            lambda name, address, purpose: self.note(name, address, checksums.get(name))
        )

    def note(self, *file):
        self.noted.append(file)

    def taken(self):
        noted, self.noted = self.noted, []
        return noted


def plain(value):
    """A config without the modules that its classes come from, which differ for our own classes."""
    if isinstance(value, dict):
        left_out = ("module", "registered_name")
        return {key: plain(item) for key, item in value.items() if key not in left_out}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else repr(value)


def facts(model):
    return {
        "names": [layer.name for layer in model.layers],
        "classes": [type(layer).__name__ for layer in model.layers],
        "outputs": [list(layer.output.shape) for layer in model.layers],
        "weights": [[weight.name, list(weight.shape)] for weight in model.weights],
        "trainable": len(model.trainable_weights),
        "model": model.name,
    }


def difference(real, ours):
    found, expected = facts(ours), facts(real)
    for key, value in expected.items():
        if found[key] != value:
            return f"{key}: {first_difference(value, found[key])}"
    expected, found = plain(real.get_config()), plain(ours.get_config())
    for one, other in zip(expected["layers"], found["layers"]):
        if one != other:
            return f"config: expected {one}, found {other}"
    return None if expected == found else "config: inputs, outputs or name"


def first_difference(expected, found):
    if not isinstance(expected, list):
        return f"expected {expected}, found {found}"
    pairs = [pair for pair in zip(expected, found) if pair[0] != pair[1]]
    lengths = f"{len(expected)} and {len(found)} of them"
    return f"expected {pairs[0][0]}, found {pairs[0][1]}" if pairs else lengths


def structure(networks):
    ours = our_applications()
    files = WantedFiles(ours)
    different = {}
    for network in networks:
        real_function, our_function = getattr(keras.applications, network), getattr(ours, network)
        if inspect.signature(real_function) != inspect.signature(our_function):
            different[network] = f"{inspect.signature(our_function)}"
        for arguments in cases(network):
            real, real_files = built(real_function, arguments), files.taken()
            our, our_files = built(our_function, arguments), files.taken()
            said = difference(real, our)
            if real_files != our_files or len(our_files) != ("weights" in arguments):
                said = f"expected the files {real_files}, found {our_files}"
            if said:
                different[f"{network} {arguments}"] = said
    return different


def describe(folder, networks):
    for network in networks:
        described = facts(built(getattr(keras.applications, network), {}))
        (folder / f"{network}.json").write_text(json.dumps(described))


def stir(model, rng):
    """Moves what starts at 0 or 1, so that nothing is right by chance."""
    for weight in model.weights:
        if weight.name in ("bias", "beta", "moving_mean", "mean"):
            weight.assign(weight + 0.1 * rng.standard_normal(weight.shape))
        elif weight.name in ("gamma", "moving_variance", "variance"):
            weight.assign(weight * rng.uniform(0.7, 1.3, weight.shape))
    for layer in model.layers:
        if type(layer).__name__ == "LayerScale":
            layer.gamma.assign(rng.uniform(0.2, 0.6, layer.gamma.shape))
        if isinstance(layer, keras.layers.Normalization):
            layer.finalize_state()


def calibrate(model, images):
    """Moving statistics that fit, so that random layers neither die nor explode on the way."""
    for layer in model.layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            layer.momentum = 0.3
    for _ in range(4):
        model(images, training=True)


def predict(folder, networks):
    import h5py

    legacy = sys.modules["keras.src.legacy.saving.legacy_h5_format"]
    for network in networks:
        rng = np.random.default_rng(len(network))
        keras.utils.set_random_seed(len(network))
        shape = (96, 96, 3)
        arguments = {"input_shape": shape, "classes": 10, "classifier_activation": None}
        model = built(getattr(keras.applications, network), arguments)
        # Noise of single pixels would look the same to a network that averages.
        squares = rng.uniform(0, 255, (2, 3, 3, 3)).astype("float32")
        images = squares.repeat(32, axis=1).repeat(32, axis=2)
        scaling = (keras.layers.Rescaling, keras.layers.Normalization)
        if not any(isinstance(layer, scaling) for layer in model.layers):
            images = images / 127.5 - 1
        stir(model, rng)
        calibrate(model, images)
        with h5py.File(folder / f"{network}.h5", "w") as file:
            legacy.save_weights_to_hdf5_group(file, model)
        np.savez(folder / f"{network}.npz", images=images, predictions=np.asarray(model(images)))


def preprocess(folder):
    rng = np.random.default_rng(0)
    images = rng.integers(0, 256, (2, 4, 3, 3)).astype("uint8")
    results = {"images": images}
    for name in [n for n in dir(keras.applications) if n.islower() and not n.startswith("_")]:
        module = getattr(keras.applications, name)
        results[name] = module.preprocess_input(images.astype("float64"))
        results[f"{name}:first"] = module.preprocess_input(
            images.astype("float32").transpose(0, 3, 1, 2).copy(), data_format="channels_first"
        )
    np.savez(folder / "preprocess.npz", **results)


def without_values():
    """From here on no weight gets values, which the largest networks would need minutes for.
    Leaving the scope would make up for that, so the process ends inside it."""
    keras.StatelessScope().__enter__()


def main():
    command, *rest = sys.argv[1:]
    if command == "structure":
        without_values()
        print(json.dumps(structure(rest)), flush=True)
        os._exit(0)
    folder, networks = pathlib.Path(rest[0]), rest[1:]
    if command == "describe":
        without_values()
        describe(folder, networks)
        os._exit(0)
    predict(folder, networks) if command == "predict" else preprocess(folder)


if __name__ == "__main__":
    main()
