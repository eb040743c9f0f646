"""Writes, reads and compares golden files; README.md describes the format."""

import zlib
from dataclasses import dataclass, field

import numpy as np

VALUES_PER_LINE = 8


@dataclass
class Case:
    name: str
    meta: dict = field(default_factory=dict)
    tensors: dict = field(default_factory=dict)

    def add(self, name, value):
        array = np.asarray(value)
        self.tensors[name] = array.astype(np.int32 if array.dtype.kind in "iub" else np.float32)

    def add_all(self, tensors):
        for name, value in tensors.items():
            self.add(name, value)


def generator(case_name):
    """Numbers of a case depend on its name alone, so cases come and go freely."""
    return np.random.default_rng(zlib.crc32(case_name.encode()))


def normal(rng, *shape, scale=1.0):
    return (scale * rng.standard_normal(shape)).astype(np.float32)


def meta_text(value):
    if isinstance(value, (list, tuple)):
        return " ".join(meta_text(v) for v in value)
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return str(value)


def case_text(case):
    lines = [f"case {case.name}"]
    lines += [f"meta {key} {meta_text(value)}" for key, value in case.meta.items()]
    for name, array in case.tensors.items():
        lines.append(" ".join(["tensor", name, array.dtype.name, *map(str, array.shape)]))
        values = [f"{v:.9g}" if array.dtype.kind == "f" else str(v) for v in array.ravel()]
        for start in range(0, len(values), VALUES_PER_LINE):
            lines.append(" ".join(values[start : start + VALUES_PER_LINE]))
    lines.append("end")
    return "\n".join(lines) + "\n"


def write(path, cases):
    names = [case.name for case in cases]
    assert len(names) == len(set(names)), f"{path}: two cases have one name"
    path.write_text("".join(case_text(case) for case in cases))


def read(path):
    cases = {}
    lines = iter(path.read_text().splitlines())
    for line in lines:
        kind, _, rest = line.partition(" ")
        if kind == "case":
            case = cases[rest] = Case(rest)
        elif kind == "meta":
            key, _, value = rest.partition(" ")
            case.meta[key] = value
        elif kind == "tensor":
            name, dtype, *dims = rest.split()
            shape = tuple(map(int, dims))
            values = []
            while len(values) < np.prod(shape, dtype=int):
                values += next(lines).split()
            case.tensors[name] = np.array(values, dtype=dtype).reshape(shape)
        elif kind != "end":
            raise ValueError(f"{path}: cannot read the line '{line}'")
    return cases


def differences(path, fresh_cases, tolerance_of):
    """One sentence for each place where the file and the fresh cases disagree.

    tolerance_of(tensor) is what the numbers of a tensor may differ by, as a part of its largest one.
    """
    stored = read(path)
    fresh = {case.name: case for case in fresh_cases}
    for name in stored.keys() ^ fresh.keys():
        yield f"{path.name}: case {name} is only {'in the file' if name in stored else 'made by Keras'}"
    for name in stored.keys() & fresh.keys():
        yield from (f"{path.name}: {name}: {d}" for d in case_differences(stored[name], fresh[name], tolerance_of))


def case_differences(stored, fresh, tolerance_of):
    fresh_meta = {key: meta_text(value) for key, value in fresh.meta.items()}
    if stored.meta != fresh_meta:
        yield f"meta is {stored.meta}, Keras says {fresh_meta}"
    if list(stored.tensors) != list(fresh.tensors):
        yield f"tensors are {list(stored.tensors)}, Keras makes {list(fresh.tensors)}"
        return
    for name, a in stored.tensors.items():
        b = fresh.tensors[name]
        if a.shape != b.shape or a.dtype != b.dtype:
            yield f"{name} is {a.dtype}{a.shape}, Keras makes {b.dtype}{b.shape}"
            continue
        other = a != b  # infinities that are equal have no difference
        error = np.max(np.abs(a[other].astype(np.float64) - b[other]), initial=0)
        largest = np.max(np.abs(b[np.isfinite(b)]), initial=0)
        if not error <= tolerance_of(name) * largest:
            yield f"{name} differs by {error:.3g} where the largest value is {largest:.3g}"
