"""Makes fuzz/corpus/checkpoint_fuzz from docs/formats/checkpoint.md alone (pip install xxhash)."""

import pathlib
import struct

import xxhash

BLOCK_BYTES = 1 << 18
FOOTER_BYTES = 48


def checksum(data, offset):
    return struct.pack("<Q", xxhash.xxh3_64_intdigest(data, seed=offset))


REFERENCE = 128  # is added to the number of the element type


def checkpoint(entries, version=2):
    """The bytes of a checkpoint of (name, number of the element type, shape, bytes). In the place of bytes is the name of
    the entry that has them."""
    header = b"PLIMCKPT" + struct.pack("<II", version, BLOCK_BYTES)
    file, index = header, struct.pack("<I", len(entries))
    for name, dtype, shape, data in entries:
        name, is_reference = name.encode(), isinstance(data, str)
        index += struct.pack("<H", len(name)) + name
        index += struct.pack("<BB", dtype + (REFERENCE if is_reference else 0), len(shape))
        index += struct.pack(f"<{len(shape)}Q", *shape)
        if is_reference:
            index += struct.pack("<H", len(data)) + data.encode()
            continue
        index += struct.pack("<QQ", len(file), len(data))
        for at in range(0, len(data), BLOCK_BYTES):
            index += checksum(data[at : at + BLOCK_BYTES], len(file) + at)
        file += data
    offset = len(file)
    file += index
    footer = struct.pack("<QQ", offset, len(index)) + checksum(index, offset)
    footer += struct.pack("<Q", len(file) + FOOTER_BYTES)
    footer += checksum(header + footer, len(file)) + b"PLIMCEND"
    return file + footer


def main():
    folder = pathlib.Path(__file__).parent / "corpus" / "checkpoint_fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    example = [
        ("w", 0, (2, 1), struct.pack("<ff", 1, -2)),
        ("step", 2, (), struct.pack("<q", 300)),
        ("v", 0, (2, 1), "w"),
    ]
    contents = [b"\1" * 12, b"\2" * 12, b"\3" * 24, b"\4" * 3, b"\1" * 3, b"abcd" * 3]
    types = [(f"type {number}", number, (3, 1), data) for number, data in enumerate(contents)]
    types.append(("nothing", 1, (3, 0, 1), b""))
    files = {"example": example, "types": types, "empty": []}
    for name, entries in files.items():
        (folder / name).write_bytes(checkpoint(entries))
    (folder / "version_1").write_bytes(checkpoint(example[:2], version=1))


if __name__ == "__main__":
    main()
