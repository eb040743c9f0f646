"""Errors of the engine, each also what Python calls such an error."""


class Error(RuntimeError):
    """The root of the errors that are none of the others."""


class InvalidArgument(Error, ValueError):
    """Something was passed that cannot work: a shape, an option, a label."""


class DoesNotFit(Error, MemoryError):
    """The run needs more memory than it was given; nothing was taken yet."""


class NotFinite(Error, ArithmeticError):
    """A loss or a gradient is NaN or infinite; no weight was changed by that step.

    If it was found where that began:
        operation: "log", the operation whose output was the first that is not finite although its
            inputs are; "weight" or "input" if that was not finite before the step.
        gradient_of: the operation of the model whose gradient that is; None in the forward pass.
        layer: the path of its layer, "encoder/dense_1"; None outside of layers.
        weight: the name of the weight, if it is one.
        records: the records that cause it, by name; empty if none or every one does.
        file, line: of the program, if it is a line of that.
    """

    operation = gradient_of = layer = weight = file = line = None
    records = ()


class IoError(Error, OSError):
    """The operating system refused to read or write."""


class CorruptFile(IoError, ValueError):
    """A file was read, and its contents are not what its format promises."""


class Stopped(SystemExit):
    """A signal asked fit(run=…) to stop. It wrote a checkpoint, and the next call goes on from that.

    A script that does not catch it ends with `code`, which is 128 and the number of the signal: 143 after SIGTERM,
    129 after SIGHUP. `signal` is the signal.Signals.
    """

    signal = None

    def __init__(self, why: str = "", number: int | None = None):
        super().__init__(why, number)
        self.code = 75  # of `plimsoll train --max-time`: try again
        if number is not None:
            import signal

            self.signal, self.code = signal.Signals(number), 128 + number

    def __str__(self) -> str:
        return self.args[0]


class OutOfTime(Stopped):
    """The time of fit(run=…, max_time=…) is over: as Stopped, with the code 75 and no signal."""


class OutOfRange(Error, IndexError):
    """There is no next element."""
