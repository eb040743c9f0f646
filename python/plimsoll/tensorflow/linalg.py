"""tf.linalg: products and norms with gradients; decompositions of values."""
import builtins

import numpy as np

from plimsoll import _core, _missing
from plimsoll.tensorflow._on_values import values as _values
from plimsoll.tensorflow.math import (  # noqa: F401
    einsum, global_norm, l2_normalize, matmul, norm, tensordot)
from plimsoll.tensorflow._creation import eye  # noqa: F401


def matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None):
    """A matrix times a vector."""
    product = matmul(a, _core.expand_dims(b, -1), transpose_a or adjoint_a)
    return _core.squeeze(product, -1)


def matrix_transpose(a, name="matrix_transpose", conjugate=False):
    axes = list(builtins.range(_core.constant(a).ndim))
    return _core.transpose(a, [*axes[:-2], axes[-1], axes[-2]])


adjoint = matrix_transpose


def _on_diagonal(shape, k: int) -> np.ndarray:
    return np.eye(*shape, k, dtype=np.float32)


def diag(diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT"):
    """Matrices with these diagonals."""
    diagonal, k = _core.constant(diagonal), int(k)
    size = diagonal.shape[-1]
    rows, columns = np.arange(size) + max(-k, 0), np.arange(size) + max(k, 0)
    place = np.zeros((size, size + builtins.abs(k), size + builtins.abs(k)), np.float32)
    place[np.arange(size), rows, columns] = 1
    letters = "abcdefgh"[:diagonal.ndim - 1]
    found = _core.einsum(f"{letters}x,xyz->{letters}yz", [_core.cast(diagonal, "float32"), place])
    return _core.cast(found, diagonal.dtype.name)


def diag_part(input, name="diag_part", k=0, padding_value=0, align="RIGHT_LEFT"):
    """The diagonals of matrices."""
    x, k = _core.constant(input), int(k)
    height, width = x.shape[-2:]
    rows = np.arange(max(-k, 0), min(height, width - k))
    flat = _core.reshape(x, (*x.shape[:-2], height * width))
    return _core.take(flat, (rows * width + rows + k).astype(np.int32), -1)


def tensor_diag(diagonal, name=None):
    return diag(diagonal)


tensor_diag_part = diag_part


def set_diag(input, diagonal, name="set_diag", k=0, align="RIGHT_LEFT"):
    """The matrices with other diagonals."""
    x = _core.constant(input)
    size = _core.constant(diagonal).shape[-1]
    full = diag(diagonal, k=k)
    height, width = x.shape[-2:]
    full = _core.pad(full, [(0, 0)] * (x.ndim - 2) + [(0, max(height - full.shape[-2], 0)),
                                                     (0, max(width - full.shape[-1], 0))])
    full = full[..., :height, :width]
    on = _core.constant(_on_diagonal((height, width), int(k)) > 0) if size else False
    return _core.select(on, full, x)


def trace(x, name=None):
    return _core.sum(diag_part(x), -1)


def band_part(input, num_lower, num_upper, name=None):
    """What is near the diagonal; a negative number keeps a whole side."""
    x = _core.constant(input)
    height, width = x.shape[-2:]
    apart = np.arange(width)[None, :] - np.arange(height)[:, None]
    lower, upper = int(num_lower), int(num_upper)
    kept = ((lower < 0) | (-apart <= lower)) & ((upper < 0) | (apart <= upper))
    return _core.select(_core.constant(kept), x, _core.operation("ZerosLike", {}, [x]))


def cross(a, b, name=None):
    """The cross product of vectors of three elements."""
    a, b = _core.constant(a), _core.constant(b)
    left, right = np.array([1, 2, 0], np.int32), np.array([2, 0, 1], np.int32)
    return (_core.take(a, left, -1) * _core.take(b, right, -1)
            - _core.take(a, right, -1) * _core.take(b, left, -1))


def normalize(tensor, ord="euclidean", axis=None, name=None):
    length = norm(tensor, ord, axis, True)
    return _core.divide(tensor, length), length


def _computed(name: str, function):
    def call(*args, **kwargs):
        kwargs.pop("name", None)
        arrays = _values(f"tf.linalg.{name}", *args)
        try:
            found = function(*[each.astype(np.float64) for each in arrays], **kwargs)
        except np.linalg.LinAlgError as error:
            from plimsoll.errors import InvalidArgument

            raise InvalidArgument(f"tf.linalg.{name}: {error}") from None
        if isinstance(found, tuple):
            return tuple(_core.constant(np.asarray(each, np.float32)) for each in found)
        return _core.constant(np.asarray(found, np.float32))
    call.__name__ = name
    return call


def _turned(a: np.ndarray, adjoint: bool) -> np.ndarray:
    return np.swapaxes(a, -1, -2) if adjoint else a


def _solve(a, b, adjoint=False):
    return np.linalg.solve(_turned(a, adjoint), b)


def _triangular_solve(a, b, lower=True, adjoint=False):
    return np.linalg.solve(_turned(np.tril(a) if lower else np.triu(a), adjoint), b)


def _svd(a, full_matrices=False, compute_uv=True):
    if not compute_uv:
        return np.linalg.svd(a, compute_uv=False)
    u, s, v = np.linalg.svd(a, full_matrices)
    return s, u, np.swapaxes(v, -1, -2)


def _lstsq(a, b, l2_regularizer=0.0, fast=True):
    turned = np.swapaxes(a, -1, -2)
    return np.linalg.solve(turned @ a + float(l2_regularizer) * np.eye(a.shape[-1]), turned @ b)


def _expm(a):
    """By scaling and squaring of the power series."""
    squarings = max(0, int(np.ceil(np.log2(max(np.abs(a).sum(-1).max(), 1e-30)))) + 4)
    scaled = a / 2.0**squarings
    term = found = np.broadcast_to(np.eye(a.shape[-1]), a.shape)
    for i in builtins.range(1, 16):
        term = term @ scaled / i
        found = found + term
    for _ in builtins.range(squarings):
        found = found @ found
    return found


inv = _computed("inv", lambda a, adjoint=False: np.linalg.inv(_turned(a, adjoint)))
det, cholesky = _computed("det", np.linalg.det), _computed("cholesky", np.linalg.cholesky)
slogdet = _computed("slogdet", lambda a: tuple(np.linalg.slogdet(a)))
logdet = _computed("logdet", lambda a: np.linalg.slogdet(a)[1])
solve, triangular_solve = _computed("solve", _solve), _computed("triangular_solve", _triangular_solve)
eigh = _computed("eigh", lambda a: tuple(np.linalg.eigh(a)))
eigvalsh = _computed("eigvalsh", np.linalg.eigvalsh)
svd, lstsq, expm = _computed("svd", _svd), _computed("lstsq", _lstsq), _computed("expm", _expm)
pinv = _computed("pinv", np.linalg.pinv)
qr = _computed("qr", lambda a, full_matrices=False: tuple(
    np.linalg.qr(a, "complete" if full_matrices else "reduced")))
cholesky_solve = _computed("cholesky_solve", lambda chol, rhs: np.linalg.solve(
    chol @ np.swapaxes(chol, -1, -2), rhs))


def matrix_rank(a, tol=None, validate_args=False, name=None):
    return _core.constant(np.linalg.matrix_rank(_values("tf.linalg.matrix_rank", a)[0], tol), "int32")


def _refused(name: str):
    def call(*args, **kwargs):
        raise NotImplementedError(f"tf.linalg.{name}: has complex results, which Plimsoll does not have;"
                                  " use NumPy")
    return call


eig, eigvals = _refused("eig"), _refused("eigvals")

_missing.lazy(globals(), {})
