"""A document of the repository: its headings, their anchors, and its links. Anchors are made as GitHub makes them."""
import os
import pathlib
import re
from collections.abc import Iterator

_FENCE = re.compile(r"^ *(`{3,})(\S*)")
_HEADING = re.compile(r"^(#{1,6}) +(.*?) *#*$")
_CODE_SPAN = re.compile(r"(`+)(?:.+?)\1(?!`)")
_TARGET = re.compile(r"(?<=\]\()[^)\s]+(?=\))")


def anchor_of(heading: str) -> str:
    """The anchor of a heading that is the first of its text."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


class Anchors:
    """Gives each heading of a page its anchor; the second of the same text ends with -1."""

    def __init__(self):
        self._seen: dict[str, int] = {}

    def add(self, heading: str) -> str:
        """The anchor of the next heading."""
        anchor = anchor_of(heading)
        count = self._seen.get(anchor, 0)
        self._seen[anchor] = count + 1
        return f"{anchor}-{count}" if count else anchor


def prose(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines outside of code blocks, each with its place."""
    inside = False
    for place, line in enumerate(lines):
        if _FENCE.match(line):
            inside = not inside
        elif not inside:
            yield place, line


def heading_of(line: str) -> tuple[int, str] | None:
    """The level and the text, if the line is a heading."""
    found = _HEADING.match(line)
    return (len(found[1]), found[2]) if found else None


def with_targets(line: str, change) -> str:
    """The line with `change(target)` in the place of the target of each link."""
    without_code = _CODE_SPAN.sub(lambda span: "\0" * len(span[0]), line)
    parts, end = [], 0
    for found in _TARGET.finditer(without_code):
        parts += [line[end:found.start()], change(line[found.start():found.end()])]
        end = found.end()
    return "".join(parts) + line[end:]


def targets(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The targets of all links to files and anchors, each with the number of its line."""
    for place, line in prose(lines):
        found: list[str] = []
        with_targets(line, lambda target: found.append(target) or target)
        yield from ((place + 1, target) for target in found if not is_outside(target))


def is_outside(target: str) -> bool:
    """True for an address, which is not looked up."""
    return ":" in target.split("/")[0]


def anchors_of(lines: list[str]) -> set[str]:
    """All anchors of a document."""
    anchors = Anchors()
    return {anchors.add(heading[1]) for _, line in prose(lines) if (heading := heading_of(line))}


def resolve(document: pathlib.PurePath, target: str) -> tuple[pathlib.PurePath, str]:
    """The file that a link of a document leads to, relative to where the document is, and its anchor."""
    path, _, anchor = target.partition("#")
    if not path:
        return document, anchor
    return pathlib.PurePath(os.path.normpath(document.parent / path)), anchor
