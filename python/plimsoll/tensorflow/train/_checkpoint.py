"""Checkpoints: the variables of models, optimizers and variables by their names, the positions of
iterators, and where random numbers are, in .npz files: a loop that goes on draws (in a Dropout, say) what
it would have drawn.

The files are Plimsoll's own: TensorFlow does not read them, nor Plimsoll TensorFlow's. A model that
both read is saved with model.save("model.keras").
"""
import errno
import json
import os
import pathlib
import re
import warnings
import zipfile
import zlib

import numpy as np

from plimsoll import _core
from plimsoll.errors import CorruptFile, InvalidArgument
from plimsoll.tensorflow import random
from plimsoll.tensorflow.errors import NotFoundError

_STATE = "checkpoint"
_OWN = "state"  # of an iterator or a generator: what its checkpoint_state() gives
_RANDOM = ".random"  # the state of tf.random; no part has this name


def _variables_of(item) -> list:
    """The variables of anything that a checkpoint may hold, in a fixed order."""
    if item is None or isinstance(item, (str, bytes, int, float)):
        return []
    if isinstance(item, _core.Variable):
        return [item]
    if isinstance(item, Checkpoint):
        return [each for part in item._parts.values() for each in _variables_of(part)]
    if isinstance(item, dict):
        return [each for key in sorted(item) for each in _variables_of(item[key])]
    if isinstance(item, (list, tuple)):
        return [each for part in item for each in _variables_of(part)]
    for name in ("weights", "variables"):
        found = getattr(item, name, None)
        if found is not None:
            return list(found() if callable(found) else found)
    return []


def _as_bytes(state) -> np.ndarray:
    return np.frombuffer(json.dumps(state).encode(), np.uint8)


def _from_bytes(value: np.ndarray):
    return json.loads(value.tobytes().decode())


class CheckpointOptions:
    """Accepted; a checkpoint is written at once."""

    def __init__(self, *args, **kwargs):
        pass


class _Status:
    """What was restored."""

    def __init__(self, missing: list, unused: list):
        self._missing, self._unused = missing, unused

    def expect_partial(self) -> "_Status":
        return self

    def assert_consumed(self) -> "_Status":
        if self._missing or self._unused:
            raise AssertionError(f"the checkpoint lacks {self._missing or 'nothing'} and has "
                                 f"{self._unused or 'nothing'} that no object restores")
        return self

    def assert_existing_objects_matched(self) -> "_Status":
        if self._missing:
            raise AssertionError(f"the checkpoint lacks {self._missing}")
        return self

    assert_nontrivial_match = assert_existing_objects_matched

    def initialize_or_restore(self, session=None) -> None:
        """Nothing is left to do."""


