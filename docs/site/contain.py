"""Makes the built site independent of any server: it is opened from disk, where neither modules nor /javascript exist.

Debian's package of the theme refers to a style sheet of another package by a path on a web server, and its script
imports a module, which browsers refuse for files on disk. Other versions of the theme have neither, and are left as they are.
"""
import pathlib
import re

_SHARED = pathlib.Path("/usr/share/javascript")


def _contain_styles(site: pathlib.Path) -> None:
    for sheet in site.glob("_static/**/*.css"):
        text = sheet.read_text(encoding="utf-8")
        contained = re.sub(r"@import url\(/javascript/([^)]+)\);", lambda found: (_SHARED / found[1]).read_text("utf-8"), text)
        if contained != text:
            sheet.write_text(contained, encoding="utf-8")


def _contain_script(site: pathlib.Path) -> None:
    script = site / "_static/scripts/furo.js"
    text = script.read_text(encoding="utf-8")
    if imported := re.match(r'import \w+ from "\./([\w.-]+)";\n', text):
        module = script.with_name(imported[1]).read_text(encoding="utf-8")
        script.write_text(module + text[imported.end():], encoding="utf-8")


def contain(site: pathlib.Path) -> None:
    """Changes the files of the theme in the site."""
    _contain_styles(site)
    _contain_script(site)
