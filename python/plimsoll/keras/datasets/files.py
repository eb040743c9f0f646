"""Where the files of a data set are: the cache folder of Keras, else Debian's packages."""

import os
from dataclasses import dataclass

from plimsoll.errors import IoError
from plimsoll.keras.utils.file_cache import get_file, keras_home, validate_file

_STORAGE = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
_SYSTEM_FOLDER = "/usr/share/datasets"


@dataclass(frozen=True)
class DataFile:
    """A file of a data set: its name in the cache folder, its hash and its address.

    A cached file with another hash is downloaded again if same_bytes; else whoever reads it
    checks its contents, for a file can be compressed in more than one way.
    """

    name: str
    file_hash: str
    origin: str = ""
    subfolder: str = ""
    same_bytes: bool = True
    debian_package: str = ""

    def find(self, name=None) -> str:
        """The path of the file; downloaded, with a progress line, if it is nowhere.

        An IoError says which file belongs where if it cannot be had. `name` is another name in
        the cache folder, as load_data(path=...) takes it.
        """
        name = name or self.name
        if os.path.isabs(name):
            return name
        for folder in (os.path.join(keras_home(), "datasets"), _SYSTEM_FOLDER):
            path = os.path.join(folder, self.subfolder, name)
            if os.path.exists(path) and self._is_good(path):
                return path
        try:
            return get_file(
                name,
                origin=self.origin or _STORAGE + self.name,
                cache_subdir=os.path.join("datasets", self.subfolder),
                file_hash=self.file_hash,
            )
        except OSError as error:
            raise IoError(f"{error}{self._package_hint()}") from None

    def _is_good(self, path) -> bool:
        return not self.same_bytes or validate_file(path, self.file_hash)

    def _package_hint(self) -> str:
        if not self.debian_package:
            return ""
        return f" On Debian and Ubuntu, 'apt install {self.debian_package}' has it too."
