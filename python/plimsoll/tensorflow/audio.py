"""tf.audio: sounds in WAV files, as numbers from -1 to 1."""
import collections
import struct

import numpy as np

from plimsoll import _core, _missing
from plimsoll.errors import InvalidArgument

_Wav = collections.namedtuple("DecodeWav", ["audio", "sample_rate"])


def _parts(content: bytes) -> dict:
    """The parts of a RIFF file by their names; the first of each name."""
    if content[:4] != b"RIFF" or content[8:12] != b"WAVE":
        raise InvalidArgument("tf.audio.decode_wav: this is no WAV file; it does not begin with RIFF and WAVE")
    found, place = {}, 12
    while place + 8 <= len(content):
        name, size = content[place:place + 4], struct.unpack_from("<I", content, place + 4)[0]
        found.setdefault(name, content[place + 8:place + 8 + size])
        place += 8 + size + size % 2
    return found


def decode_wav(contents, desired_channels=-1, desired_samples=-1, name=None):
    """(audio, sample_rate) of a file of 16-bit numbers: audio has the shape (samples, channels)."""
    content = contents if isinstance(contents, bytes) else np.asarray(contents).item()
    parts = _parts(content)
    if b"fmt " not in parts or b"data" not in parts or len(parts[b"fmt "]) < 16:
        raise InvalidArgument("tf.audio.decode_wav: the WAV file has no format or no data")
    form, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", parts[b"fmt "])
    if form not in (1, 0xFFFE) or bits != 16 or channels < 1:
        raise InvalidArgument(f"tf.audio.decode_wav: expected numbers of 16 bits (PCM), found format {form} of {bits} "
                              "bits")
    data = parts[b"data"]
    sound = np.frombuffer(data[:len(data) // (2 * channels) * 2 * channels], "<i2").reshape(-1, channels)
    sound = _with_channels(sound, int(desired_channels))
    samples = len(sound) if int(desired_samples) < 0 else int(desired_samples)
    audio = np.zeros((samples, sound.shape[1]), np.float32)
    audio[:len(sound)] = sound[:samples] / np.float32(32768)
    return _Wav(_core.constant(audio), _core.constant(np.int32(rate)))


def _with_channels(sound, wanted: int):
    """More channels than there are repeat the last one, fewer are the first ones."""
    if wanted < 0:
        return sound
    if wanted < 1:
        raise InvalidArgument(f"tf.audio.decode_wav: desired_channels must be 1 or more, found {wanted}")
    return sound[:, np.minimum(np.arange(wanted), sound.shape[1] - 1)]


def encode_wav(audio, sample_rate, name=None):
    """The bytes of a WAV file of 16-bit numbers."""
    audio = np.asarray(audio, np.float32)
    if audio.ndim != 2:
        raise InvalidArgument(f"tf.audio.encode_wav: audio must be (samples, channels), found {audio.shape}")
    data = np.clip(np.round(audio * 32768), -32768, 32767).astype("<i2").tobytes()
    channels, rate = audio.shape[1], int(sample_rate)
    head = struct.pack("<HHIIHH", 1, channels, rate, rate * channels * 2, channels * 2, 16)
    body = b"WAVEfmt " + struct.pack("<I", len(head)) + head + b"data" + struct.pack("<I", len(data)) + data
    return _core.constant(np.array(b"RIFF" + struct.pack("<I", len(body)) + body, object))


_missing.lazy(globals(), {})
