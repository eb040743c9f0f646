"""keras.utils.get_file: the cache folder, checksums, archives of strangers."""
import hashlib
import http.server
import io
import os
import tarfile
import threading
import zipfile

import pytest

from plimsoll.errors import CorruptFile
from plimsoll.keras.utils import get_file
from plimsoll.keras.utils.archives import extract_archive


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "keras_home"
    monkeypatch.setenv("KERAS_HOME", str(folder))
    return folder


@pytest.fixture
def served(tmp_path):
    """A folder and the address under which a server on this machine has its files."""
    folder = tmp_path / "served"
    folder.mkdir()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(folder))

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield folder, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_download_shows_progress_and_is_kept(home, served, capsys):
    folder, address = served
    (folder / "a.txt").write_bytes(b"hello" * 1000)
    path = get_file(origin=f"{address}/a.txt")
    assert path == str(home / "datasets" / "a.txt")
    assert open(path, "rb").read() == b"hello" * 1000
    said = capsys.readouterr().out
    assert f"Downloading data from {address}/a.txt" in said and "5000/5000" in said
    (folder / "a.txt").write_bytes(b"other")
    assert get_file("a.txt", f"{address}/a.txt") == path
    assert open(path, "rb").read() == b"hello" * 1000
    assert capsys.readouterr().out == ""
    get_file("a.txt", f"{address}/a.txt", force_download=True)
    assert open(path, "rb").read() == b"other"


@pytest.mark.parametrize("algorithm", ["sha256", "md5"])
def test_a_file_with_another_hash_is_refused_and_not_kept(home, served, algorithm):
    folder, address = served
    (folder / "a.txt").write_bytes(b"hello")
    right = hashlib.new(algorithm, b"hello").hexdigest()
    assert get_file(origin=f"{address}/a.txt", file_hash=right)
    (folder / "a.txt").write_bytes(b"forged")
    with pytest.raises(CorruptFile, match=f"does not have the hash {right}.*datasets/b.txt"):
        get_file("b.txt", f"{address}/a.txt", file_hash=right)
    assert os.listdir(home / "datasets") == ["a.txt"]


def test_a_cached_file_with_another_hash_is_downloaded_again(home, served, capsys):
    folder, address = served
    (folder / "a.txt").write_bytes(b"new")
    (home / "datasets").mkdir(parents=True)
    (home / "datasets" / "a.txt").write_bytes(b"half")
    path = get_file("a.txt", f"{address}/a.txt", md5_hash=hashlib.md5(b"new").hexdigest())
    assert open(path, "rb").read() == b"new"
    assert "incomplete or outdated" in capsys.readouterr().out


def test_a_file_that_cannot_be_had_is_named_with_its_place(home, served):
    place = home / "datasets" / "gone.npz"
    with pytest.raises(OSError, match=f"(?s)cannot download .*put it at '{place}'"):
        get_file("gone.npz", f"{served[1]}/gone.npz")
    with pytest.raises(OSError, match=f"put it at '{place}'"):
        get_file("gone.npz", "http://127.0.0.1:9/gone.npz")
    assert os.listdir(home / "datasets") == []


def test_names_are_checked(home):
    with pytest.raises(ValueError, match="origin"):
        get_file("a.txt")
    with pytest.raises(ValueError, match="fname=../a"):
        get_file("../a", "http://127.0.0.1:9/a")
    with pytest.raises(ValueError, match="no address"):
        get_file("a", "gopher://127.0.0.1/a")


def tar_of(path, entries):
    """entries: (name, content) or a TarInfo."""
    with tarfile.open(path, "w:gz") as archive:
        for entry in entries:
            if isinstance(entry, tarfile.TarInfo):
                archive.addfile(entry)
                continue
            info = tarfile.TarInfo(entry[0])
            info.size = len(entry[1])
            archive.addfile(info, io.BytesIO(entry[1]))


def link(name, target, kind=tarfile.SYMTYPE):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def test_an_archive_is_extracted_where_keras_has_it(home, served):
    folder, address = served
    tar_of(folder / "flowers.tgz", [("flowers/rose.txt", b"red"), link("flowers/it", "rose.txt")])
    path = get_file("flowers", f"{address}/flowers.tgz", untar=True)
    assert path == str(home / "datasets" / "flowers")
    assert open(f"{path}/flowers/it").read() == "red"
    with zipfile.ZipFile(folder / "b.zip", "w") as archive:
        archive.writestr("x/y.txt", "why")
    path = get_file("b.zip", f"{address}/b.zip", extract=True)
    assert path == str(home / "datasets" / "b_extracted")
    assert open(f"{path}/x/y.txt").read() == "why"
    (folder / "b.zip").rename(folder / "c.zip")
    assert get_file(origin=f"{address}/c.zip", extract=True) == str(home / "datasets" / "c.zip")


device = tarfile.TarInfo("pipe")
device.type = tarfile.FIFOTYPE


@pytest.mark.parametrize("entries", [
    [("../outside.txt", b"x")],
    [("/tmp/plimsoll_outside.txt", b"x")],
    [("a/../../outside.txt", b"x")],
    [link("up", ".."), ("up/outside.txt", b"x")],
    [link("up", "/")],
    [link("a/up", "../../..")],
    [link("hard", "../outside.txt", tarfile.LNKTYPE)],
    [("d/ok.txt", b"x"), link("e", "d"), ("e/through.txt", b"x")],
    [device],
], ids=["parent", "absolute", "detour", "link to parent", "link to root", "deep link", "hard link",
        "through a link", "pipe"])
def test_an_archive_cannot_write_outside_of_its_folder(tmp_path, entries):
    archive = tmp_path / "bad.tar.gz"
    tar_of(archive, [("good.txt", b"good"), *entries])
    inner = tmp_path / "deep" / "inner"
    with pytest.raises(CorruptFile, match="bad.tar.gz"):
        extract_archive(archive, inner)
    assert sorted(os.listdir(tmp_path)) == ["bad.tar.gz", "deep"]
    assert os.listdir(tmp_path / "deep") == []


def test_a_zip_archive_cannot_write_outside_of_its_folder(tmp_path):
    path = tmp_path / "bad.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../outside.txt", "x")
    with pytest.raises(CorruptFile, match="leads out"):
        extract_archive(path, tmp_path / "inner")
    assert sorted(os.listdir(tmp_path)) == ["bad.zip"]


def test_a_damaged_archive_leaves_nothing(tmp_path):
    path = tmp_path / "cut.tar.gz"
    tar_of(path, [("a.txt", os.urandom(100_000))])
    path.write_bytes(path.read_bytes()[:50_000])
    with pytest.raises(CorruptFile, match="damaged"):
        extract_archive(path, tmp_path / "inner")
    assert os.listdir(tmp_path) == ["cut.tar.gz"]


def test_what_is_no_archive_is_said_to_be_none(tmp_path, home, served):
    folder, address = served
    (folder / "a.txt").write_text("plain")
    assert not extract_archive(folder / "a.txt", tmp_path / "inner")
    with pytest.warns(UserWarning, match="no archive"):
        get_file("a", f"{address}/a.txt", extract=True)
