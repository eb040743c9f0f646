"""tf.strings: functions of texts, computed from their values."""
import builtins
import re

import numpy as np

from plimsoll import _core, _missing
from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._dtypes import as_dtype
from plimsoll.tensorflow._on_values import integers, value as _value


def _texts(who: str, given) -> np.ndarray:
    array = _value(f"tf.strings.{who}", given)
    if array.dtype.kind not in "OSU":
        raise TypeError(f"tf.strings.{who}: expected texts, found {array.dtype}")
    return array


def _mapped(function, array: np.ndarray, dtype=object):
    """The function of each text."""
    found = np.empty(array.shape, dtype)
    for place, text in enumerate(array.ravel()):
        found.flat[place] = function(_bytes(text))
    return _core.constant(found)


def _bytes(text) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def _scalar(text) -> bytes:
    return _bytes(np.asarray(text).item() if hasattr(text, "numpy") else text)


def _case(name: str, of_bytes, of_text):
    def call(input, encoding="", name=None):
        if encoding == "utf-8":
            return _mapped(lambda text: of_text(text.decode()).encode(), _texts(name, input))
        return _mapped(of_bytes, _texts(name, input))
    call.__name__ = name
    return call


lower, upper = _case("lower", bytes.lower, str.lower), _case("upper", bytes.upper, str.upper)


def strip(input, name=None):
    return _mapped(bytes.strip, _texts("strip", input))


def length(input, unit="BYTE", name=None):
    count = len if unit == "BYTE" else lambda text: len(text.decode())
    return _mapped(count, _texts("length", input), np.int32)


def _python_rewrite(rewrite: bytes) -> bytes:
    r"""\0 is the whole match; other escapes mean the same."""
    return re.sub(rb"\\(\d)", rb"\\g<\1>", rewrite)


def regex_replace(input, pattern, rewrite, replace_global=True, name=None):
    matcher = re.compile(_scalar(pattern))
    new = _python_rewrite(_scalar(rewrite))
    return _mapped(lambda text: matcher.sub(new, text, 0 if replace_global else 1),
                   _texts("regex_replace", input))


def regex_full_match(input, pattern, name=None):
    matcher = re.compile(_scalar(pattern))
    return _mapped(lambda text: matcher.fullmatch(text) is not None,
                   _texts("regex_full_match", input), np.bool_)


def substr(input, pos, len, unit="BYTE", name=None):
    """Part of each text; the place and the length may differ from text to text."""
    array = _texts("substr", input)
    array, places, sizes = np.broadcast_arrays(array, np.asarray(pos), np.asarray(len))
    found = np.empty(array.shape, object)
    for i, (text, place, size) in enumerate(zip(array.flat, places.flat, sizes.flat)):
        found.flat[i] = _part(_bytes(text), int(place), int(size), unit)
    return _core.constant(found)


def _part(text: bytes, place: int, size: int, unit: str) -> bytes:
    whole = text if unit == "BYTE" else text.decode()
    if not -_len(whole) <= place <= _len(whole):
        raise InvalidArgument(f"pos {place} out of range for string b'{text.decode(errors='replace')}'")
    place = place + _len(whole) if place < 0 else place
    part = whole[place:place + size]
    return part if isinstance(part, bytes) else part.encode()


_len = len


def split(input, sep=None, maxsplit=-1, name=None):
    """The parts of a text, or a ragged tensor of those of each of several."""
    array = _texts("split", input)
    sep = None if sep is None or not _scalar(sep) else _scalar(sep)
    parts = [_bytes(text).split(sep, int(maxsplit)) for text in array.ravel()]
    return _as_rows("split", array, parts, object)


def _as_rows(what: str, array, parts: list, dtype):
    """The parts of one text as a tensor, and those of a list of texts as a ragged one."""
    if not array.ndim:
        return _core.constant(np.array(parts[0], dtype))
    if array.ndim > 1:
        raise NotImplementedError(f"tf.strings.{what}: expected one text or a list of them, found the shape "
                                  f"{array.shape}; reshape them to one dimension")
    from plimsoll.tensorflow.ragged import RaggedTensor

    flat = [part for row in parts for part in row]
    return RaggedTensor(_core.constant(np.array(flat, dtype)), [_len(row) for row in parts])


def join(inputs, separator="", name=None):
    """Texts element by element, one after the other."""
    arrays = np.broadcast_arrays(*[_texts("join", each) for each in inputs])
    found = np.empty(arrays[0].shape, object)
    for i, texts in enumerate(zip(*[array.flat for array in arrays])):
        found.flat[i] = _scalar(separator).join(_bytes(text) for text in texts)
    return _core.constant(found)


def reduce_join(inputs, axis=None, keepdims=False, separator="", name=None):
    array, sep = _texts("reduce_join", inputs), _scalar(separator)
    axes = list(range(array.ndim)) if axis is None else [each % array.ndim for each in integers(axis)]
    for each in axes:
        moved = np.moveaxis(array, each, -1)
        found = np.empty(moved.shape[:-1], object)
        for place in np.ndindex(found.shape):
            found[place] = sep.join(_bytes(text) for text in moved[place])
        array = np.expand_dims(found, each)
    return _core.constant(array if keepdims else np.squeeze(array, tuple(axes)))


