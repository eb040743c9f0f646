"""The declarations of a header, each with its comment, without private parts and bodies."""
import dataclasses
import re

_TYPE = re.compile(r"^(?:template <.*>\s)?(?:class|struct|enum class|enum) (?:\[\[\w+\]\] )?(\w+)(?![\w<:]*;)", re.MULTILINE)
_LEFT_OUT = re.compile(r"^(?:(?:class|struct|enum class|extern|static_assert|using namespace)\b[^{=]*;|template <>|void describe\(Fields|friend )")
_BODY = re.compile(r"(\)(?: const| noexcept| override| final| &&| &)*)(?:\s*:\s.*)? \{")


@dataclasses.dataclass
class Item:
    """A type, or functions that share a comment. `name` is that of a type."""
    name: str
    comment: list[str]
    declarations: list[str]


def leading_comment(text: str) -> list[str]:
    """What the header says about itself, above #pragma once."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" "))
    return lines


def _depth(line: str) -> int:
    """How many brackets the line opens more than it closes; those in texts and comments do not count."""
    line = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|//.*', "", line)
    return sum(line.count(mark) for mark in "({") - sum(line.count(mark) for mark in ")}")


def _statements(lines: list[str]):
    """Comments (as text), blank lines (as ""), and whole statements (as lists of lines) in their order."""
    statement, depth = [], 0
    for line in lines:
        if not statement and (not line or line.startswith("//")):
            yield line
            continue
        statement.append(line)
        depth += _depth(line)
        code = re.sub(r" *//.*", "", line).rstrip()
        if depth == 0 and code.endswith((";", "}", "\\")) or code.startswith("}"):
            yield statement
            statement, depth = [], 0


def _without_namespaces(text: str) -> list[str]:
    """The lines inside of namespace plimsoll; namespaces in it are details of their headers."""
    lines, skipped = [], 0
    for line in re.sub(r"^#.*(?:\\\n.*)*$", "", text, flags=re.MULTILINE).splitlines():
        if skipped:
            skipped += _depth(line)
        elif re.match(r"(?:inline )?namespace (?!plimsoll\b)\w", line) or line.startswith("namespace {"):
            skipped = _depth(line)
        elif not re.match(r"namespace plimsoll\b|}  // namespace", line):
            lines.append(line)
    return lines


def _public(lines: list[str]) -> list[str]:
    """Without what comes after a label `private:`, up to the next label or the end of that class."""
    kept, hidden = [], 0  # the indent of the label, 0 while nothing is hidden
    for line in lines:
        indent = len(line) - len(line.lstrip())
        label = re.match(r"^( +)(public|private|protected):$", line)
        if hidden and line and (indent < hidden or label and indent == hidden):
            hidden = 0
        if label and label[2] == "private" and not hidden:
            hidden = indent
        if not hidden and not line.startswith("  friend "):
            kept.append(line)
    return kept


def _without_bodies(lines: list[str]) -> list[str]:
    kept, skipped = [], 0
    for line in lines:
        if skipped:
            skipped += _depth(line)
            continue
        if found := _BODY.search(line):
            rest = line[found.end() - 1:]
            skipped = _depth(rest)
            comment = re.search(r"\}  (//.*)$", rest)
            kept.append(line[:found.start()] + found[1] + ";" + ("  " + comment[1] if comment else ""))
        elif kept and re.match(r"^ +: \w+[({].*\{", line):
            skipped = _depth(line)
            kept[-1] += ";"
        else:
            kept.append(line)
    return kept


def _shown(statement: list[str]) -> str:
    lines = _without_bodies(_public(statement))
    while len(lines) > 2 and (not lines[-2].strip() or lines[-2] == " public:"):
        del lines[-2]
    return "\n".join(lines)


def items_of(text: str) -> list[Item]:
    """All that a program may use of the header, in its order."""
    items, current = [], Item("", [], [])
    for part in [*_statements(_without_namespaces(text)[len(leading_comment(text)):]), ""]:
        is_comment = isinstance(part, str) and part
        if isinstance(part, str) and (not part or current.declarations):
            items.append(current)
            current = Item("", [], [])
        if is_comment:
            current.comment.append(part[2:].removeprefix(" "))
        if not isinstance(part, list) or _LEFT_OUT.match(" ".join(part)):
            continue
        found = _TYPE.match("\n".join(part))
        if found and current.declarations:
            items.append(current)
            current = Item("", [], [])
        current.name = current.name or (found[1] if found else "")
        current.declarations.append(_shown(part))
    return [item for item in items if item.declarations]
