"""The networks of keras.applications are those of the real Keras."""
import hashlib
import inspect
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np
import pytest

from plimsoll.keras import applications, layers, ops, utils
from plimsoll.keras.applications import _checksums, imagenet_utils, mobilenet_v2, vgg16
from test_signatures import CACHE, REAL_PYTHON

FAMILIES = [
    "VGG16 VGG19",
    "ResNet50 ResNet101 ResNet152",
    "ResNet50V2 ResNet101V2 ResNet152V2",
    "MobileNet MobileNetV2",
    "MobileNetV3Small MobileNetV3Large",
    "DenseNet121 DenseNet169 DenseNet201",
    "InceptionV3",
    "InceptionResNetV2",
    "Xception",
    " ".join(f"EfficientNetB{n}" for n in range(8)),
    " ".join(f"EfficientNetV2{name}" for name in ("B0", "B1", "B2", "B3", "S", "M", "L")),
    "NASNetMobile NASNetLarge",
    "ConvNeXtTiny ConvNeXtSmall ConvNeXtBase ConvNeXtLarge ConvNeXtXLarge",
]
# The least network of each kind of layer; the largest ones would need gigabytes of weights.
ON_THE_ENGINE = """
VGG16 ResNet50 ResNet50V2 MobileNet MobileNetV2 MobileNetV3Small MobileNetV3Large DenseNet121
InceptionV3 InceptionResNetV2 Xception EfficientNetB0 EfficientNetV2B0 NASNetMobile ConvNeXtTiny
""".split()
PREDICTING = ["MobileNetV2", "MobileNetV3Small", "EfficientNetB0", "DenseNet121", "ConvNeXtTiny"]

# The real Keras takes minutes for all of them: PLIMSOLL_SLOW=1 compares all, else a few small ones.
COMPARED = FAMILIES
if os.environ.get("PLIMSOLL_SLOW") != "1":
    COMPARED = ["MobileNet MobileNetV2", "MobileNetV3Small MobileNetV3Large"]
    ON_THE_ENGINE = ["MobileNetV2", "MobileNetV3Small", "EfficientNetB0"]
    PREDICTING = ["MobileNetV2", "MobileNetV3Small"]

needs_real_keras = pytest.mark.skipif(
    not REAL_PYTHON.exists(),
    reason="the environment of the real Keras is not there; make it with ./dev peers",
)
HERE = pathlib.Path(__file__).parent
STAMP = REAL_PYTHON.parent.parent / "keras.stamp"


