"""A forked child has none of the engine's threads: it is told so in a sentence."""
import os

from plimsoll import _core

os.register_at_fork(after_in_child=lambda: _core.refuse(
    "this process was forked from one that uses Plimsoll, whose threads do not exist here; start it "
    "anew instead, as multiprocessing.get_context('spawn') does"))
