"""`%load_ext plimsoll` in IPython and notebooks, and what errors and findings call their cells."""

import sys

from plimsoll import _stand_in


def shown_name(file: str) -> str:
    """The name of a file of code; of a cell: "Cell In[3]", as IPython's own tracebacks have it."""
    if "IPython" not in sys.modules:
        return file
    ipython = sys.modules["IPython"].get_ipython()
    name = getattr(getattr(ipython, "compile", None), "format_code_name", lambda _: None)(file)
    return file if name is None else " ".join(name)


def load_ipython_extension(ipython) -> None:
    """The cells after this one get Plimsoll from `import tensorflow` and `import keras`."""
    _stand_in.install()


def unload_ipython_extension(ipython) -> None:
    """`%unload_ext plimsoll`: imports in later cells find the installed packages again."""
    _stand_in.uninstall()
