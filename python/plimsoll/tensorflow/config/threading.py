"""tf.config.threading: how many threads compute."""
from plimsoll import _core, _missing


def set_intra_op_parallelism_threads(num_threads) -> None:
    """The number of threads that compute; 0 leaves it to the engine."""
    if int(num_threads) > 0:
        _core.set_thread_count(int(num_threads))


def get_intra_op_parallelism_threads() -> int:
    return _core.thread_count()


def set_inter_op_parallelism_threads(num_threads) -> None:
    """Accepted: the engine runs one operation after the other, each on all threads."""


def get_inter_op_parallelism_threads() -> int:
    return 1


_missing.told(globals())
