"""tf.train.Example and its parts, in the wire format that TensorFlow reads and writes."""
import struct

from plimsoll.tensorflow.train import _wire


class _Message:
    """What the messages have in common."""

    def SerializeToString(self, deterministic=None) -> bytes:
        return self._written()

    @classmethod
    def FromString(cls, data):
        found = cls()
        found.ParseFromString(data)
        return found

    def ParseFromString(self, data) -> int:
        data = bytes(data.numpy() if hasattr(data, "numpy") else data)
        self.__init__()
        self.MergeFromString(data)
        return len(data)

    def MergeFromString(self, data: bytes) -> None:
        for number, kind, value in _wire.fields(data):
            self._read(number, kind, value)

    def CopyFrom(self, other) -> None:
        self.ParseFromString(other.SerializeToString())

    def ByteSize(self) -> int:
        return len(self._written())

    def __eq__(self, other) -> bool:
        return type(other) is type(self) and other._written() == self._written()

    __hash__ = None

    def __repr__(self) -> str:
        return "\n".join(self._lines(""))

    def __bool__(self) -> bool:
        return True


class _List(_Message):
    """A list of values of one kind."""

    def __init__(self, value=()):
        self.value = [self._checked(each) for each in value]

    def _lines(self, margin: str) -> list:
        return [f"{margin}value: {each!r}" for each in self.value]


class BytesList(_List):
    @staticmethod
    def _checked(value) -> bytes:
        value = value.numpy() if hasattr(value, "numpy") else value
        if not isinstance(value, (bytes, bytearray)):
            raise TypeError(f"{value!r} has type {type(value).__name__}, but expected one of: bytes")
        return bytes(value)

    def _written(self) -> bytes:
        return b"".join(_wire.bytes_field(1, each) for each in self.value)

    def _read(self, number: int, kind: int, value) -> None:
        if number == 1:
            self.value.append(bytes(value))


class FloatList(_List):
    @staticmethod
    def _checked(value) -> float:
        return struct.unpack("<f", struct.pack("<f", float(value)))[0]

    def _written(self) -> bytes:
        packed = struct.pack(f"<{len(self.value)}f", *self.value)
        return _wire.bytes_field(1, packed) if packed else b""

    def _read(self, number: int, kind: int, value) -> None:
        if number == 1:
            self.value += _wire.floats(value)


class Int64List(_List):
    @staticmethod
    def _checked(value) -> int:
        if isinstance(value, float):
            raise TypeError(f"{value!r} has type float, but expected one of: int")
        return int(value)

    def _written(self) -> bytes:
        packed = b"".join(map(_wire.varint, self.value))
        return _wire.bytes_field(1, packed) if packed else b""

    def _read(self, number: int, kind: int, value) -> None:
        if number == 1:
            self.value += [_wire.signed(value)] if kind == _wire.VARINT else _wire.varints(value)


_KINDS = {1: ("bytes_list", BytesList), 2: ("float_list", FloatList), 3: ("int64_list", Int64List)}


class Feature(_Message):
    """One of three lists."""

    def __init__(self, bytes_list=None, float_list=None, int64_list=None):
        given = {"bytes_list": bytes_list, "float_list": float_list, "int64_list": int64_list}
        chosen = [name for name, value in given.items() if value is not None]
        self._kind = chosen[-1] if chosen else None
        self._lists = {name: given[name] if given[name] is not None else kind()
                       for name, kind in _KINDS.values()}

    def _of(self, name: str):
        if self._kind is None or self._lists[name].value:
            self._kind = name if self._lists[name].value else self._kind
        return self._lists[name]

    bytes_list = property(lambda self: self._of("bytes_list"))
    float_list = property(lambda self: self._of("float_list"))
    int64_list = property(lambda self: self._of("int64_list"))

    def WhichOneof(self, group: str = "kind"):
        for name in self._lists:
            self._of(name)
        return self._kind

    def HasField(self, name: str) -> bool:
        return self.WhichOneof() == name

    def _written(self) -> bytes:
        chosen = self.WhichOneof()
        for number, (name, _) in _KINDS.items():
            if name == chosen:
                return _wire.bytes_field(number, self._lists[name]._written())
        return b""

    def _read(self, number: int, kind: int, value) -> None:
        if number in _KINDS:
            self._kind = _KINDS[number][0]
            self._lists[self._kind].MergeFromString(value)

    def _lines(self, margin: str) -> list:
        name = self.WhichOneof()
        if name is None:
            return []
        return [f"{margin}{name} {{", *self._lists[name]._lines(margin + "  "), margin + "}"]