def reference(name, *files):
    """The folder of what the real Keras makes from these files; older ones of that name go."""
    content = b"".join(path.read_bytes() for path in (HERE / "applications_peer.py", STAMP, *files))
    folder = CACHE / "plimsoll" / "references"
    folder /= f"python_{name}-{hashlib.sha256(content).hexdigest()[:16]}"
    for old in folder.parent.glob(f"python_{name}-*"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def peer(*arguments):
    """What the real Keras prints in its last line."""
    done = subprocess.run(
        [REAL_PYTHON, "applications_peer.py", *map(str, arguments)],
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()[-1] if done.stdout else ""


def made(command, name, ending):
    """The file that the real Keras writes under this command for a network."""
    path = reference("applications") / command / f"{name}{ending}"
    if not path.exists():
        with tempfile.TemporaryDirectory(dir=reference("applications")) as folder:
            peer(command, folder, *(() if command == "preprocess" else [name]))
            path.parent.mkdir(exist_ok=True)
            for file in pathlib.Path(folder).iterdir():
                file.rename(path.parent / file.name)
    return path


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty Keras cache."""
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    (tmp_path / "models").mkdir()
    return tmp_path / "models"


def test_all_networks_of_keras_are_here():
    networks = {name for name in dir(applications) if name[0].isupper()}
    assert networks == set(" ".join(FAMILIES).split())


@needs_real_keras
@pytest.mark.parametrize("family", COMPARED, ids=lambda family: family.split()[0])
def test_layers_configs_signatures_and_official_files_are_those_of_the_real_keras(family):
    sources = sorted(pathlib.Path(applications.__file__).parent.glob("*.py"))
    agrees = reference("networks", *sources) / family.split()[0]
    if not agrees.exists():
        assert json.loads(peer("structure", *family.split())) == {}
        agrees.touch()


@needs_real_keras
@pytest.mark.parametrize("name", ON_THE_ENGINE)
def test_networks_on_the_engine_have_the_layers_and_weights_of_the_real_keras(name):
    utils.clear_session()
    model = getattr(applications, name)(weights=None)
    real = json.loads(made("describe", name, ".json").read_text())
    assert [layer.name for layer in model.layers] == real["names"]
    assert [type(layer).__name__ for layer in model.layers] == real["classes"]
    weights = [[w.name, list(w.shape)] for w in model.weights]
    assert [shape for _, shape in weights] == [shape for _, shape in real["weights"]]
    # Keras calls weights that were given no name variable, variable_1 and so on.
    named = [n for n, (kept, _) in enumerate(real["weights"]) if not kept.startswith("variable")]
    assert [weights[n] for n in named] == [real["weights"][n] for n in named]
    assert len(model.trainable_weights) == real["trainable"]
    assert model.name == real["model"]
    assert list(model.output_shape) == real["outputs"][-1]


@needs_real_keras
@pytest.mark.parametrize("name", PREDICTING)
def test_predictions_from_a_file_of_weights_agree_with_the_real_keras(name):
    expected = np.load(made("predict", name, ".npz"))
    shape = expected["images"].shape[1:]
    weights = made("predict", name, ".h5")
    model = getattr(applications, name)(
        weights=weights, input_shape=shape, classes=10, classifier_activation=None
    )
    check_predictions(model, expected)


def check_predictions(model, expected):
    """Compares logits. Those of the two images differ by much more than the tolerance."""
    real = expected["predictions"]
    tolerance = 1e-4 * np.max(np.abs(real))
    assert np.max(np.abs(real[0] - real[1])) > 20 * tolerance
    found = model.predict(expected["images"], verbose=0)
    np.testing.assert_allclose(found, real, rtol=0, atol=tolerance)


@needs_real_keras
def test_every_preprocess_input_agrees_with_the_real_keras():
    expected = dict(np.load(made("preprocess", "preprocess", ".npz")))
    images = expected.pop("images")
    assert len(expected) == 2 * sum(name.islower() for name in dir(applications))
    for key, values in expected.items():
        module = getattr(applications, key.removesuffix(":first"))
        if key.endswith(":first"):
            array = images.astype("float32").transpose(0, 3, 1, 2).copy()
            found = module.preprocess_input(array, data_format="channels_first")
        else:
            found = module.preprocess_input(images.astype("float64"))
        assert found.dtype == values.dtype, key
        np.testing.assert_allclose(found, values, rtol=1e-6, atol=1e-5, err_msg=key)


@pytest.mark.parametrize("mode", ["caffe", "tf", "torch"])
def test_tensors_are_preprocessed_as_arrays_are(mode):
    images = np.random.default_rng(1).uniform(0, 255, (2, 3, 4, 3)).astype("float32")
    tensor = imagenet_utils.preprocess_input(ops.convert_to_tensor(images), mode=mode)
    array = imagenet_utils.preprocess_input(images.copy(), mode=mode)
    np.testing.assert_allclose(np.asarray(tensor), array, rtol=1e-5, atol=1e-5)


def test_an_array_of_floats_is_preprocessed_in_place_and_one_of_integers_is_not():
    floats = np.full((1, 2, 2, 3), 255, "float32")
    assert mobilenet_v2.preprocess_input(floats) is floats and floats.max() == 1
    integers = np.full((1, 2, 2, 3), 255, "uint8")
    assert mobilenet_v2.preprocess_input(integers).max() == 1 and integers.max() == 255


@pytest.mark.parametrize("wrong", [{"mode": "torch2"}, {"data_format": "channels_middle"}])
def test_preprocess_input_refuses_unknown_words(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong.values()))):
        imagenet_utils.preprocess_input(np.zeros((1, 2, 2, 3)), **wrong)


def test_a_missing_file_of_weights_is_named_with_its_folder_and_address(cache):
    name = "mobilenet_v2_weights_tf_dim_ordering_tf_kernels_0.35_96_no_top.h5"
    with pytest.raises(FileNotFoundError) as said:
        applications.MobileNetV2(alpha=0.35, input_shape=(96, 96, 3), include_top=False)
    for words in (name, str(cache), f"/mobilenet_v2/{name}", "not download"):
        assert words in str(said.value)


def test_a_file_of_weights_with_another_checksum_is_refused(cache):
    from plimsoll.errors import CorruptFile

    (cache / "weights_mobilenet_v3_small_224_0.75_float_no_top_v2.h5").write_bytes(b"short")
    with pytest.raises(CorruptFile, match="ebdb5cc8e0b497cd13a7c275d475c819"):
        applications.MobileNetV3Small(alpha=0.75, input_shape=(224, 224, 3), include_top=False)


@needs_real_keras
def test_imagenet_weights_are_read_from_the_cache(cache, monkeypatch):
    name = "weights_mobilenet_v3_small_224_1.0_float.h5"
    monkeypatch.delitem(_checksums.CHECKSUMS, name)
    (cache / name).write_bytes(made("predict", "MobileNetV3Small", ".h5").read_bytes())
    monkeypatch.setattr("plimsoll.keras.applications._network.IMAGENET_CLASSES", 10)
    expected = np.load(made("predict", "MobileNetV3Small", ".npz"))
    with pytest.warns(UserWarning, match="224 x 224"):
        model = applications.MobileNetV3Small(
            input_shape=(96, 96, 3), classes=10, classifier_activation=None
        )
    check_predictions(model, expected)


def test_decode_predictions_says_which_file_belongs_where(cache, monkeypatch):
    monkeypatch.setattr(imagenet_utils, "_class_names", None)
    with pytest.raises(FileNotFoundError, match="imagenet_class_index.json in " + str(cache)):
        vgg16.decode_predictions(np.zeros((1, 1000)))


def test_decode_predictions_gives_the_likeliest_classes_first(cache, monkeypatch):
    monkeypatch.setattr(imagenet_utils, "_class_names", None)
    monkeypatch.delitem(_checksums.CHECKSUMS, "imagenet_class_index.json")
    classes = {str(n): [f"n{n:08}", f"class {n}"] for n in range(1000)}
    (cache / "imagenet_class_index.json").write_text(json.dumps(classes))
    predictions = np.zeros((2, 1000), "float32")
    predictions[0, [7, 3]] = 0.25, 0.75
    predictions[1, 999] = 1
    first, second = vgg16.decode_predictions(predictions, top=2)
    assert first == [("n00000003", "class 3", 0.75), ("n00000007", "class 7", 0.25)]
    assert second[0] == ("n00000999", "class 999", 1) and len(second) == 2


def test_decode_predictions_refuses_other_numbers_of_classes():
    with pytest.raises(ValueError, match=r"\(2, 10\)"):
        vgg16.decode_predictions(np.zeros((2, 10)))


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"weights": "no/such/file.h5"}, "no/such/file.h5"),
        ({"classes": 10}, "1000 classes, not 10"),
        ({"classifier_activation": "relu"}, "classifier_activation is 'relu'"),
        ({"input_shape": (100, 100, 3)}, r"\(224, 224, 3\)"),
        ({"weights": None, "input_shape": (31, 100, 3)}, "32 x 32"),
        ({"weights": None, "input_shape": (100, 3)}, "a height, a width and channels"),
        ({"weights": None, "input_shape": (None, 100, 3)}, "include_top=True"),
        ({"include_top": False, "input_shape": (100, 100, 1)}, "3 channels"),
        ({"weights": None, "input_tensor": np.zeros((1, 64, 64, 3))}, "found ndarray"),
    ],
)
def test_wrong_arguments_are_refused_with_a_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        applications.VGG16(**arguments)


def test_an_unknown_argument_is_refused_under_the_name_of_the_network():
    with pytest.raises(TypeError, match=r"VGG16\(\) .*'alpha'"):
        applications.VGG16(alpha=2)


def test_a_name_that_is_not_here_fails_with_a_sentence():
    with pytest.raises(AttributeError, match="Plimsoll has no keras.applications.ResNet34"):
        applications.ResNet34  # noqa: B018


def test_networks_have_a_signature_and_a_text_for_help():
    assert list(inspect.signature(applications.VGG16).parameters)[:2] == ["include_top", "weights"]
    assert "VGG16" in applications.VGG16.__doc__
    assert applications.VGG16.__module__ == "plimsoll.keras.applications.vgg16"


def test_a_network_begins_at_the_input_it_is_given():
    image = layers.Input((40, 50, 3), name="photo")
    model = applications.VGG16(weights=None, include_top=False, input_tensor=image)
    assert model.output_shape == (None, 1, 1, 512)
    assert model.layers[0].name == "photo"


@pytest.mark.xfail(strict=True, reason="get_source_inputs cannot see what a tensor was made from")
def test_a_network_continues_the_tensor_it_is_given():
    scaled = layers.Rescaling(1 / 255)(layers.Input((40, 50, 3)))
    model = applications.VGG16(weights=None, include_top=False, input_tensor=scaled)
    assert model.output_shape == (None, 1, 1, 512)
    assert [type(layer).__name__ for layer in model.layers[:2]] == ["InputLayer", "Rescaling"]
