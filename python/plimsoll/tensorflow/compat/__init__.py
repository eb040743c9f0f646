"""tf.compat: TensorFlow 1's names that scripts of TensorFlow 2 still use."""
from plimsoll import _missing


def as_bytes(bytes_or_text, encoding="utf-8") -> bytes:
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    return bytes(bytes_or_text)


def as_text(bytes_or_text, encoding="utf-8") -> str:
    return bytes_or_text if isinstance(bytes_or_text, str) else bytes(bytes_or_text).decode(encoding)


as_str = as_text


def as_str_any(value, encoding="utf-8") -> str:
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


def path_to_str(path) -> str:
    import os

    return os.fspath(path)


_missing.lazy(globals(), {}, modules=("v1", "v2"))
