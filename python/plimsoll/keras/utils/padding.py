"""Sequences of different lengths as one array."""

import numpy as np


def pad_sequences(
    sequences, maxlen=None, dtype="int32", padding="pre", truncating="pre", value=0.0
):
    """An array of shape (number of sequences, maxlen, …): shorter ones filled, longer ones cut.

    padding and truncating say at which end, "pre" or "post". Without maxlen the longest sequence
    counts.
    """
    for name, choice in (("padding", padding), ("truncating", truncating)):
        if choice not in ("pre", "post"):
            kind = name.capitalize()
            raise ValueError(f'{kind} type "{choice}" not understood: it is "pre" or "post"')
    lengths = _lengths(sequences)
    if maxlen is None:
        maxlen = max(lengths, default=0)
    _check_value(value, dtype)
    shape = next((np.shape(s)[1:] for s, n in zip(sequences, lengths) if n), ())
    result = np.full((len(lengths), maxlen, *shape), value, dtype=dtype)
    for position, (sequence, length) in enumerate(zip(sequences, lengths)):
        if not length or not maxlen:
            continue
        kept = np.asarray(sequence[-maxlen:] if truncating == "pre" else sequence[:maxlen], dtype)
        if kept.shape[1:] != shape:
            raise ValueError(
                f"pad_sequences: sequence {position} has elements of shape {kept.shape[1:]}, "
                f"expected shape {shape} as in the first one"
            )
        part = slice(len(kept)) if padding == "post" else slice(maxlen - len(kept), None)
        result[position, part] = kept
    return result


def _lengths(sequences) -> list[int]:
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable: a list of sequences is expected")
    lengths = []
    for position, sequence in enumerate(sequences):
        try:
            lengths.append(len(sequence))
        except TypeError:
            raise ValueError(
                "`sequences` must be a list of iterables. Found non-iterable at position "
                f"{position}: {sequence!r}"
            ) from None
    return lengths


def _check_value(value, dtype) -> None:
    text = np.issubdtype(dtype, np.str_) or np.issubdtype(dtype, np.bytes_)
    if isinstance(value, str) and np.dtype(dtype) != object and not text:
        raise ValueError(
            f"`dtype` {dtype} is not compatible with `value`'s type: {type(value)}\n"
            "Use `dtype=object` for strings of any length."
        )