class _Map(dict):
    """Messages by their names; one that is not there is made when it is asked for."""

    def __init__(self, kind, given=()):
        super().__init__(given)
        self._kind = kind

    def __missing__(self, key: str):
        self[key] = found = self._kind()
        return found


def _written_map(entries: dict) -> bytes:
    return b"".join(
        _wire.bytes_field(1, _wire.bytes_field(1, key.encode()) + _wire.bytes_field(
            2, entries[key]._written())) for key in sorted(entries))


def _read_entry(data: bytes, kind):
    key, message = "", kind()
    for number, _, value in _wire.fields(data):
        if number == 1:
            key = bytes(value).decode()
        elif number == 2:
            message.MergeFromString(value)
    return key, message


def _map_lines(name: str, entries: dict, margin: str) -> list:
    lines = []
    for key in sorted(entries):
        lines += [f"{margin}{name} {{", f'{margin}  key: "{key}"', f"{margin}  value {{",
                  *entries[key]._lines(margin + "    "), f"{margin}  }}", f"{margin}}}"]
    return lines


class Features(_Message):
    """Features by their names."""

    def __init__(self, feature=()):
        self.feature = _Map(Feature, feature)

    def _written(self) -> bytes:
        return _written_map(self.feature)

    def _read(self, number: int, kind: int, value) -> None:
        if number == 1:
            key, message = _read_entry(value, Feature)
            self.feature[key] = message

    def _lines(self, margin: str) -> list:
        return _map_lines("feature", self.feature, margin)


class Example(_Message):
    """A record: features by their names."""

    def __init__(self, features=None):
        self.features = features if features is not None else Features()

    def _written(self) -> bytes:
        return _wire.bytes_field(1, self.features._written())

    def _read(self, number: int, kind: int, value) -> None:
        if number == 1:
            self.features.MergeFromString(value)

    def _lines(self, margin: str) -> list:
        return [margin + "features {", *self.features._lines(margin + "  "), margin + "}"]


class FeatureList(_Message):
    """Features one after the other."""

    def __init__(self, feature=()):
        self.feature = list(feature)

    def _written(self) -> bytes:
        return b"".join(_wire.bytes_field(1, each._written()) for each in self.feature)

    def _read(self, number: int, kind: int, value) -> None:
        if number == 1:
            self.feature.append(Feature.FromString(value))

    def _lines(self, margin: str) -> list:
        return [line for each in self.feature
                for line in (margin + "feature {", *each._lines(margin + "  "), margin + "}")]


class FeatureLists(_Message):
    """Lists of features by their names."""

    def __init__(self, feature_list=()):
        self.feature_list = _Map(FeatureList, feature_list)

    def _written(self) -> bytes:
        return _written_map(self.feature_list)

    def _read(self, number: int, kind: int, value) -> None:
        if number == 1:
            key, message = _read_entry(value, FeatureList)
            self.feature_list[key] = message

    def _lines(self, margin: str) -> list:
        return _map_lines("feature_list", self.feature_list, margin)


class SequenceExample(_Message):
    """A record with features of the whole and of each step."""

    def __init__(self, context=None, feature_lists=None):
        self.context = context if context is not None else Features()
        self.feature_lists = feature_lists if feature_lists is not None else FeatureLists()

    def _written(self) -> bytes:
        return _wire.bytes_field(1, self.context._written()) + _wire.bytes_field(
            2, self.feature_lists._written())

    def _read(self, number: int, kind: int, value) -> None:
        if number in (1, 2):
            (self.context if number == 1 else self.feature_lists).MergeFromString(value)

    def _lines(self, margin: str) -> list:
        return [margin + "context {", *self.context._lines(margin + "  "), margin + "}",
                margin + "feature_lists {", *self.feature_lists._lines(margin + "  "), margin + "}"]
