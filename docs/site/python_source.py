"""The public names of a Python package, read from its source: signatures and docstrings of what is written by hand."""
import ast
import pathlib


class Package:
    """A package or module. Nothing is imported, so the engine need not be built."""

    def __init__(self, path: pathlib.Path):
        files = sorted(path.glob("*.py")) if path.is_dir() else [path]
        trees = {file.stem: ast.parse(file.read_text(encoding="utf-8")) for file in files}
        self._main = trees["__init__" if path.is_dir() else path.stem]
        self.text = ast.get_docstring(self._main) or ""
        # What several files define is that of the first of them; the package's own file comes first.
        self._definitions: dict[str, ast.stmt] = {}
        for tree in (self._main, *trees.values()):
            for node in tree.body:
                if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                    self._definitions.setdefault(node.name, node)

    def names(self) -> list[str]:
        """In the list __all__, in a table of names by file, imported from the package, or defined in its own file."""
        found = {node.name for node in self._main.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        for node in ast.walk(self._main):
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("__all__", "_FILES"):
                found |= set(ast.literal_eval(node.value))
            elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("_missing.lazy", "lazy"):
                found |= self._listed(node.args[1])
        return sorted(name for name in found if not name.startswith("_"))

    def _listed(self, table: ast.expr) -> set[str]:
        """The names in a table of files; all definitions of the package if the table is computed."""
        if not isinstance(table, ast.Dict):
            return set(self._definitions)
        return {name for names in ast.literal_eval(table).values() for name in names}

    def stub(self, name: str) -> str:
        """The definition without its code; empty if it is not written in this package."""
        node = self._definitions.get(name)
        if isinstance(node, ast.FunctionDef):
            return _function(node, "")
        return self._class(node) if node else ""

    def _class(self, node: ast.ClassDef) -> str:
        bases = ", ".join(map(ast.unparse, node.bases))
        lines = [f"class {node.name}({bases}):" if bases else f"class {node.name}:"] + _docstring(node, "    ")
        for method in self._methods(node):
            if lines[-1]:
                lines.append("")
            lines += _function(method, "    ").splitlines()
        return "\n".join(lines if len(lines) > 1 else [*lines, "    ..."])

    def _methods(self, node: ast.ClassDef) -> list[ast.FunctionDef]:
        """Of the class, and of bases that have no name outside of the package."""
        methods = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
        for base in node.bases:
            name = ast.unparse(base).split(".")[-1]
            parent = self._definitions.get(name)
            if isinstance(parent, ast.ClassDef) and name not in self.names() and name != node.name:
                methods = {part.name: part for part in self._methods(parent)} | methods
        return [method for name, method in methods.items() if name == "__init__" or not name.startswith("_")]


def _docstring(node, indent: str) -> list[str]:
    text = ast.get_docstring(node)
    if not text:
        return []
    lines = f'"""{text}"""'.splitlines()
    return [indent + line if line else "" for line in lines]


def _function(node: ast.FunctionDef, indent: str) -> str:
    marks = [f"{indent}@{ast.unparse(mark)}" for mark in node.decorator_list
             if ast.unparse(mark) in ("property", "staticmethod", "classmethod")]
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    head = f"{indent}def {node.name}({ast.unparse(node.args)}){returned}:"
    if len(head) > 100:
        head = head.replace(", ", f",\n{indent}    ")
    text = _docstring(node, indent + "    ")
    return "\n".join([*marks, head, *text] if text else [*marks, head + " ..."])
