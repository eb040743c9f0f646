"""The pages of `plimsoll serve`, started from Python."""
import html
import os
import shutil
import subprocess
import sys
import tempfile

_PROGRAM = "plimsoll-serve"


class Server:
    """A running server: open `address` in a browser. It ends with stop(), at the end of a `with`, or with this process.

    The address is this machine's alone, and has a secret part: whoever knows it may look at the runs.
    """

    def __init__(self, process, address: str):
        self._process, self.address = process, address

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def __del__(self) -> None:
        if self._process.poll() is None:
            self.stop()

    def __repr__(self) -> str:
        return f"plimsoll.serve: {self.address}"

    def _repr_html_(self) -> str:
        address = html.escape(self.address, quote=True)
        return f'<a href="{address}" target="_blank" rel="noreferrer">{address}</a>'


def serve(folder=".", port: int = 0) -> Server:
    """Shows the runs of a folder in a browser while they go on; port 0 is a free one."""
    folder = os.fspath(folder)
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"serve: there is no folder '{folder}'")
    if not 0 <= port <= 65535:
        raise ValueError(f"serve: the port must be a number from 1 to 65535, or 0 for a free one, found {port}")
    with tempfile.TemporaryFile("w+") as errors:  # a pipe that is not read would stop it
        process = subprocess.Popen([_find_program(), folder, str(port)], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=errors, text=True)
        for line in process.stdout:
            if line.startswith("http://"):
                return Server(process, line.strip())
        process.wait()
        errors.seek(0)
        raise OSError(f"serve: {errors.read().strip() or 'the server ended without a word'}")


def _find_program() -> str:
    """Beside this interpreter, in PATH, or where the command plimsoll that is in PATH has it."""
    folders = [os.path.dirname(sys.executable), *os.get_exec_path()]
    command = shutil.which("plimsoll")
    if command is not None:
        folders.append(os.path.join(os.path.dirname(os.path.realpath(command)), os.pardir, "libexec", "plimsoll"))
    found = shutil.which(_PROGRAM, path=os.pathsep.join(folders))
    if found is None:
        raise FileNotFoundError(f"serve: the program {_PROGRAM} is not there; the wheel does not have it: install the "
                                "Debian packages that ./dev package makes, or build it with ./dev build")
    return found