def to_number(input, out_type="float32", name=None):
    dtype = as_dtype(out_type)
    read = int if dtype.is_integer else float

    def number(text: bytes):
        try:
            return read(text.strip())
        except ValueError:
            raise InvalidArgument("StringToNumberOp could not correctly convert string: "
                                  + text.decode(errors="replace")) from None

    found = _mapped(number, _texts("to_number", input), np.int64 if dtype.is_integer else np.float64)
    return _core.cast(found, dtype.name)


def as_string(input, precision=-1, scientific=False, shortest=False, width=-1, fill="", name=None):
    """Numbers as texts."""
    array = _value("tf.strings.as_string", input)
    size = "" if width < 0 else f"{fill}{'>' if fill and fill != '0' else ''}{width}"
    if array.dtype.kind == "f":
        digits = 6 if precision < 0 else precision
        form = size + f".{digits}" + ("g" if shortest else "e" if scientific else "f")
        texts = [builtins.format(float(each), form) for each in array.flat]
    elif array.dtype.kind == "b":
        texts = [("true" if each else "false") for each in array.flat]
    else:
        texts = [_bytes(each).decode() if array.dtype.kind == "O" else builtins.format(int(each), size)
                 for each in array.flat]
    return _core.constant(np.array([text.encode() for text in texts], object).reshape(array.shape))


def _shown(given, places: int) -> str:
    array = _value("tf.strings.format", given)
    if not array.ndim:
        return f'"{_bytes(array.item()).decode()}"' if array.dtype.kind == "O" else str(array)
    shown = np.array2string(array, threshold=2 * places * max(array.ndim, 1), edgeitems=places)
    return shown


def format(template, inputs, placeholder="{}", summarize=3, name=None):
    """A text with the values of tensors in its places."""
    inputs = inputs if isinstance(inputs, (list, tuple)) else [inputs]
    parts = template.split(placeholder)
    if _len(parts) != _len(inputs) + 1:
        raise ValueError(f"{_len(parts) - 1} placeholder(s) in template does not match "
                         f"{_len(inputs)} tensor(s) provided as input")
    shown = [_shown(each, int(summarize)) for each in inputs]
    text = "".join(part + value for part, value in zip(parts, [*shown, ""]))
    return _core.constant(text)


def bytes_split(input, name=None):
    array = _texts("bytes_split", input)
    parts = [[text[i:i + 1] for i in range(_len(text))] for text in array.ravel()]
    return _as_rows("bytes_split", array, parts, object)


def unicode_split(input, input_encoding="UTF-8", errors="replace", replacement_char=65533, name=None):
    """The letters of a text."""
    array = _texts("unicode_split", input)
    parts = [[letter.encode() for letter in _bytes(text).decode(input_encoding, errors)]
             for text in array.ravel()]
    return _as_rows("unicode_split", array, parts, object)


def unicode_decode(input, input_encoding="UTF-8", errors="replace", replacement_char=65533,
                   replace_control_characters=False, name=None):
    """The numbers of a text's letters."""
    array = _texts("unicode_decode", input)
    codes = [[ord(letter) for letter in _bytes(text).decode(input_encoding, errors)]
             for text in array.ravel()]
    return _as_rows("unicode_decode", array, codes, np.int32)


def unicode_encode(input, output_encoding="UTF-8", errors="replace", replacement_char=65533,
                   name=None):
    codes = _value("tf.strings.unicode_encode", input)
    found = np.empty(codes.shape[:-1], object)
    for place in np.ndindex(found.shape):
        found[place] = "".join(chr(code) for code in codes[place]).encode(output_encoding)
    return _core.constant(found)


def unicode_script(input, name=None):
    raise NotImplementedError("tf.strings.unicode_script: the scripts of letters are not known here")


def unicode_transcode(input, input_encoding, output_encoding, errors="replace", **kwargs):
    return _mapped(lambda text: text.decode(input_encoding, errors).encode(output_encoding),
                   _texts("unicode_transcode", input))


def _fnv(text: bytes) -> int:
    code = 0xCBF29CE484222325
    for byte in text:
        code = (code ^ byte) * 0x100000001B3 % 2**64
    return code


def to_hash_bucket_fast(input, num_buckets, name=None):
    """Each text's bucket, by a hash of Plimsoll's own: the numbers are not TensorFlow's."""
    return _mapped(lambda text: _fnv(text) % int(num_buckets), _texts("to_hash_bucket_fast", input),
                   np.int64)


to_hash_bucket = to_hash_bucket_fast


def ngrams(data, ngram_width, separator=" ", name=None):
    """Neighbours joined, along the last axis."""
    array, sep, width = _texts("ngrams", data), _scalar(separator), int(ngram_width)
    count = max(array.shape[-1] - width + 1, 0)
    found = np.empty((*array.shape[:-1], count), object)
    for place in np.ndindex(found.shape):
        row, first = place[:-1], place[-1]
        found[place] = sep.join(_bytes(text) for text in array[row][first:first + width])
    return _core.constant(found)


_missing.lazy(globals(), {})
