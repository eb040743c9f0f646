"""The C++ reference: what the public headers declare, with their comments. One page per folder.

The headers are formatted by clang-format, so declarations begin in the first column and their braces are where they are
expected; no parser of C++ is needed.
"""
import collections
import pathlib
import re
import subprocess
import tempfile

import comment_text
from cpp_declarations import items_of, leading_comment

_HEAD = """# C++ reference

`#include <plimsoll/plimsoll.h>` includes all of this, in the namespace `plimsoll`. These pages are made from the headers: one page
per folder, the declarations with the comments that are there. A class shows its public members only. What most programs use is
in [train](cpp/train.md) (`Model`, `fit` and its options), [nn](cpp/nn.md) (layers, losses, optimizers, metrics),
[ops](cpp/ops.md) and [data](cpp/data.md). [The guide](../docs/guide.md) introduces them with examples.
"""


def public_headers(root: pathlib.Path) -> list[str]:
    """As cmake/public_headers.cmake finds them, relative to the root."""
    with tempfile.NamedTemporaryFile("w", suffix=".cmake") as script:
        script.write(f'include("{root}/cmake/public_headers.cmake")\nplimsoll_public_headers(found "{root}")\n'
                     'list(JOIN found "\\n" found)\nmessage("${found}")\n')
        script.flush()
        said = subprocess.run(["cmake", "-P", script.name], stderr=subprocess.PIPE, text=True, check=True)
    return sorted(said.stderr.split())


def _header(path: str, text: str) -> str:
    parts = [f"## {pathlib.PurePath(path).name}", comment_text.to_markdown(leading_comment(text))]
    items = items_of(text)
    for item in items:
        if item.name:
            parts.append(f"### {item.name}")
        parts.append(comment_text.to_markdown(item.comment))
        if item.declarations:
            parts.append("```cpp\n" + "\n".join(item.declarations) + "\n```")
    return "\n\n".join(part for part in parts if part) + "\n" if items else ""


def _rooms(root: pathlib.Path) -> dict[str, str]:
    """What ARCHITECTURE.md says about each folder."""
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `(\w+)` \| (.*?) \| [^|]* \|$", text, re.MULTILINE))


def _page(folder: str, about: str, headers: list[str], children: list[str]) -> str:
    names = "\n".join(children)
    tree = f"```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n" if children else ""
    about = about[:1].upper() + about[1:] + ".\n\n" if about else ""
    return f"# C++: {folder}\n\n{about}{tree}\n" + "\n".join(headers)


def pages(root: pathlib.Path) -> tuple[dict[str, str], dict[str, str]]:
    """Texts by their paths in the site, and for each header the place that shows it."""
    folders, places = collections.defaultdict(list), {}
    for header in public_headers(root):
        folder = str(pathlib.PurePath(header).parent.relative_to("plimsoll"))
        text = _header(header, (root / header).read_text(encoding="utf-8"))
        if folder != "." and text:
            folders[folder].append(text)
            places[header] = f"reference/cpp/{folder}.md#" + re.sub(r"\.", "", pathlib.PurePath(header).name)
    for folder in list(folders):
        for parent in pathlib.PurePath(folder).parents:
            folders.setdefault(str(parent), [])
    del folders["."]
    texts, rooms = {}, _rooms(root)
    for folder, headers in folders.items():
        below = sorted(other for other in folders if str(pathlib.PurePath(other).parent) == folder)
        children = [str(pathlib.PurePath(other).relative_to(pathlib.PurePath(folder).parent)) + ".md" for other in below]
        texts[f"reference/cpp/{folder}.md"] = _page(folder, rooms.get(folder, ""), headers, children)
    entries = "\n".join(f"cpp/{folder}.md" for folder in sorted(folders) if "/" not in folder)
    texts["reference/cpp.md"] = _HEAD + f"\n```{{toctree}}\n:maxdepth: 2\n\n{entries}\n```\n"
    return texts, places
