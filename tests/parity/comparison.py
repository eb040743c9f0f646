"""Errors relative to the largest value, and what weights files and configs hold."""

import io
import json
import re
import struct
import zipfile

import h5py
import numpy as np


def error(found, expected):
    """Of an array, relative to the largest expected value. Infinite where shapes differ."""
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape:
        return float("inf")
    if expected.size == 0:
        return 0.0
    difference = np.max(np.abs(found.astype(np.float64) - expected.astype(np.float64)))
    largest = np.max(np.abs(expected.astype(np.float64)))
    return float(difference / largest) if largest > 0 else float(difference)


def largest_error(found, expected):
    """Of lists of arrays."""
    if len(found) != len(expected):
        return float("inf")
    return max((error(a, b) for a, b in zip(found, expected)), default=0.0)


def datasets(path):
    """Name -> array of every dataset of an HDF5 file, or of the weights in a .keras file."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            path = io.BytesIO(archive.read("model.weights.h5"))
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return found


def is_weight(name):
    """Neither a state of the optimizer nor of a random generator."""
    return not name.startswith(("optimizer", "_optimizer")) and "seed_generator" not in name and "/generator/" not in name


def weight_errors(found_path, expected_path, excluded=()):
    """Name -> error of each weight; a weight that only one side has is infinitely wrong."""
    found, expected = datasets(found_path), datasets(expected_path)
    names = {name for name in found.keys() | expected.keys() if is_weight(name)}
    names = {name for name in names if not any(name.endswith(end) for end in excluded)}
    return {
        name: error(found[name], expected[name]) if name in found and name in expected else float("inf") for name in names
    }


def differing_bytes(one_path, other_path, counts=lambda name: True):
    """The datasets that are not the same to the last bit, of those whose name counts."""
    one, other = ({n: v for n, v in datasets(path).items() if counts(n)} for path in (one_path, other_path))
    different = one.keys() ^ other.keys()
    return sorted(different | {name for name in one.keys() & other.keys() if one[name].tobytes() != other[name].tobytes()})


def safetensors(path):
    """Name -> array of float32 and int tensors."""
    types = {"F32": np.float32, "I32": np.int32, "I64": np.int64, "U8": np.uint8, "BOOL": np.bool_, "U32": np.uint32}
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    found = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        found[name] = np.frombuffer(data[8 + length + begin : 8 + length + end], types[entry["dtype"]]).reshape(entry["shape"])
    return found


def member(path, name):
    with zipfile.ZipFile(path) as archive:
        return archive.read(name)


# With what shapes a layer was built (one that is read back is built by its first call), numbers of objects that occur
# twice, and whether TensorFlow compiles.
IGNORED = {"build_config", "shared_object_id", "jit_compile"}


def config_difference(found, expected, place=""):
    """Where two configs part, or None. Numbers may differ by the rounding of float32."""
    found, expected = comparable(found), comparable(expected)
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted(expected.keys() | found.keys()):
            if key not in found or key not in expected:
                return f"{place}.{key} is only {'in ours' if key in found else 'in the original'}"
            if difference := config_difference(found[key], expected[key], f"{place}.{key}"):
                return difference
        return None
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        differences = (config_difference(a, b, f"{place}[{i}]") for i, (a, b) in enumerate(zip(found, expected)))
        return next((d for d in differences if d), None)
    numbers = [v for v in (found, expected) if isinstance(v, (int, float)) and not isinstance(v, bool)]
    if len(numbers) == 2 and abs(found - expected) <= 1e-6 * abs(expected):
        return None
    return None if found == expected and type(found) is type(expected) else f"{place}: {found!r} is not {expected!r}"


def comparable(config):
    """Without what does not count: the order of a functional model's layers and of a layer's calls, names for what has
    a long form, lists of one, settings that are empty."""
    if isinstance(config, dict):
        if config.get("class_name") == "DTypePolicy":
            return config["config"]["name"]
        if "keras_history" in config:
            return {**config, "keras_history": config["keras_history"][::2]}
        if "inbound_nodes" in config:
            config = {**config, "inbound_nodes": sorted(config["inbound_nodes"], key=without_call_numbers)}
        return {key: value for key, value in config.items() if key not in IGNORED and not says_nothing(value)}
    if isinstance(config, list) and config and all(isinstance(c, dict) and "inbound_nodes" in c for c in config):
        return {layer["name"]: layer for layer in config}
    if isinstance(config, list) and len(config) == 1:
        return comparable(config[0])
    return config


def says_nothing(value):
    """Nothing, or a list or names of nothing: {"mask": None}."""
    if isinstance(value, (dict, list)):
        return all(map(says_nothing, value.values() if isinstance(value, dict) else value))
    return value is None


def without_call_numbers(node):
    return re.sub(r'("keras_history": \["[^"]*"), [0-9]+', r"\1", json.dumps(node))
