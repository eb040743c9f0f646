"""prefetch(): a thread that makes elements before they are asked for."""

import atexit
import os
import queue
import threading

from plimsoll import _core
from plimsoll.tensorflow.data._order import SameSpecStage, TakeStage
from plimsoll.tensorflow.data._shuffle import chosen_seed
from plimsoll.tensorflow.data._stage import Stage

_AUTOMATIC = 2
_END = object()

# Threads that run, with what they work on. A thread that is inside of the engine when the interpreter
# ends would be killed there, and the process with it.
_running: dict = {}


@atexit.register
def _end_threads() -> None:
    for thread, feeder in list(_running.items()):
        feeder.stop()
        thread.join(timeout=10)


class PrefetchStage(SameSpecStage):
    """Elements that a thread makes ahead, at most `count` of them.

    Where making an element only copies memory a thread would cost more than it saves, so there is
    none.
    """

    def __init__(self, inner: Stage, count: int):
        super().__init__(inner)
        self.count = _AUTOMATIC if count < 0 else count

    def records(self):
        return None if self._needs_thread() else self.inner.records()

    def sequence(self):
        elements = self.inner.open()
        return _Ahead(elements, self.count) if self._needs_thread() else elements

    def _needs_thread(self) -> bool:
        return self.count > 0 and self.inner.any_works()


def take_stage(stage: Stage, count: int) -> Stage:
    """The first `count` elements. A prefetch before it makes none that would not be taken."""
    if isinstance(stage, PrefetchStage):
        return PrefetchStage(take_stage(stage.inner, count), stage.count)
    return TakeStage(stage, count)


class _Feeder:
    """What the thread works on. It does not hold the iterator that users have, so that this one is
    freed, and ends the thread, when they drop it."""

    def __init__(self, elements, count: int, seed: int):
        self.elements = elements
        self.seed = seed
        self._process = os.getpid()
        self.made = queue.SimpleQueue()
        # One entry for each element that may be made before the next one is taken. A SimpleQueue, for
        # stop() may be called by the garbage collector while this thread holds the lock of a semaphore.
        self._room = queue.SimpleQueue()
        for _ in range(count):
            self._room.put(None)
        self._stopped = False

    def run(self) -> None:
        try:
            # Threads draw random numbers by seeds of their own, which are all the same at first.
            _core.set_random_seed(self.seed)
            while self._may_make_another():
                self.made.put((next(self.elements), None))
        except StopIteration:
            self.made.put((_END, None))
        except BaseException as error:  # it is raised again where it is waited for
            self.made.put((_END, error))
        finally:
            _running.pop(threading.current_thread(), None)
            # A generator is closed on the thread that ran it.
            close = getattr(self.elements, "close", None)
            self.elements = None
            if close is not None:
                close()

    def _may_make_another(self) -> bool:
        self._room.get()
        return not self._stopped

    def take(self):
        # In a forked process nobody makes what is waited for.
        if os.getpid() != self._process:
            _core.evaluate([])  # refuses
        made = self.made.get()
        self._room.put(None)
        return made

    def stop(self) -> None:
        """Ends the thread after the element that it is making, and frees those that are made."""
        self._stopped = True
        self._room.put(None)
        try:
            while True:
                self.made.get_nowait()
        except queue.Empty:
            pass


class _Ahead:
    def __init__(self, elements, count: int):
        self._feeder = _Feeder(elements, count, chosen_seed(None))
        self._thread = None

    def __iter__(self):
        return self

    def __next__(self):
        if self._feeder is None:
            raise StopIteration
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._feeder.run, name="plimsoll prefetch", daemon=True
            )
            _running[self._thread] = self._feeder
            self._thread.start()
        element, error = self._feeder.take()
        if element is not _END:
            return element
        self.close()
        if error is not None:
            raise error
        raise StopIteration

    def close(self) -> None:
        feeder, self._feeder = self._feeder, None
        if feeder is not None:
            feeder.stop()

    def __del__(self):
        self.close()
