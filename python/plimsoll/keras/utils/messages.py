"""What utilities print, and whether they do."""

import logging
import sys

_interactive = True


def enable_interactive_logging():
    """Messages and progress go to standard output, as they do at first."""
    global _interactive
    _interactive = True


def disable_interactive_logging():
    """Messages and progress go to the logger 'plimsoll' instead of standard output."""
    global _interactive
    _interactive = False


def is_interactive_logging_enabled():
    """True if messages go to standard output."""
    return _interactive


def print_message(message: str, line_break: bool = True) -> None:
    """Writes to standard output, in the characters that it can show, or to the logger."""
    if not _interactive:
        logging.getLogger("plimsoll").info(message.strip("\r\n\b "))
        return
    text = message + "\n" if line_break else message
    try:
        sys.stdout.write(text)
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding or "ascii"
        text = text.replace("━", "=")
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()
