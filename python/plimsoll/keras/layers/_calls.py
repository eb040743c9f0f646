"""How layers are called: the surrounding call, and the ways in which a Python layer was called."""
import contextlib
import inspect
import threading

from plimsoll import _convert


class _State(threading.local):
    """What is open on this thread."""

    def __init__(self):
        self.training = None  # of the surrounding call; None: it does not say
        self.depth = 0  # of calls inside each other


state = _State()


@contextlib.contextmanager
def surrounding(training):
    """While it is open, calls that do not say whether they train do as this one."""
    before = state.training
    state.training = training
    state.depth += 1
    try:
        yield
    finally:
        state.training = before
        state.depth -= 1


def training_or_surrounding(training):
    return state.training if training is None else training


class Signature:
    """Which of the arguments that Keras fills in a layer's call() has."""

    def __init__(self, call):
        parameters = inspect.signature(call).parameters
        takes_all = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
        self.has_training = "training" in parameters
        self.has_mask = "mask" in parameters
        self.takes_all = takes_all
        self.default_training = parameters["training"].default if self.has_training else None


class Form:
    """One way to call a layer: its arguments with slots for tensors, and what came out."""

    def __init__(self, args, kwargs):
        self.args, self.kwargs = args, kwargs
        self.outputs = None  # known after the first call

    def fits(self, args, kwargs) -> bool:
        return _convert.same_structure([self.args, self.kwargs], [args, kwargs])


def number_of_form(forms: list, args: tuple, kwargs: dict) -> int:
    """The place of this way to call among those so far."""
    for number, form in enumerate(forms):
        if form.fits(args, kwargs):
            return number
    forms.append(Form(args, kwargs))
    return len(forms) - 1
