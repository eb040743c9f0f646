"""The weights, layers and losses that a layer has."""
import collections

import numpy as np

from plimsoll import _convert, _core
from plimsoll._tensor import same_variables
from plimsoll.keras._names import snake_case


def settings(value):
    """An initializer, regularizer or constraint as the engine takes it, or None with a function."""
    if value is None or isinstance(value, (str, dict)):
        return value, None
    if isinstance(value, (int, float)):
        return {"class_name": "Constant", "config": {"value": float(value)}}, None
    if getattr(value, "_runs_in_python", not hasattr(value, "get_config")):
        return None, value
    return {"class_name": type(value).__name__, "config": value.get_config()}, None


class LayerWeights:
    """The part of Layer that is about what it holds."""

    def add_weight(self, shape=None, initializer=None, dtype=None, trainable=True, autocast=True,
                   regularizer=None, constraint=None, aggregation=None, overwrite_with_gradient=False,
                   name=None, **kwargs):
        """A new weight; `initializer` is a name, an object or a function (shape, dtype)."""
        if isinstance(shape, str):  # Keras 2 had the name first
            shape, name = (initializer if initializer is not None else kwargs.pop("shape", ())), shape
            initializer = kwargs.pop("initializer", None) or dtype if not isinstance(dtype, str) else None
            dtype = "float32"
        shape = () if shape is None else tuple(shape) if np.iterable(shape) else (shape,)
        dtype = str(getattr(dtype, "name", dtype) or "float32")
        first, function = settings(initializer or ("glorot_uniform" if "float" in dtype else "zeros"))
        penalty, own_penalty = settings(regularizer)
        limit, own_limit = settings(constraint)
        variable = _core.add_weight(self._python_handle, name or "variable", shape, dtype,
                                    "zeros" if function else first, penalty, limit, bool(trainable))
        if function is not None:
            variable.set_now(np.asarray(function(shape, dtype=dtype)))
        if own_limit is not None:
            variable.set_constraint(own_limit)
        if own_penalty is not None:
            self._own_penalties = [*self.__dict__.get("_own_penalties", ()), (own_penalty, variable)]
        return same_variables([variable])[0]

    add_variable = add_weight

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if isinstance(value, _core.Variable) and self._python_handle is not None:
            _core.own_weight(self._python_handle, value)

    def _sublayers(self) -> list[tuple]:
        """The layers that this one holds as attributes, by the names of Keras's files."""
        from plimsoll.keras.layers.layer import Layer

        found, paths = {}, {}
        for name, value in self.__dict__.items():
            if name not in ("_arguments", "_given", "_forms", "_metrics"):
                for path, layer in _layers_in(value, name, Layer):
                    found[id(layer)] = layer
                    paths.setdefault(id(layer), []).append(path)
        # A layer that is in several attributes is in files under the first of their names.
        first = {number: min(known, key=_order_in_files) for number, known in paths.items()}
        return [(first[number], layer) for number, layer in found.items() if layer is not self]

    def _core_children(self) -> list[tuple]:
        inner = [] if self._created is None or self._python_handle is None else [
            ("_inner", self._created)]
        return inner + [(path, layer._handle) for path, layer in self._sublayers()]

    @property
    def weights(self) -> list:
        """All variables, of the layers inside too: those that are trained first."""
        return same_variables(self._handle.weights())

    variables = weights

    @property
    def trainable_weights(self) -> list:
        return same_variables(self._handle.trainable_variables())

    trainable_variables = trainable_weights

    @property
    def non_trainable_weights(self) -> list:
        return same_variables(self._handle.non_trainable_variables())

    non_trainable_variables = non_trainable_weights

    @property
    def trainable(self) -> bool:
        return self._handle.trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        for handle in (self._created, self._python_handle, self.__dict__.get("_network")):
            if handle is not None:
                handle.trainable = bool(value)

    def get_weights(self) -> list:
        """Copies of the weights as arrays."""
        return [weight.numpy() for weight in self.weights]

    def set_weights(self, weights) -> None:
        """Sets the weights to these arrays, in the order of get_weights()."""
        mine, given = self.weights, list(weights)
        if len(mine) != len(given):
            raise ValueError(f"{self.name}: set_weights() got {len(given)} arrays, expected "
                             f"{len(mine)}")
        for weight, value in zip(mine, given):
            weight.set_now(np.asarray(value))

    def _fill_initial_weights(self) -> None:
        """Keras 2's weights=, and initializers of the user's own, once the layer is built."""
        if self._initial_weights is not None:
            weights, self._initial_weights = self._initial_weights, None
            self.set_weights(weights)
        if self._python_arguments:
            from plimsoll.keras import _python_arguments

            _python_arguments.set_up_weights(self)
            self._python_arguments = None

    def count_params(self) -> int:
        """The number of elements of all weights."""
        return sum(int(np.prod(tuple(weight.shape))) for weight in self.weights)

    def add_loss(self, loss) -> None:
        """Adds a scalar to the loss of the step that is being recorded."""
        for value in _convert.flatten(loss() if callable(loss) else loss):
            _core.add_penalty(value)

    def add_metric(self, *args, **kwargs) -> None:
        raise NotImplementedError("add_metric() was removed from Keras 3; keep a metric as an "
                                  "attribute and call its update_state()")

    @property
    def losses(self) -> list:
        """What the last call added, and penalties on weights."""
        own = [penalty(weight) for layer in [self, *self._all_sublayers()]
               for penalty, weight in layer.__dict__.get("_own_penalties", ())]
        return list(self._call_losses) + list(self._handle.losses()) + own

    def _all_sublayers(self) -> list:
        found = []
        for _, layer in self._sublayers():
            found += [layer, *layer._all_sublayers()]
        return found


def _order_in_files(path: str) -> tuple:
    """Keras writes attributes by their names, private ones last."""
    return path.startswith("_"), path.partition("/")[0]


def _layers_in(value, path: str, kind: type):
    """(path, layer) for a layer, or for those in lists and dicts, which Keras names by their classes:
    "blocks/dense", "blocks/dense_1", "blocks/container/dense"."""
    if isinstance(value, kind):
        yield path, value
    elif isinstance(value, (list, tuple, dict)):
        used = collections.Counter()
        for item in value.values() if isinstance(value, dict) else value:
            if not isinstance(item, (kind, list, tuple, dict)):
                continue
            name = snake_case(type(item).__name__) if isinstance(item, kind) else "container"
            number, used[name] = used[name], used[name] + 1
            yield from _layers_in(item, f"{path}/{name}_{number}" if number else f"{path}/{name}", kind)
