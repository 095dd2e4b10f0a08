"""What a program or a test can tell Plait; see docs/asyncio.md.

    @plait.check                      a pytest test: an async function, checked in all orders of its steps
    account = plait.shared(Account()) marks an object
    plait.touches("file", write=True) this step uses something

With the first mark a program promises that its tasks share nothing but what is marked, and asyncio's own objects. Steps
that touch nothing in common are then tried in one order only. Without Plait marks do nothing."""
import asyncio
import functools
import inspect
import os
import subprocess
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))
SAFE = 0
# What cannot be changed, or notes its uses by itself.
CONSTANT = (int, float, complex, str, bytes, bool, type(None), type, types.FunctionType, types.ModuleType, frozenset, range, asyncio.Future, asyncio.Lock,
            asyncio.Event, asyncio.Condition, asyncio.Semaphore, asyncio.Queue)


def loop_module():
    """The loop that is being checked; None: an ordinary run."""
    return sys.modules.get("plait_loop")


class Found(AssertionError):
    """What Plait says of a test that is not safe."""


def mark():
    # The step that sets the first mark is open itself: those before it were.
    loop_module().touches.marked = True


def touches(name, write=True):
    """This step uses something that has this name."""
    if loop_module():
        mark()
        loop_module().touches.note(f"user {name}", write)


def shared(thing, name=None):
    """Marks an object: returns a stand-in that notes which of its attributes and elements each step uses."""
    if not loop_module():
        return thing
    mark()
    counter = loop_module().touches
    return Shared(thing, f"user {name}" if name else f"object {next(counter.serials)}")


def is_constant(value):
    return isinstance(value, CONSTANT) or isinstance(value, tuple) and all(map(is_constant, value))


class Shared:
    """Methods of the program's own classes see the stand-in as `self`. Whatever else is called counts as a change."""
    __slots__ = ("_plait_thing", "_plait_key")

    def __init__(self, thing, key):
        object.__setattr__(self, "_plait_thing", thing)
        object.__setattr__(self, "_plait_key", key)

    def __getattr__(self, name):
        thing = self._plait_thing
        kind = inspect.getattr_static(type(thing), name, None)
        if isinstance(kind, types.FunctionType):
            return types.MethodType(kind, self)
        if isinstance(kind, property) and kind.fget:
            return kind.fget(self)
        value = getattr(thing, name)
        if isinstance(value, (types.BuiltinMethodType, types.MethodWrapperType, types.MethodType)):
            note(self, "*", True)
        else:
            note(self, name, not is_constant(value))
        return value

    def __setattr__(self, name, value):
        note(self, name, True)
        setattr(self._plait_thing, name, value)

    def __delattr__(self, name):
        note(self, name, True)
        delattr(self._plait_thing, name)

    def __repr__(self):
        note(self, "*", False)
        return repr(self._plait_thing)

    def __eq__(self, other):
        note(self, "*", False)
        return self._plait_thing == (other._plait_thing if isinstance(other, Shared) else other)

    __hash__ = object.__hash__


def note(stand_in, name, write):
    """An attribute by its name; "*": something about the whole object, which meets every attribute."""
    now = loop_module().touches
    key = stand_in._plait_key
    if name == "*":
        now.note(key, write)
    else:
        now.note(key, False)
        now.note(f"{key}.{name}", write)


def define(name, write):
    def use(self, *args):
        note(self, "*", write)
        return getattr(self._plait_thing, name)(*args)
    setattr(Shared, name, use)


for reading in ("__len__", "__iter__", "__contains__", "__bool__", "__getitem__", "__str__", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__sub__",
                "__and__", "__or__", "__reversed__"):
    define(reading, False)
for writing in ("__setitem__", "__delitem__", "__call__"):
    define(writing, True)


def beside(*places):
    """The first of these files that exists, relative to this one."""
    return next((path for path in (os.path.normpath(os.path.join(HERE, place)) for place in places) if os.path.exists(path)), None)


def plait_command():
    return os.environ.get("PLAIT_COMMAND") or beside("../../../bin/plait") or "plait"


def check(function=None, *, options=()):
    """Decorates an async test function. pytest's fixtures are made once, in front of the event loop. `options` are those of plait explore."""
    if function is None:
        return functools.partial(check, options=options)

    @functools.wraps(function)
    def test(*args, **fixtures):
        if loop_module():
            import plait_director
            plait_director.perform(lambda: asyncio.run(function(*args, **fixtures)))
        explore_test(function, options)
    return test


def explore_test(function, options):
    name = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0].partition("::")[2]
    if not name:
        raise RuntimeError("plait.check is for tests that pytest runs")
    node = f"{os.path.abspath(inspect.getsourcefile(function))}::{name}"
    ran = subprocess.run([plait_command(), "explore", *options, "--", sys.executable, beside("plait_asyncio.py"), "--pytest", node],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
    if ran.returncode != SAFE:
        raise Found(ran.stdout)
