"""Files that scripts download, in the cache folder of Keras."""

import hashlib
import os
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import warnings

from plimsoll.errors import CorruptFile, IoError
from plimsoll.keras.utils.archives import extract_archive
from plimsoll.keras.utils.messages import print_message
from plimsoll.keras.utils.progbar import Progbar

_CHUNK_BYTES = 1 << 20


def keras_home() -> str:
    """The cache folder: $KERAS_HOME, else ~/.keras."""
    return os.path.expanduser(os.environ.get("KERAS_HOME") or os.path.join("~", ".keras"))


def get_file(
    fname=None,
    origin=None,
    untar=False,
    md5_hash=None,
    file_hash=None,
    cache_subdir="datasets",
    hash_algorithm="auto",
    extract=False,
    archive_format="auto",
    cache_dir=None,
    force_download=False,
):
    """The path of a file of the cache folder, downloaded from `origin` if it is not there.

    The folder is cache_dir/cache_subdir, by default ~/.keras/datasets. file_hash (SHA-256 or MD5)
    is compared with the file's, of a cached file too. With extract, the path is that of the folder
    of the archive's files. A download shows its progress; one that fails leaves nothing behind, and
    its error says which file belongs where.
    """
    if origin is None:
        raise ValueError('Please specify the "origin" argument (URL of the file to download).')
    if md5_hash is not None and file_hash is None:
        file_hash, hash_algorithm = md5_hash, "md5"
    name = _file_name(fname, origin)
    folder = _cache_folder(cache_dir, cache_subdir)
    target, extracted = os.path.join(folder, name), None
    if extract or untar:
        target, extracted = _archive_places(folder, name, fname is not None)
    if force_download or not _have(target, file_hash, hash_algorithm):
        _download(origin, target, file_hash, hash_algorithm)
    if extracted is None:
        return target
    if _is_newer(extracted, target):
        return extracted
    if not extract_archive(target, extracted, "tar" if untar else archive_format):
        warnings.warn(f"'{target}' is no archive that can be extracted", stacklevel=2)
    return extracted


def _file_name(fname, origin) -> str:
    name = os.fspath(fname) if fname else os.path.basename(urllib.parse.urlsplit(origin).path)
    if not name:
        raise ValueError(f"'{origin}' does not end in a file name. Please specify `fname`.")
    if os.sep in name or name in (".", ".."):
        raise ValueError(
            "Paths are no longer accepted as the `fname` argument. To specify the file's parent "
            f"directory, use the `cache_dir` argument. Received: fname={name}"
        )
    return name


def _cache_folder(cache_dir, cache_subdir) -> str:
    """The folder, made if it is not there; below the temporary folder if it cannot be made."""
    base = os.path.expanduser(cache_dir) if cache_dir is not None else keras_home()
    folder = os.path.join(base, cache_subdir)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        folder = os.path.join(tempfile.gettempdir(), ".keras", cache_subdir)
        os.makedirs(folder, exist_ok=True)
    return folder


def _archive_places(folder, name, was_named):
    """Where an archive and its files are kept, by the names that Keras gives them."""
    if was_named and "." in name:
        stem = name.partition(".")[0]
        return os.path.join(folder, name), os.path.join(folder, f"{stem}_extracted")
    return os.path.join(folder, f"{name}_archive"), os.path.join(folder, name)


def _is_newer(folder, archive) -> bool:
    """True if the archive was extracted before: its folder appears whole or not at all."""
    return os.path.isdir(folder) and os.path.getmtime(folder) > os.path.getmtime(archive)


def _have(target, file_hash, algorithm) -> bool:
    if not os.path.exists(target):
        return False
    if file_hash is None or validate_file(target, file_hash, algorithm):
        return True
    print_message(
        f"'{target}' is incomplete or outdated: its hash is not {file_hash}. "
        "It will be downloaded again."
    )
    return False


def _download(origin, target, file_hash, algorithm) -> None:
    if urllib.parse.urlsplit(origin).scheme not in ("http", "https", "ftp", "file"):
        raise ValueError(f"'{origin}' is no address of the kind http, https, ftp or file")
    print_message(f"Downloading data from {origin}")
    part = f"{target}.part{os.getpid()}"
    try:
        _copy(origin, part)
        if file_hash is not None and not validate_file(part, file_hash, algorithm):
            raise CorruptFile(
                f"{origin}: the file that was downloaded does not have the hash {file_hash}; "
                f"it is incomplete or another one. The right one belongs at '{target}'."
            )
        os.replace(part, target)
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", error)
        raise IoError(
            f"cannot download {origin}: {reason}. Get the file in another way and put it at "
            f"'{target}'."
        ) from None
    finally:
        if os.path.exists(part):
            os.remove(part)


def _copy(origin, part) -> None:
    with urllib.request.urlopen(origin, timeout=60) as answer, open(part, "wb") as file:
        size = int(answer.headers.get("Content-Length") or 0) or None
        bar, done = Progbar(size, unit_name="byte"), 0
        while chunk := answer.read(_CHUNK_BYTES):
            file.write(chunk)
            done += len(chunk)
            bar.update(done)
        if size is None:
            bar.update(done, finalize=True)
    if size is not None and done != size:
        raise ConnectionError(f"the connection ended after {done} of {size} bytes")


def validate_file(path, file_hash, algorithm="auto") -> bool:
    """True if the file has that SHA-256 or MD5 hash; 'auto' knows by the length which it is."""
    if algorithm == "auto":
        algorithm = "sha256" if len(str(file_hash)) == 64 else "md5"
    if algorithm not in ("sha256", "md5"):
        raise ValueError(f"hash_algorithm '{algorithm}' is not known; it is 'sha256' or 'md5'")
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, algorithm).hexdigest()
    return found == str(file_hash).lower()