class Checkpoint:
    """Keeps what it is given by name: `Checkpoint(model=model, optimizer=optimizer)`."""

    def __init__(self, root=None, **kwargs):
        parts = {} if root is None else {"root": root}
        object.__setattr__(self, "_parts", {**parts, **kwargs})
        self.save_counter = _core.Variable(0, name="save_counter", trainable=False)

    def __setattr__(self, name: str, value) -> None:
        self._parts[name] = value

    def __getattr__(self, name: str):
        parts = object.__getattribute__(self, "_parts")
        if name in parts:
            return parts[name]
        raise AttributeError(f"the Checkpoint has no '{name}' (it has: {', '.join(parts)})")

    def _values(self) -> dict:
        values = {key: np.asarray(variable) for key, variable in self._named_variables().items()}
        for key, part in self._stateful().items():
            values[key] = _as_bytes(part.checkpoint_state())
        values[_RANDOM] = _as_bytes(random.checkpoint_state())
        return values

    def _stateful(self) -> dict:
        """Iterators and generators, whose state is in no variable, by their names in files."""
        found = {}
        for name, part in self._parts.items():
            if isinstance(part, Checkpoint):
                found.update({f"{name}/{key}": inner for key, inner in part._stateful().items()})
            elif hasattr(part, "checkpoint_state"):
                found[f"{name}/{_OWN}"] = part
        return found

    def _named_variables(self) -> dict:
        """All variables by their names in files."""
        return {f"{name}/{i}": variable for name, part in self._parts.items()
                for i, variable in enumerate(_variables_of(part))}

    def write(self, file_prefix, options=None) -> str:
        """Writes one file, which gets its name after it was read back; returns its prefix."""
        path = pathlib.Path(str(file_prefix) + ".npz")
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(path.name + ".part")
        values = self._values()
        try:
            with open(beside, "wb") as file:
                np.savez(file, **values)
                _flush(file)
            _verify(beside, values, path)
            os.replace(beside, path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
        _flush_folder(path.parent)
        return str(file_prefix)

    def save(self, file_prefix, options=None) -> str:
        """Writes the next checkpoint of a prefix; returns its prefix, with a number."""
        self.save_counter.assign_add(1)
        path = self.write(f"{file_prefix}-{int(self.save_counter)}")
        kept = [name for name in _state_of(pathlib.Path(path).parent) if name != path]
        _write_state(path, [*kept, path])
        return path

    def _build_optimizers(self) -> None:
        """An optimizer has its state once it knows the variables: those of the models here."""
        weights = [each for part in self._parts.values()
                   for each in getattr(part, "trainable_weights", None) or []]
        for part in self._parts.values():
            if hasattr(part, "apply_gradients") and not getattr(part, "built", True) and weights:
                part.build(weights)

    def read(self, save_path, options=None) -> _Status:
        """Assigns what a file has; the status says what did not match."""
        path = str(save_path) + ("" if str(save_path).endswith(".npz") else ".npz")
        if not os.path.exists(path):
            raise NotFoundError(f"there is no checkpoint {path}; checkpoints of TensorFlow are not "
                                "read")
        self._build_optimizers()
        return self._assign(_read(path), path)

    def _assign(self, values: dict, path: str) -> _Status:
        """Takes the values, after a look at all of them: a file that does not fit changes nothing."""
        variables = self._named_variables()
        self._check(values, variables, path)
        missing = [key for key in variables if key not in values]
        for key, variable in variables.items():
            if key in values:
                variable.assign(values.pop(key))
        for key, part in self._stateful().items():
            if key in values:
                part.set_checkpoint_state(_from_bytes(values.pop(key)))
        # The last: an iterator that goes to its place may draw numbers.
        if _RANDOM in values:
            random.set_checkpoint_state(_from_bytes(values.pop(_RANDOM)))
        return _Status(missing, sorted(values))

    def _check(self, values: dict, variables: dict, path: str) -> None:
        for name, part in self._parts.items():
            is_empty = not hasattr(part, "checkpoint_state") and not _variables_of(part)
            if is_empty and any(key.startswith(f"{name}/") for key in values):
                raise ValueError(f"Checkpoint.restore: '{name}' has no variables yet; call it once on "
                                 "data before it is restored")
        for key, variable in variables.items():
            if key in values and tuple(variable.shape) != values[key].shape:
                raise InvalidArgument(f"{path}: '{key}' ({variable.name}) has shape {tuple(variable.shape)}, and "
                                      f"{values[key].shape} in the file; it is that of another model")

    def restore(self, save_path, options=None) -> _Status:
        """Assigns what the file has; None restores nothing."""
        if save_path is None:
            return _Status([], [])
        return self.read(save_path)


def _write_state(latest: str, kept: list) -> None:
    """The file that says which checkpoints there are; its form is TensorFlow's."""
    folder = pathlib.Path(latest).parent
    lines = [f'model_checkpoint_path: "{pathlib.Path(latest).name}"']
    lines += [f'all_model_checkpoint_paths: "{pathlib.Path(name).name}"' for name in kept]
    beside = folder / f"{_STATE}.part"
    with open(beside, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
        _flush(file)
    os.replace(beside, folder / _STATE)
    _flush_folder(folder)


def _flush(file) -> None:
    """A file is on the disk before it gets its name, so that a crash leaves the old one or the new."""
    file.flush()
    os.fsync(file.fileno())
    if hasattr(os, "posix_fadvise"):  # who reads it back sees what the disk has
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _verify(beside, values: dict, path) -> None:
    """CorruptFile where a new file has other values than these: nothing may be removed for it."""
    try:
        found = _read(str(beside))
    except CorruptFile:
        found = {}
    is_same = found.keys() == values.keys() and all(
        found[name].shape == value.shape and found[name].tobytes() == value.tobytes() for name, value in values.items())
    if not is_same:
        raise CorruptFile(f"{path}: what was written does not read back as it was; the disk may be damaged. Earlier checkpoints "
                          "are kept")


def _flush_folder(folder) -> None:
    """The names in it are on the disk too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _read(path: str) -> dict:
    try:
        with np.load(path) as file:
            return dict(file)
    except (ValueError, KeyError, EOFError, NotImplementedError, RuntimeError, MemoryError, OverflowError,
            SyntaxError, zlib.error, zipfile.BadZipFile) as error:
        raise CorruptFile(f"{path}: the checkpoint is damaged ({error})") from None
    except OSError as error:
        if error.errno != errno.EINVAL:  # else it leads to places that no file has
            raise
        raise CorruptFile(f"{path}: the checkpoint is damaged ({error})") from None


def _state_of(folder) -> list:
    """The prefixes of the checkpoints that the state file names, the latest last."""
    path = pathlib.Path(folder) / _STATE
    if not path.exists():
        return []
    names = re.findall(r'^all_model_checkpoint_paths: "(.*)"', path.read_text("utf-8"), re.M)
    return [str(path.parent / name) for name in names if (path.parent / (name + ".npz")).exists()]


def latest_checkpoint(checkpoint_dir, latest_filename=None):
    """The prefix of the newest checkpoint of a folder; None if there is none.

    Weights that ModelCheckpoint or save_weights() wrote there count too.
    """
    found = _state_of(checkpoint_dir)
    if found:
        return found[-1]
    folder = pathlib.Path(checkpoint_dir)
    files = [path for path in folder.glob("*.weights.h5")] if folder.is_dir() else []
    return str(max(files, key=lambda path: path.stat().st_mtime)) if files else None


class _State:
    """The checkpoints of a folder."""

    def __init__(self, paths: list):
        self.model_checkpoint_path = paths[-1]
        self.all_model_checkpoint_paths = paths


def get_checkpoint_state(checkpoint_dir, latest_filename=None):
    paths = _state_of(checkpoint_dir)
    return _State(paths) if paths else None


def checkpoints_iterator(checkpoint_dir, *args, **kwargs):
    yield from _state_of(checkpoint_dir)


class _Reader:
    """The values of one checkpoint."""

    def __init__(self, path):
        self._values = _read(str(path) + ".npz")

    def get_variable_to_shape_map(self) -> dict:
        return {name: list(value.shape) for name, value in self._values.items()}

    def has_tensor(self, name: str) -> bool:
        return name in self._values

    def get_tensor(self, name: str) -> np.ndarray:
        return self._values[name]


def load_checkpoint(ckpt_dir_or_file) -> _Reader:
    return _Reader(latest_checkpoint(ckpt_dir_or_file) or ckpt_dir_or_file)


def list_variables(ckpt_dir_or_file) -> list:
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file, name: str) -> np.ndarray:
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name)


class CheckpointManager:
    """Keeps the last checkpoints of a folder."""

    def __init__(self, checkpoint, directory, max_to_keep, keep_checkpoint_every_n_hours=None,
                 checkpoint_name="ckpt", step_counter=None, checkpoint_interval=None, init_fn=None):
        self._checkpoint, self._directory = checkpoint, str(directory)
        self._most, self._prefix = max_to_keep, os.path.join(self._directory, checkpoint_name)
        self._paths = _state_of(self._directory)

    @property
    def checkpoints(self) -> list:
        return list(self._paths)

    @property
    def latest_checkpoint(self):
        return self._paths[-1] if self._paths else None

    @property
    def directory(self) -> str:
        return self._directory

    @property
    def checkpoint(self) -> Checkpoint:
        return self._checkpoint

    def save(self, checkpoint_number=None, check_interval=True, options=None) -> str:
        """Writes a checkpoint and removes the oldest beyond max_to_keep."""
        if checkpoint_number is None:
            self._checkpoint.save_counter.assign_add(1)
            checkpoint_number = int(self._checkpoint.save_counter)
        path = self._checkpoint.write(f"{self._prefix}-{int(checkpoint_number)}")
        self._paths = [name for name in self._paths if name != path] + [path]
        old = self._paths[:-self._most] if self._most else []
        self._paths = self._paths[len(old):]
        _write_state(path, self._paths)
        for name in old:  # after the list names the new one
            pathlib.Path(name + ".npz").unlink(missing_ok=True)
        return path

    def restore_or_initialize(self):
        """Restores the newest checkpoint that is whole; those that are not are named in warnings."""
        damaged = None
        for path in reversed(self._paths):
            try:
                self._checkpoint.restore(path)
                return path
            except CorruptFile as error:
                damaged = damaged or error
                warnings.warn(f"{error}; this checkpoint is not used", stacklevel=2)
        if damaged is not None:
            raise damaged
        return None
