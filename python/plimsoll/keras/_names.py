"""Names in the forms that Keras uses, and the nearest of a list."""
import difflib
import re
from collections.abc import Iterable


def snake_case(class_name: str) -> str:
    """Keras's name of an object: "conv2d_transpose" for "Conv2DTranspose"."""
    text = re.sub(r"\W+", "", class_name)
    text = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", text)
    return re.sub("([a-z])([A-Z])", r"\1_\2", text).lower()


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like `name`, whatever its capitals; None if none is like it."""
    by_lower = {other.lower(): other for other in known}
    found = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.7)
    return by_lower[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """" Did you mean 'x'?", or nothing."""
    found = nearest(name, known)
    return f" Did you mean '{found}'?" if found else ""
