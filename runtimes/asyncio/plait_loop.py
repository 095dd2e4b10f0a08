"""The event loop that lets Plait choose which ready callback or task step runs next.

One *event* is one callback: a step of a task, a done-callback, a timer. Time is virtual: it passes when nothing is ready.
Tasks are named by who created them, so that a name means the same in every run.

What events touch, so that those which touch nothing in common need not be tried in both orders:
- steps of tasks and callbacks are *user code*. User code is *open*: it may touch anything that other user code touches,
  unless the program marks its objects (plait.py);
- futures, tasks, locks, events, conditions, semaphores and queues of asyncio note who touches them. A few callbacks of
  asyncio itself touch nothing else: they are its *own* code (OWN_CALLBACKS)."""
import asyncio
import functools
import heapq
import itertools
import linecache
import os
from asyncio import base_events, events, futures, locks, queues, tasks

STANDARD = os.path.dirname(os.__file__) + os.sep
HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
MAIN = "main"
CLOCK = "clock"
RESOLUTION = 1e-9  # seconds; timers that are as close are due together, as with asyncio's clock
LOOP = "loop"  # the column of callbacks and timers
# Callbacks of asyncio that touch nothing but futures and tasks, and what gather's callbacks share.
OWN_CALLBACKS = {"_set_result_unless_cancelled", "_release_waiter", "gather.<locals>._done_callback", "Timeout._on_timeout"}

NICE_NAMES = {"_set_result_unless_cancelled": "sleep is over", "_release_waiter": "wait_for ends", "Timeout._on_timeout": "timeout",
              "gather.<locals>._done_callback": "gather", "_run_until_complete_cb": "the loop ends"}


class Touches:
    """What the step under way touches: key -> it was written."""

    def __init__(self):
        self.now = {}
        self.marked = False  # from now on user code touches nothing but what is tracked
        self.opened = True   # the step under way is open
        self.inside = {}     # task -> primitives in whose methods it is
        self.serials = itertools.count()

    def begin(self, task):
        self.now = {}
        self.opened = not self.marked
        if task is not None:
            self.write(task)
            for thing in self.inside.get(task, ()):
                self.write(thing)

    def key(self, thing):
        serial = getattr(thing, "_plait_serial", None)
        if serial is None:
            serial = thing._plait_serial = next(self.serials)
        return serial

    def write(self, thing):
        self.now[self.key(thing)] = True

    def read(self, thing):
        self.now.setdefault(self.key(thing), False)

    def note(self, name, write):
        self.now[name] = write or self.now.get(name, False)


touches = Touches()


def tracked(kind, reads, writes):
    """A subclass of a future class that notes its uses. Hashes are serial numbers: sets of tasks have the same order in every run."""
    def using(name, note):
        original = getattr(kind, name)

        def use(self, *args, **more):
            note(self)
            return original(self, *args, **more)
        return functools.wraps(original)(use)

    body = {"__hash__": lambda self: touches.key(self), "__eq__": lambda self, other: self is other}
    body |= {name: using(name, touches.read) for name in reads}
    body |= {name: using(name, touches.write) for name in writes}
    return type(kind.__name__, (kind,), body)


READS = ("done", "cancelled", "result", "exception")
WRITES = ("cancel", "add_done_callback", "remove_done_callback", "__await__", "__iter__")
Future = tracked(futures.Future, READS, WRITES + ("set_result", "set_exception"))
Task = tracked(tasks.Task, READS, WRITES + ("uncancel", "cancelling"))
Task.set_name = lambda self, name: (tasks._CTask.set_name(self, name), self.get_loop().rename(self))
Gathering = tracked(tasks._GatheringFuture, READS, WRITES + ("set_result", "set_exception"))


def track_methods(kind, coroutines, functions, readers):
    """The methods of a primitive note it: coroutines in each step that is inside of them."""
    def inside(original):
        @functools.wraps(original)
        async def use(self, *args, **more):
            touches.write(self)
            held = touches.inside.setdefault(asyncio.current_task(), [])
            held.append(self)
            try:
                return await original(self, *args, **more)
            finally:
                held.remove(self)
        return use

    def using(original, note):
        @functools.wraps(original)
        def use(self, *args, **more):
            note(self)
            return original(self, *args, **more)
        return use

    for name in coroutines:
        setattr(kind, name, inside(getattr(kind, name)))
    for name in functions:
        setattr(kind, name, using(getattr(kind, name), touches.write))
    for name in readers:
        setattr(kind, name, using(getattr(kind, name), touches.read))


