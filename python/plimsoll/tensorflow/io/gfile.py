"""tf.io.gfile: files and folders of this machine."""
import glob as _glob
import os
import pathlib
import shutil

from plimsoll import _missing
from plimsoll.tensorflow.errors import AlreadyExistsError, NotFoundError
from plimsoll.tensorflow.io._files import path_of as _path


def _found(function, *args):
    """Calls a function of the system; its errors become TensorFlow's."""
    try:
        return function(*args)
    except FileNotFoundError as error:
        raise NotFoundError(str(error)) from None
    except FileExistsError as error:
        raise AlreadyExistsError(str(error)) from None


class GFile:
    """A file, as open() gives it, with TensorFlow's methods."""

    def __init__(self, name, mode="r"):
        self._name, self._mode = _path(name), mode
        self._opened = None

    @property
    def _file(self):
        if self._opened is None:
            self._opened = _found(open, self._name, self._mode, -1,
                                  None if "b" in self._mode else "utf-8")
        return self._opened

    @property
    def name(self) -> str:
        return self._name

    @property
    def mode(self) -> str:
        return self._mode

    def size(self) -> int:
        return os.path.getsize(self._name)

    def read(self, n=-1):
        return self._file.read(n)

    def readline(self):
        return self._file.readline()

    def readlines(self) -> list:
        return self._file.readlines()

    def write(self, file_content) -> None:
        self._file.write(file_content)

    def seek(self, offset=None, whence=0, position=None) -> None:
        self._file.seek(position if offset is None else offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def __iter__(self):
        return iter(self._file)

    def __next__(self):
        return next(self._file)

    def __enter__(self) -> "GFile":
        self._file
        return self

    def __exit__(self, *error) -> None:
        self.close()


Open = FastGFile = GFile


def exists(path) -> bool:
    return os.path.exists(_path(path))


def isdir(path) -> bool:
    return os.path.isdir(_path(path))


def listdir(path) -> list:
    return _found(os.listdir, _path(path))


def mkdir(path) -> None:
    _found(os.mkdir, _path(path))


def makedirs(path) -> None:
    os.makedirs(_path(path), exist_ok=True)


def remove(path) -> None:
    _found(os.remove, _path(path))


def rmtree(path) -> None:
    _found(shutil.rmtree, _path(path))


def rename(src, dst, overwrite=False) -> None:
    if exists(dst) and not overwrite:
        raise AlreadyExistsError(f"file already exists: {_path(dst)}")
    _found(os.replace, _path(src), _path(dst))


def copy(src, dst, overwrite=False) -> None:
    if exists(dst) and not overwrite:
        raise AlreadyExistsError(f"file already exists: {_path(dst)}")
    _found(shutil.copyfile, _path(src), _path(dst))


def glob(pattern) -> list:
    patterns = pattern if isinstance(pattern, (list, tuple)) else [pattern]
    return sorted(name for each in patterns for name in _glob.glob(_path(each)))


def walk(top, topdown=True, onerror=None):
    return os.walk(_path(top), topdown, onerror)


def join(path, *paths) -> str:
    return os.path.join(_path(path), *map(_path, paths))


def stat(path):
    found = _found(pathlib.Path(_path(path)).stat)
    return type("FileStatistics", (), {"length": found.st_size, "mtime_nsec": found.st_mtime_ns,
                                       "is_directory": isdir(path)})()


_missing.told(globals())
