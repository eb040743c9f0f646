"""Archives that may hold anything: nothing is written outside the folder."""

import os
import shutil
import tarfile
import zipfile

from plimsoll.errors import CorruptFile


def extract_archive(archive_path, folder, archive_format="auto") -> bool:
    """Extracts a tar (also .gz, .bz2, .xz) or zip archive into a folder.

    Returns False if the file is neither. An entry whose path or link leads out of the folder, and
    one that is neither a file nor a folder nor a link, is an error, and then nothing is kept:
    entries are written to a folder beside the target, which takes its place at the end.
    """
    formats = {"auto": ("tar", "zip"), None: ()}.get(archive_format, archive_format)
    for name in [formats] if isinstance(formats, str) else formats:
        if name not in _READERS:
            raise ValueError(f"archive_format '{name}' is not known; it is 'tar', 'zip' or 'auto'")
        matches, extract = _READERS[name]
        if matches(archive_path):
            _extract_whole(archive_path, os.fspath(folder), extract)
            return True
    return False


def _extract_whole(archive_path, folder, extract) -> None:
    beside = f"{folder}.part{os.getpid()}"
    shutil.rmtree(beside, ignore_errors=True)
    os.makedirs(beside)
    try:
        extract(archive_path, beside)
        _move_into(beside, folder)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise CorruptFile(f"{archive_path}: the archive is damaged: {error}") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _move_into(source, folder) -> None:
    """Moves entries into a folder that may exist; files of the same name are replaced."""
    os.makedirs(folder, exist_ok=True)
    for entry in os.scandir(source):
        target = os.path.join(folder, entry.name)
        if entry.is_dir(follow_symlinks=False) and os.path.isdir(target):
            _move_into(entry.path, target)
        else:
            os.replace(entry.path, target)


def _extract_tar(archive_path, folder) -> None:
    with tarfile.open(archive_path) as archive:
        for entry in archive:
            _check_tar_entry(archive_path, entry)
            _check_parents(archive_path, folder, entry.name)
            # Owners and permissions are those of the person who extracts.
            archive.extract(entry, folder, set_attrs=False, **_tar_filter())


def _check_tar_entry(archive_path, entry) -> None:
    if not (entry.isfile() or entry.isdir() or entry.issym() or entry.islnk()):
        raise CorruptFile(f"{archive_path}: entry '{entry.name}' is neither a file nor a folder")
    _check_path(archive_path, entry.name, entry.name)
    if entry.issym():
        _check_path(archive_path, entry.name, os.path.dirname(entry.name), entry.linkname)
    elif entry.islnk():
        _check_path(archive_path, entry.name, entry.linkname)


def _tar_filter() -> dict:
    """Python's own filter for archives, on the versions that have it."""
    return {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


def _extract_zip(archive_path, folder) -> None:
    with zipfile.ZipFile(archive_path) as archive:
        for entry in archive.infolist():
            _check_path(archive_path, entry.filename, entry.filename)
            archive.extract(entry, folder)


def _check_path(archive_path, name, *parts) -> None:
    """Refuses an entry whose path leads out of the folder that it is extracted into."""
    path = os.path.normpath(os.path.join(*parts) or ".")
    absolute = any(os.path.isabs(part) for part in parts)
    if absolute or path == ".." or path.startswith("../"):
        raise CorruptFile(
            f"{archive_path}: entry '{name}' leads out of the folder of the archive; "
            "nothing was extracted"
        )


def _check_parents(archive_path, folder, name) -> None:
    """Refuses an entry below a link: what one entry links, the next must not write through."""
    parent = os.path.dirname(os.path.join(folder, os.path.normpath(name)))
    while len(parent) > len(folder):
        if os.path.islink(parent):
            raise CorruptFile(
                f"{archive_path}: entry '{name}' is below a link; nothing was extracted"
            )
        parent = os.path.dirname(parent)


_READERS = {
    "tar": (tarfile.is_tarfile, _extract_tar),
    "zip": (zipfile.is_zipfile, _extract_zip),
}
