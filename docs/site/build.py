"""build.py FOLDER: makes the site of the documents and of the reference in FOLDER; ends with 1 if anything is wrong.

The pages that Sphinx reads are collected in FOLDER-pages: documents with their links changed, programs of examples/, and
the reference. Nothing is written beside the sources.
"""
import pathlib
import shutil
import sys

import contain
import cpp_reference
import document
import pages as site_pages
import python_reference

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_REFERENCE = ["reference/python.md", "reference/cpp.md"]
_EXAMPLES = "examples/README.md"


def _linked(name: str) -> list[str]:
    """The documents that a document links to."""
    lines = (_ROOT / name).read_text(encoding="utf-8").splitlines()
    paths = (document.resolve(pathlib.PurePath(name), target)[0] for _, target in document.targets(lines))
    return [str(path) for path in paths if path.suffix == ".md" and (_ROOT / path).is_file()]


def _documents() -> list[str]:
    """README.md, every file of docs/, and the documents that these link to."""
    there = [str(path.relative_to(_ROOT)) for path in sorted((_ROOT / "docs").rglob("*.md"))]
    found = [str(site_pages.FIRST), *there]
    for name in found:
        found += [other for other in dict.fromkeys(_linked(name)) if other not in found]
    return found


def _text(name: str) -> str:
    return (_ROOT / name).read_text(encoding="utf-8")


def _without_list(texts: dict[str, str], documents: list[str]) -> None:
    """Documents outside of docs/ need not be in a list of README.md, which Sphinx has to know. Others must be."""
    listed = [name for _, names in site_pages.groups(_text(str(site_pages.FIRST))) for name in names]
    for name in documents:
        if name in listed or name == str(site_pages.FIRST):
            continue
        if name.startswith("docs/"):
            raise SystemExit(f"{name}: no list under \"{site_pages.READ_ON}\" in README.md links to it; add a line there")
        texts[name] = "---\norphan: true\n---\n\n" + texts[name]


def _programs() -> tuple[str, dict[str, str]]:
    """The programs of examples/ after its document, and the place of each."""
    text, places = "", {}
    for path in sorted((_ROOT / "examples").glob("*.cc")):
        text += f"\n## {path.name}\n\n```cpp\n{path.read_text(encoding='utf-8')}```\n"
        places[f"examples/{path.name}"] = f"{_EXAMPLES}#{path.name.replace('.', '')}"
    return text, places


def _first_trees(readme: str) -> str:
    """The sidebar: the groups of README.md; the reference is before the last of them."""
    groups = site_pages.groups(readme)
    groups.insert(len(groups) - 1, ("Reference", _REFERENCE))
    return "".join(site_pages.toctree(caption, names) for caption, names in groups)


def _write(folder: pathlib.Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def collect(folder: pathlib.Path) -> None:
    """Fills the folder with all pages."""
    shutil.rmtree(folder, ignore_errors=True)
    texts, places = cpp_reference.pages(_ROOT)
    texts |= python_reference.pages(_ROOT)
    programs, of_programs = _programs()
    documents = {name: site_pages.pages_of(name, _text(name)) for name in _documents()}
    links = site_pages.Links(_ROOT, documents, places | of_programs)
    for of_document in documents.values():
        texts |= {str(page.path): site_pages.text_of(page, links) for page in of_document}
    texts[str(site_pages.INDEX)] += _first_trees(_text(str(site_pages.FIRST)))
    texts[_EXAMPLES] += programs
    _without_list(texts, list(documents))
    _write(folder, texts)
    for file in links.files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(_ROOT / file, folder / file)


def main() -> int:
    """The exit code."""
    from sphinx.cmd.build import build_main

    site = pathlib.Path(sys.argv[1]).resolve()
    collected = site.with_name(site.name + "-pages")
    collect(collected)
    shutil.rmtree(site, ignore_errors=True)
    settings = str(pathlib.Path(__file__).resolve().parent)
    cache = str(site.with_name(site.name + "-cache"))
    code = build_main(["-q", "-W", "--keep-going", "-E", "-d", cache, "-c", settings, str(collected), str(site)])
    if code == 0:
        contain.contain(site)
    return code


if __name__ == "__main__":
    sys.exit(main())
