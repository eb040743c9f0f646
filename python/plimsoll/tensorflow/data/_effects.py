"""Whether a Python function may do more than compute: draw random numbers, count, print, write."""

import collections
import functools
import types

# Names whose use means that calls of the function differ or are seen from outside.
_TELLING = frozenset(
    "append extend insert pop popleft appendleft print next input open write writelines send put "
    "random randint uniform normal choice shuffle sample perf_counter time".split()
)
# Names that change a container, and are also names of computations.
_CHANGING = frozenset("add update remove discard clear setdefault".split())
_CONTAINERS = (set, dict, list, bytearray, collections.deque)
_STORES = frozenset(["STORE_GLOBAL", "STORE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR", "STORE_DEREF"])


def may_have_effects(function, depth: int = 3) -> bool:
    """True unless the code of the function, and of functions that it names, shows nothing such.

    What Python writes in C or what has no code, such as a layer, is taken to have none.
    """
    function = _plain(function)
    code = getattr(function, "__code__", None)
    if code is None or _is_ours(function):
        return False
    named = _named(function, code)
    if _shows_effects(code):
        return True
    if _CHANGING & set(code.co_names) and any(isinstance(n, _CONTAINERS) for n in named):
        return True
    functions = [n for n in named if isinstance(n, types.FunctionType) and not _is_ours(n)]
    return depth > 0 and any(may_have_effects(other, depth - 1) for other in functions)


def _plain(function):
    """The function of a decorated or partial one, of a method, of an object that can be called."""
    while hasattr(function, "__wrapped__") or isinstance(function, functools.partial):
        function = getattr(function, "__wrapped__", None) or function.func
    if not hasattr(function, "__code__") and not isinstance(function, types.MethodType):
        function = type(function).__call__
    return getattr(function, "__func__", function)


def _shows_effects(code: types.CodeType) -> bool:
    import dis

    for name in code.co_names:
        if name in _TELLING or name.startswith(("random_", "stateless_")):
            return True
    if any(step.opname in _STORES for step in dis.get_instructions(code)):
        return True
    return any(_shows_effects(c) for c in code.co_consts if isinstance(c, types.CodeType))


def _named(function, code: types.CodeType) -> list:
    """What the code names of the program around it."""
    scope = getattr(function, "__globals__", {})
    found = [scope.get(name) for name in code.co_names]
    for cell in getattr(function, "__closure__", None) or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:
            continue
    return found


def _is_ours(function) -> bool:
    return (getattr(function, "__module__", None) or "").split(".")[0] in ("plimsoll", "numpy")
