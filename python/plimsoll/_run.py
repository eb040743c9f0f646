"""Runs a script, module or command as `python` would, with Plimsoll in TensorFlow's place."""

import builtins
import importlib.util
import io
import os
import sys
import types
from importlib.machinery import SourceFileLoader

_USAGE = """\
usage: python -m plimsoll SCRIPT [ARGUMENT…]        run a script; 'import tensorflow' and
                                                    'import keras' give Plimsoll
       python -m plimsoll -m MODULE [ARGUMENT…]     run a module
       python -m plimsoll -c COMMAND [ARGUMENT…]    run a command
       python -m plimsoll --check [--json] SCRIPT…  list the TensorFlow and Keras names that a
                                                    script or notebook uses and Plimsoll lacks
       python -m plimsoll --version
"""


def main(arguments: list[str]) -> int | None:
    """The whole program; what it returns is the exit code."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE, end="", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    first, rest = arguments[0], arguments[1:]
    if first == "--version":
        import plimsoll

        print("plimsoll", plimsoll.__version__)
        return 0
    if first == "--check":
        from plimsoll import _check

        return _check.main(rest)
    if first in ("-m", "-c") and not rest:
        return _refuse(f"{first} needs {'a module' if first == '-m' else 'a command'}")
    if first.startswith("-") and first not in ("-m", "-c", "-"):
        return _refuse(f"unknown option {first}")
    return _run(first, rest)


def _refuse(sentence: str) -> int:
    print(f"plimsoll: {sentence}\n{_USAGE}", end="", file=sys.stderr)
    return 2


def _run(first: str, rest: list[str]) -> int | None:
    from plimsoll import _stand_in

    _stand_in.install()
    sys.excepthook = _without_our_frames(sys.excepthook)
    module = types.ModuleType("__main__")
    module.__dict__.update(__builtins__=builtins, __annotations__={})
    # Keeps the globals of this program alive while the script is __main__.
    module_before = sys.modules["__main__"]
    sys.modules["__main__"] = module
    try:
        if first == "-m":
            code = _prepare_module(module, rest)
        elif first == "-c":
            code = _prepare_command(rest)
        elif first == "-":
            code = _prepare_input(rest)
        else:
            code = _prepare_script(module, first, rest)
    except _CannotRun as error:
        print(f"plimsoll: {error}", file=sys.stderr)
        return 2
    exec(code, module.__dict__)
    del module_before
    return None


class _CannotRun(Exception):
    """There is nothing to run; the text says why."""


def _first_path(folder: str) -> None:
    """What python puts first on the path of imports, unless its option -P forbids it."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = folder


def _prepare_script(module, script: str, rest: list[str]):
    try:
        with io.open_code(os.path.abspath(script)) as file:
            source = file.read()
    except OSError as error:
        raise _CannotRun(f"cannot open '{script}': {error.strerror}") from None
    module.__file__ = script
    module.__cached__ = None
    module.__loader__ = SourceFileLoader("__main__", script)
    sys.argv = [script, *rest]
    _first_path(os.path.dirname(os.path.realpath(script)))
    return compile(source, script, "exec", dont_inherit=True)


def _prepare_module(module, arguments: list[str]):
    name = arguments[0]
    _first_path(os.getcwd())
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(name + ".__main__")
    except ImportError as error:
        raise _CannotRun(str(error)) from None
    code = spec.loader.get_code(spec.name) if spec and spec.loader else None
    if code is None:
        raise _CannotRun(f"there is no module {name} that can be run")
    module.__file__ = spec.origin
    module.__cached__ = spec.cached
    module.__loader__ = spec.loader
    module.__package__ = spec.parent
    module.__spec__ = spec
    sys.argv = [spec.origin, *arguments[1:]]
    return code


def _prepare_command(arguments: list[str]):
    sys.argv = ["-c", *arguments[1:]]
    _first_path("")
    return compile(arguments[0], "<string>", "exec", dont_inherit=True)


def _prepare_input(rest: list[str]):
    sys.argv = ["-", *rest]
    _first_path("")
    return compile(sys.stdin.read(), "<stdin>", "exec", dont_inherit=True)


def _without_our_frames(hook):
    """An excepthook that shows a script's traceback as plain python would."""
    ours = {__file__, os.path.join(os.path.dirname(__file__), "__main__.py")}

    def shorter(kind, error, traceback):
        while traceback is not None:
            file = traceback.tb_frame.f_code.co_filename
            if file not in ours and not file.startswith("<frozen "):
                break
            traceback = traceback.tb_next
        error.__traceback__ = traceback
        hook(kind, error, traceback)

    return shorter