def in_given_order(original):
    """as_completed, for a list: asyncio makes a set of it, and the order of coroutines in a set is that of their addresses."""
    @functools.wraps(original)
    def as_completed(fs, **more):
        if not (futures.isfuture(fs) or asyncio.iscoroutine(fs)):
            fs = [tasks.ensure_future(one) for one in dict.fromkeys(fs)]
        yield from original(fs, **more)
    return as_completed


def track_primitives():
    track_methods(locks.Lock, ["acquire"], ["release"], ["locked"])
    track_methods(locks.Event, ["wait"], ["set", "clear"], ["is_set"])
    track_methods(locks.Condition, ["wait"], ["notify"], [])
    track_methods(locks.Semaphore, ["acquire"], ["release"], ["locked"])
    track_methods(locks.Barrier, ["wait", "reset", "abort"], [], [])
    track_methods(queues.Queue, ["put", "get", "join"], ["put_nowait", "get_nowait", "task_done"], ["qsize", "empty", "full"])
    for module in (asyncio, futures, tasks):
        module.Future = Future
    for module in (asyncio, tasks):
        module.Task = Task
        module.as_completed = in_given_order(tasks.as_completed)
    tasks._GatheringFuture = Gathering


class Step:
    """A callback that is ready, or has run: an event."""

    def __init__(self, name, actor, kind, task, by):
        self.name, self.actor, self.kind, self.task, self.by = name, actor, kind, task, by
        self.own = False
        self.label = kind
        self.place = None


def is_user_file(file):
    return not file.startswith((STANDARD, HERE, "<"))


def where(coroutine):
    """(file, line) of the innermost place in the program's own files where a coroutine stands; None: nowhere."""
    place = None
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "gi_frame", None) or getattr(coroutine, "ag_frame", None)
        if frame is None:
            break
        if is_user_file(frame.f_code.co_filename):
            place = frame.f_code.co_filename, frame.f_lineno
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "gi_yieldfrom", None) or getattr(coroutine, "ag_await", None)
    return place


def source(place):
    return linecache.getline(*place).strip() if place else ""


def plain_name(callback):
    while isinstance(callback, functools.partial):
        callback = callback.func
    return getattr(callback, "__qualname__", None) or type(callback).__qualname__


def step_task(callback):
    """The task whose step this callback is, or None."""
    owner = getattr(callback, "__self__", None)
    if isinstance(owner, tasks.Task) and (type(callback).__name__ == "TaskStepMethWrapper" or callback.__name__ == "task_wakeup"):
        return owner
    return None


class NamedHandle(events.Handle):
    __slots__ = ("step",)

    def cancel(self):
        if not self._cancelled:
            self._loop.withdrawn(self)
        super().cancel()


class NamedTimer(events.TimerHandle):
    __slots__ = ("step",)

    def cancel(self):
        if not self._cancelled:
            self._loop.withdrawn(self)
        super().cancel()


