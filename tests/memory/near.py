"""near.py A B: two .npy files of float32 hold nearly the same numbers."""
import array
import sys


def numbers(path):
    data = open(path, "rb").read()
    begin = 10 + int.from_bytes(data[8:10], "little")
    return array.array("f", data[begin:])


one, other = (numbers(path) for path in sys.argv[1:])
if len(one) != len(other) or any(abs(a - b) > 1e-4 * max(1, abs(b)) for a, b in zip(one, other)):
    sys.exit(f"{sys.argv[1]} and {sys.argv[2]} differ")
