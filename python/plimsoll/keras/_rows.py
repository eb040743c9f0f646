"""Row: one class of the engine together with the signature that Keras gives it."""
import functools
import inspect

from plimsoll import _core
from plimsoll.keras import _signatures
from plimsoll.keras._names import did_you_mean

# The class of Keras that takes what the others hand on in **kwargs.
BASE_OF_KIND = {
    "layers": "Layer", "losses": "Loss", "metrics": "Metric", "optimizers": "Optimizer",
    "schedules": "LearningRateSchedule", "initializers": "Initializer",
    "regularizers": "Regularizer", "constraints": "Constraint",
}
# Arguments that do not change a result.
WITHOUT_EFFECT = frozenset((
    "autocast", "implementation", "jit_compile", "dynamic", "fused", "input_dtype",
    "is_legacy_optimizer", "use_cudnn", "flash_attention",
))
# Settings of the engine's optimizers that Keras does not have; configs do not have them either.
_OWN_SETTINGS = {"optimizers": ("adaptive_clip", "clip_percentile")}
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class UnknownArgument(TypeError, ValueError):
    """Keras raises the one from some classes and the other from others."""


@functools.cache
def rows(kind: str) -> frozenset[str]:
    """The class names of the engine's rows of this kind; of activations the functions' names."""
    listed = _core.rows().get(kind)
    if kind in _OF_WEIGHTS:
        listed = _known_to(_OF_WEIGHTS[kind], listed or _signatures.names(kind))
    return frozenset(name for name in listed or () if name)


# The engine finds these by any of their names.
_OF_WEIGHTS = {
    "initializers": _core.initializer_from_config,
    "regularizers": _core.regularizer_from_config,
    "constraints": _core.constraint_from_config,
}


def _known_to(from_config, names) -> set[str]:
    found = set()
    for name in names:
        try:
            found.add(from_config(name).config()["class_name"])
        except ValueError:
            continue
    return found


def _default_config(kind: str, name: str) -> dict:
    """The settings with their defaults; empty if some have no default."""
    if kind in _OF_WEIGHTS:
        return settings_of(_OF_WEIGHTS[kind](name).config())
    return settings_of(_core.default_config(kind, name) or {})


def row_name(kind: str, name: str) -> str | None:
    """The row that implements Keras's `name`; None if the engine has none."""
    if name in rows(kind):
        return name
    others = _signatures.same_names(_signatures.MODULE_OF_KIND[kind], name)
    return next((other for other in others if other in rows(kind)), None)


def settings_of(config: dict) -> dict:
    """The settings in {"class_name": …, "config": …}, or the settings themselves."""
    if "class_name" in config and isinstance(config.get("config"), dict):
        return config["config"]
    return config


class Row:
    """Takes the arguments of one class as Keras's __init__ does."""

    def __init__(self, kind: str, name: str):
        self.kind = kind
        self.name = name
        self.module = _signatures.MODULE_OF_KIND[kind]
        self.default_config = _default_config(kind, name)
        self.parameters = _signatures.parameters(self.module, name)
        if self.parameters is None:
            self.parameters = self._described_parameters()
        self.named = {p.name: p for p in self.parameters if p.kind not in _VARIADIC}
        self._positional = [p.name for p in self.named.values()
                            if p.kind is not inspect.Parameter.KEYWORD_ONLY]
        self.own_settings = _OWN_SETTINGS.get(kind, ())
        self._takes_more = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in self.parameters)

    def _described_parameters(self) -> list[inspect.Parameter]:
        """For a class that Keras does not publish: all settings, by keyword."""
        names = [*self.default_config]
        return [*(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names),
                inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD)]

    @functools.cached_property
    def known(self) -> frozenset[str]:
        """Every keyword that is taken."""
        names = {*self.named, *self.default_config, *self.own_settings}
        if self._takes_more or self.kind == "layers":
            names |= WITHOUT_EFFECT
            base = _signatures.parameters(self.module, BASE_OF_KIND[self.kind]) or ()
            names.update(p.name for p in base if p.kind not in _VARIADIC)
        return frozenset(names)

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        """That of __init__."""
        itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        return inspect.Signature([itself, *self.parameters])

    def bind(self, args: tuple, kwargs: dict) -> dict:
        """The given arguments by name; TypeError as Python's for what does not fit."""
        if len(args) > len(self._positional):
            raise TypeError(
                f"{self.name}.__init__() takes at most {len(self._positional)} positional "
                f"arguments but {len(args)} were given")
        given = dict(zip(self._positional, args))
        for name, value in kwargs.items():
            if name in given:
                raise TypeError(f"{self.name}.__init__() got multiple values for argument '{name}'")
            if name not in self.known:
                raise UnknownArgument(
                    f"{self.name}.__init__() got an unexpected keyword argument '{name}'."
                    + did_you_mean(name, self.known))
            given[name] = value
        self._refuse_missing(given)
        # The engine's defaults of these depend on the name by which it is asked.
        return {**self._defaults, **given} if self.kind in _OF_WEIGHTS else given

    @functools.cached_property
    def _defaults(self) -> dict:
        return {p.name: p.default for p in self.named.values()
                if p.default is not inspect.Parameter.empty and p.default is not None}

    def _refuse_missing(self, given: dict) -> None:
        missing = [p.name for p in self.named.values()
                   if p.default is inspect.Parameter.empty and p.name not in given]
        if missing:
            count = f"{len(missing)} required positional argument" + "s" * (len(missing) > 1)
            names = " and ".join(f"'{name}'" for name in missing)
            raise TypeError(f"{self.name}.__init__() missing {count}: {names}")

    def is_needed(self, name: str, value) -> bool:
        """False for an argument that the engine does not know and that has Keras's default."""
        if name in self.default_config:
            return True
        parameter = self.named.get(name)
        if value is None or parameter is None:
            return value is not None
        return type(value) is not type(parameter.default) or value != parameter.default
