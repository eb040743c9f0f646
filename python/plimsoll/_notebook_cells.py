"""The Python code of a notebook's cells, without the commands that only IPython knows."""

import json
import re

# Cell magics whose cell is Python code all the same.
_PYTHON_CELLS = ("time", "timeit", "capture", "prun", "memit", "mprun", "python", "python3")
_COMMAND = re.compile(r"^(\s*)[%!?].*|^(\s*)\S.*\?\s*$")
_ASSIGNED_COMMAND = re.compile(r"^(\s*[\w, ]+=\s*)[%!].*")


def code_cells(text: str) -> list[tuple[int, str]]:
    """(number, code) of each code cell; the first cell of the notebook has number 1."""
    notebook = json.loads(text)
    cells = notebook.get("cells")
    if cells is None:
        # Notebooks of format 3 have their cells in worksheets.
        cells = [cell for sheet in notebook.get("worksheets", []) for cell in sheet["cells"]]
    code = []
    for number, cell in enumerate(cells, 1):
        if cell.get("cell_type") == "code":
            source = cell.get("source", cell.get("input", ""))
            code.append((number, _python_of("".join(source))))
    return code


def _python_of(source: str) -> str:
    """The cell with its lines in place: IPython's commands become statements without effect."""
    lines = source.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        name = lines[first][2:].split()[0] if lines[first][2:].split() else ""
        if name not in _PYTHON_CELLS:
            return ""
        lines[first] = ""
    return "\n".join(map(_plain, lines))


def _plain(line: str) -> str:
    assigned = _ASSIGNED_COMMAND.match(line)
    if assigned:
        return assigned[1] + "None"
    command = _COMMAND.match(line)
    if command and not line.lstrip().startswith("#"):
        return (command[1] or command[2] or "") + "pass"
    return line
