"""Comments of sources, which are plain text, as Markdown that shows the same."""
import re


def _escaped(line: str) -> str:
    """Backticks keep their meaning; everything else that Markdown would read is shown as it is."""
    parts = re.split(r"(`[^`]+`)", line)
    for place in range(0, len(parts), 2):
        parts[place] = re.sub(r"([\\*_<>\[\]#|`~{}$])", r"\\\1", parts[place])
    text = "".join(parts)
    return re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^([-+=%])", r"\\\1", text))


def _is_picture(line: str) -> bool:
    return line.startswith("  ")


def to_markdown(lines: list[str]) -> str:
    """Lines without their `//`. Indented ones, which are examples and drawings, become code."""
    shown, inside = [], False
    for line in lines:
        is_picture = _is_picture(line) or (inside and not line)
        if is_picture != inside:
            shown += ["```", ""] if inside else ["", "```text"]
            inside = is_picture
        shown.append(line if inside else _escaped(line))
    return "\n".join(shown + (["```"] if inside else [])).strip("\n")
