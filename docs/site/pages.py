"""The documents of the repository as pages of the site.

A page keeps the path of its document, so links between documents need little change. A long document becomes one page
per section: docs/cli.md is the pages docs/cli.md, docs/cli/plan.md, docs/cli/check.md, …. The order is that of the lists
under "Where to read on" in README.md, which is the first page.
"""
import dataclasses
import os
import pathlib
import re

import document

FIRST = pathlib.PurePath("README.md")
INDEX = pathlib.PurePath("index.md")
# Documents of which each section of the second level is a page.
_IN_SECTIONS = ("docs/cli.md", "docs/data.md")
READ_ON = "Where to read on"
# Names of code blocks that tests know and that no highlighter knows.
_LANGUAGES = {"json-lines": "text", "json-settings": "json", "csv": "text"}


@dataclasses.dataclass
class Page:
    """A page before its links are changed: where it is in the site, the document it is from, and its lines."""
    path: pathlib.PurePath
    source: pathlib.PurePath
    lines: list[str]
    children: list[pathlib.PurePath] = dataclasses.field(default_factory=list)


def _raised(lines: list[str]) -> list[str]:
    """A section as a page of its own: its headings are one level higher."""
    lines = list(lines)
    for place, line in document.prose(lines):
        if document.heading_of(line):
            lines[place] = line[1:]
    return lines


def _title(name: str, heading: str) -> str:
    """A section of docs/cli.md in small letters is a command."""
    text = heading.removeprefix("## ")
    return f"# plimsoll {text}" if name == "docs/cli.md" and text.islower() else f"# {text}"


def pages_of(name: str, text: str) -> list[Page]:
    """The pages of one document, the first of which has the beginning and lists the others."""
    source = pathlib.PurePath(name)
    path = INDEX if source == FIRST else source
    lines = text.splitlines()
    if name not in _IN_SECTIONS:
        return [Page(path, source, lines)]
    starts = [place for place, line in document.prose(lines) if line.startswith("## ")]
    pages = [Page(path, source, lines[:starts[0]])]
    for start, end in zip(starts, [*starts[1:], len(lines)]):
        section = path.with_suffix("") / (document.anchor_of(lines[start][3:]) + ".md")
        pages.append(Page(section, source, [_title(name, lines[start]), *_raised(lines[start:end])[1:]]))
        pages[0].children.append(section)
    return pages


def anchors_of(pages: list[Page]) -> dict[str, str]:
    """Where each anchor of a document is in the site: a page, or a page and an anchor."""
    of_document, places = document.Anchors(), {}
    for page in pages:
        of_page = document.Anchors()
        for place, line in document.prose(page.lines):
            if heading := document.heading_of(line):
                anchor = of_page.add(heading[1])
                if place == 0 and page.path != pages[0].path:
                    places[of_document.add(page.path.stem)] = str(page.path)
                else:
                    places[of_document.add(heading[1])] = f"{page.path}#{anchor}"
    return places


def groups(readme: str) -> list[tuple[str, list[str]]]:
    """The lists of README.md: captions, and the documents that they link to, in their order."""
    found: list[tuple[str, list[str]]] = []
    section = readme.split(f"\n## {READ_ON}\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        if caption := re.fullmatch(r"\*\*(.+?)\*\*", line):
            found.append((caption[1], []))
        elif line.startswith("- "):
            found[-1][1].extend(re.findall(r"\]\(([^)#]+\.md)\)", line))
    return found


class Links:
    """Turns the links of documents into links of the site. `places` are the sources that the reference shows."""

    def __init__(self, root: pathlib.Path, pages: dict[str, list[Page]], places: dict[str, str]):
        self._root = root
        self._anchors = {name: anchors_of(of_document) for name, of_document in pages.items()}
        self._first = {name: str(of_document[0].path) for name, of_document in pages.items()}
        self._titles = {name: of_document[0].lines[0].lstrip("# ") for name, of_document in pages.items()}
        self._places = places
        self.files: set[pathlib.PurePath] = set()  # other files that pages link to

    def target(self, page: Page, target: str) -> str:
        """The link as the page has it. SystemExit if it leads nowhere."""
        if document.is_outside(target):
            return target
        path, anchor = document.resolve(page.source, target)
        there = self._place(path, anchor)
        if there is None:
            raise SystemExit(f"{page.source}: the link to {target} leads nowhere")
        return os.path.relpath(there, page.path.parent)

    def title(self, page: Page, target: str) -> str:
        """What a link is called whose text is the name of its file: the title of the page."""
        return self._titles.get(str(document.resolve(page.source, target)[0]), target)

    def _place(self, path: pathlib.PurePath, anchor: str) -> str | None:
        if (self._root / path).is_dir():
            path = path / "README.md"
        name = str(path)
        if name in self._first:
            return self._anchors[name].get(anchor) if anchor else self._first[name]
        if name in self._places:
            return self._places[name]
        if not (self._root / path).is_file():
            return None
        self.files.add(path)
        return name


def text_of(page: Page, links: Links) -> str:
    """The page as Sphinx reads it."""
    lines = [re.sub(r"^( *```)([\w-]+)$", lambda fence: fence[1] + _LANGUAGES.get(fence[2], fence[2]), line)
             for line in page.lines]
    for place, line in document.prose(page.lines):
        titled = re.sub(r"\[([\w./]+\.md)\](?=\(([^)#]*))", lambda link: f"[{links.title(page, link[2])}]", line)
        lines[place] = document.with_targets(titled, lambda target: links.target(page, target))
    text = "\n".join(lines) + "\n"
    return text + toctree("", [os.path.relpath(child, page.path.parent) for child in page.children])


def toctree(caption: str, entries: list[str]) -> str:
    """A list of pages for the sidebar, which is not shown on the page itself."""
    if not entries:
        return ""
    options = ":hidden:\n" + (f":caption: {caption}\n" if caption else "")
    return "\n```{toctree}\n" + options + "\n" + "\n".join(entries) + "\n```\n"
