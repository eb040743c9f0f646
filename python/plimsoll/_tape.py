"""GradientTape, as TensorFlow has it."""
import contextlib

import numpy as np

from plimsoll import _convert, _core


class GradientTape:
    """Records what is computed inside of `with`, so that gradients can be asked for afterwards."""

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True):
        self._persistent = persistent
        self._watches_variables = watch_accessed_variables
        self._watched: set = set()
        self._tape = None
        self._asked = False

    def __enter__(self):
        if self._tape is None or not self._persistent:
            # Persistent for the engine: a jacobian asks several times. gradient() lets it go.
            self._tape = _core.Tape(True)
            self._asked = False
        else:
            self._tape.start()
        return self

    def __exit__(self, *error) -> None:
        if self._tape is not None and self._tape.is_open:
            self._tape.stop()

    def watch(self, tensor) -> None:
        """Gradients with respect to these can be asked for, beside what is computed from variables."""
        for each in _convert.flatten(tensor):
            if not _convert.is_tensor(each):
                raise ValueError(f"GradientTape.watch: expected a tensor, found {type(each).__name__}")
            self._watched.add(_key(each))

    def _is_watched(self, source) -> bool:
        if _key(source) in self._watched:
            return True
        if isinstance(source, _core.Variable):
            return self._watches_variables and source.trainable
        return not (isinstance(source, _core.Tensor) and source.is_constant)

    @contextlib.contextmanager
    def stop_recording(self):
        self._require()
        self._tape.stop()
        try:
            yield
        finally:
            self._tape.start()

    def reset(self) -> None:
        self._tape = _core.Tape(True)

    def watched_variables(self) -> tuple:
        return ()

    def _let_go(self) -> None:
        """What was recorded needs no history any longer."""
        if not self._persistent:
            self._tape = None

    def _require(self) -> None:
        if self._tape is None and self._asked:
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set of "
                               "gradients; make it with persistent=True to ask again")
        if self._tape is None:
            raise RuntimeError("GradientTape: nothing was recorded; use it with `with`")

    def gradient(self, target, sources, output_gradients=None, unconnected_gradients=None):
        """The gradients of the target (the sum of all, if there are several), shaped as the sources."""
        self._require()
        self._asked = True
        targets = [_float(each) for each in _convert.flatten(target)]
        leaves = _convert.flatten(sources)
        seeds = None if output_gradients is None else _convert.flatten(output_gradients)
        found = self._tape.gradient(targets, leaves, seeds)
        found = [gradient if self._is_watched(leaf) else None for leaf, gradient in zip(leaves, found)]
        self._let_go()
        if str(getattr(unconnected_gradients, "value", unconnected_gradients)).lower() == "zero":
            found = [_zeros_like(leaf) if gradient is None else gradient
                     for leaf, gradient in zip(leaves, found)]
        remaining = iter(found)
        return _convert.map_structure(lambda _: next(remaining), sources)

    def jacobian(self, target, sources, **kwargs):
        """One gradient for each element of the target."""
        self._require()
        self._asked = True
        leaves, size = _convert.flatten(sources), int(np.prod(tuple(target.shape)))
        ones = np.eye(size, dtype=np.float32).reshape(size, *target.shape)
        rows = [self._tape.gradient([target], leaves, [_core.constant(one)]) for one in ones]
        self._let_go()
        stacked = [_core.reshape(_core.concatenate([_core.expand_dims(row[k], 0) for row in rows], 0),
                                 (*target.shape, *leaf.shape)) for k, leaf in enumerate(leaves)]
        remaining = iter(stacked)
        return _convert.map_structure(lambda _: next(remaining), sources)


def _key(source):
    return source.key if isinstance(source, (_core.Tensor, _core.Variable)) else id(source)


def _float(target):
    if not _convert.is_tensor(target):
        raise ValueError(f"GradientTape.gradient: the target is {type(target).__name__}, expected a "
                         "tensor that was computed inside of the tape")
    return target


def _zeros_like(leaf):
    return _core.constant(np.zeros(tuple(leaf.shape), dtype=np.float32))