class Loop(base_events.BaseEventLoop):
    """`director` decides: begin() when a loop runs, choose(ready steps), stuck(); see plait_director.py."""
    director = None
    now = 0.0

    def __init__(self):
        super().__init__()
        self.waiting = []  # timers
        self.slots = {}    # name -> handle that is ready
        self.order = itertools.count()

    # names

    def unique(self, actor, base):
        count = self.director.count((actor, base))
        return base if count == 1 else f"{base}.{count}"

    def name_task(self, task):
        """Main's children have plain names, their children are named after them."""
        director = self.director
        given = task.get_name()
        base = given if not given.startswith("Task-") else getattr(task.get_coro(), "__name__", "task")
        prefix = "" if director.actor in (None, MAIN) else director.actor + "/"
        task._plait_name = prefix + self.unique(director.actor, base)

    def rename(self, task):
        """asyncio gives a task its name when its first step is scheduled already."""
        handle = self.slots.pop(f"{task._plait_name}:0", None)
        if handle is not None and handle.step.by == self.director.index:
            self.name_task(task)
            handle.step.name, handle.step.actor = f"{task._plait_name}:0", task._plait_name
        if handle is not None:
            self.slots[handle.step.name] = handle

    def make_step(self, callback):
        director = self.director
        task = step_task(callback)
        if task is not None:
            if not hasattr(task, "_plait_name"):
                self.name_task(task)
                task._plait_steps = 0
                director.note_task(task)
            name = task._plait_name
            step = Step(f"{name}:{task._plait_steps}", name, "step", task, director.index)
            task._plait_steps += 1
            return step
        base = NICE_NAMES.get(plain_name(callback), plain_name(callback))
        name = f"{director.actor or MAIN}>{self.unique(director.actor, '>' + base)[1:]}"
        step = Step(name, LOOP, "callback", None, director.index)
        step.own = plain_name(callback) in OWN_CALLBACKS
        step.label = base
        code = getattr(callback, "__code__", None)
        if code is not None and is_user_file(code.co_filename):
            step.place = code.co_filename, code.co_firstlineno
        return step

    # what BaseEventLoop needs

    def time(self):
        return Loop.now

    def _call_soon(self, callback, args, context):
        handle = NamedHandle(callback, args, self, context)
        handle.step = self.make_step(callback)
        self.slots[handle.step.name] = handle
        return handle

    def call_at(self, when, callback, *args, context=None):
        if when is None:
            raise TypeError("when cannot be None")
        self._check_closed()
        timer = NamedTimer(when, callback, args, self, context)
        timer.step = self.make_step(callback)
        timer.step.kind = "timer"
        if when <= self.time():
            self.slots[timer.step.name] = timer
        else:
            heapq.heappush(self.waiting, (when, next(self.order), timer))
        return timer

    def withdrawn(self, handle):
        if self.slots.get(handle.step.name) is handle:
            del self.slots[handle.step.name]
            self.director.withdrawn(handle.step)

    def _timer_handle_cancelled(self, handle):
        pass

    def _process_events(self, event_list):
        pass

    def _write_to_self(self):
        pass

    def add_signal_handler(self, number, callback, *args):
        """No signals come."""

    def remove_signal_handler(self, number):
        return False

    def run_forever(self):
        self.director.begin()
        super().run_forever()
        self.director.actor = None

    def close(self):
        for handle in list(self.slots.values()):
            self.withdrawn(handle)
        super().close()

    def next_timer(self):
        """The time of the next timer that counts; None: there is none."""
        while self.waiting and self.waiting[0][2]._cancelled:
            heapq.heappop(self.waiting)
        return self.waiting[0][0] if self.waiting else None

    def timers_due(self, by):
        while (when := self.next_timer()) is not None and when <= Loop.now + RESOLUTION:
            timer = heapq.heappop(self.waiting)[2]
            timer.step.by = by
            self.slots[timer.step.name] = timer

    def _run_once(self):
        director = self.director
        self.timers_due(director.index)
        if not self.slots:
            when = self.next_timer()
            if when is None:
                director.stuck()
            clock = Step(f"{CLOCK} {when!r}", LOOP, CLOCK, None, director.index)
            clock.label = f"time passes: {when:g} s"
            director.choose({clock.name: clock})
            touches.begin(None)
            Loop.now = when
            self.timers_due(director.index)
            return
        step = director.choose({name: handle.step for name, handle in self.slots.items()})
        handle = self.slots.pop(step.name)
        self.run_step(step, handle)

    def run_step(self, step, handle):
        task = step.task
        before = where(task.get_coro()) if task is not None else None
        touches.begin(task)
        for argument in handle._args or ():
            if isinstance(argument, (Future, Task, Gathering)):
                touches.write(argument)
        if step.own and step.label == "gather":
            for cell in handle._callback.__closure__:
                if isinstance(cell.cell_contents, Gathering):
                    touches.write(cell.cell_contents)
        handle._run()
        if task is not None:
            coroutine = task.get_coro()
            after = None if tasks.Task.done(task) else where(coroutine)
            step.place = before or step.place
            first = "starts" if step.name.endswith(":0") else "goes on" + (f" behind '{source(before)}'" if before else "")
            step.label = first + (", ends" if tasks.Task.done(task) else f", up to '{source(after)}'" if after else "")

    def create_task(self, coro, *, name=None, context=None):
        self._check_closed()
        return Task(coro, loop=self, name=name, context=context) if context else Task(coro, loop=self, name=name)

    def create_future(self):
        return Future(loop=self)

    def default_exception_handler(self, context):
        self.director.logged(context)


def refuse(name):
    def refused(self, *args, **more):
        self.director.unsupported(name)
    return refused


for unsupported in ("run_in_executor", "create_connection", "create_server", "create_datagram_endpoint", "connect_read_pipe", "connect_write_pipe",
                    "subprocess_exec", "subprocess_shell", "add_reader", "add_writer", "sock_recv", "sock_sendall", "sock_connect", "sock_accept",
                    "getaddrinfo", "getnameinfo", "create_unix_connection", "create_unix_server", "sendfile", "start_tls"):
    setattr(Loop, unsupported, refuse(unsupported))


class Policy(asyncio.DefaultEventLoopPolicy):
    _loop_factory = Loop
