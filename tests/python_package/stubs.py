"""What is installed has stubs for editors, which say that they are there."""
import pathlib

import plimsoll

folder = pathlib.Path(plimsoll.__file__).parent
assert "site-packages" in folder.parts, f"{folder} is not what was installed"
assert (folder / "py.typed").is_file()
layers = (folder / "keras" / "layers" / "__init__.pyi").read_text()
assert "class Dense(" in layers and "def __init__(self, units" in layers
for package in ("tensorflow", "keras", "keras/optimizers/schedules"):
    assert (folder / package / "__init__.pyi").is_file(), package
