"""Makes runs of an asyncio program: a fork server that begins where the program's first event loop begins to run.

Everything before that (imports, module level) happens once. Each run is a child process that goes on from there, so
nothing leaks from one run to the next. It follows its seed, then takes what has been ready for the longest time. It
tells the server each event before it is performed, so that the events of a run that dies are known, too."""
import asyncio
import ctypes
import gc
import json
import linecache
import os
import random
import sys
import threading
import time
import traceback
import weakref

import plait_loop
import plait_runtime
from plait_loop import CLOCK, Loop, is_user_file, touches, where

MOST_OUTPUT = 1 << 16
RELATIONS = {
    "must": {"or": [{"same": "task"}, {"link": ["id", "by"]}]},
    "enables": {"either": {"kind": CLOCK}},
    "interferes": {"or": [{"and": [{"both": {"code": "user"}}, {"either": {"open": True}}]}, "given"]},
}
UNCAUGHT = "uncaught-exception"
EPOCH = 1_600_000_000.0


class Director:
    """Chooses steps in a child; lets the server work when the first loop begins to run."""

    def __init__(self):
        self.actor = None  # who runs; None: nobody, code outside of the loop
        self.index = -1    # of the event under way
        self.step = None
        self.names = []    # of the events so far
        self.counts = {}
        self.tasks = []
        self.missed = []   # steps that were ready and were withdrawn: (index, step)
        self.message = None
        self.file = None
        self.seed = self.limit = None
        self.output = None

    def count(self, key):
        self.counts[key] = self.counts.get(key, 0) + 1
        return self.counts[key]

    def note_task(self, task):
        self.tasks.append(weakref.ref(task))

    def begin(self):
        if self.file is None:
            self.message, self.file = serve()
            self.seed, self.limit = self.message["seed"], self.message["limit"]
            self.output = os.memfd_create("output")
            os.dup2(self.output, 1)
            gc.disable()
            threading.Thread.start = lambda thread: self.unsupported("threading.Thread")

    def name_of(self, index):
        return self.names[index] if index >= 0 else ""

    def description(self, step):
        """As the protocol has it."""
        event = {"id": step.name, "actor": step.actor, "kind": step.kind, "label": step.label, "code": "own" if step.own or step.kind == CLOCK else "user",
                 "task": step.actor if step.task is not None else step.name, "by": self.name_of(step.by)}
        if step.place:
            event["file"], event["line"] = step.place
        return event

    # one run

    def tell(self, kind, **more):
        data = json.dumps([kind, more], separators=(",", ":")).encode() + b"\n"
        while data:
            data = data[os.write(self.file, data):]

    def close_step(self):
        """Everything up to the next choice belongs to a step, also code outside of the loop."""
        step = self.step
        if step is not None:
            user = step.kind != CLOCK and not step.own
            self.tell("touched", touched=touches.now, open=user and (touches.opened or step.task is None), event=self.description(step))
            self.step = None

    def choose(self, ready):
        self.close_step()
        self.index += 1
        if self.index < len(self.seed):
            name = self.seed[self.index]
            if name not in ready:
                self.end(status="diverged", at=self.index, possible=list(ready),
                         message=f"{name} is not possible; these are: {', '.join(ready)}")
            step = ready[name]
        elif self.index >= self.limit:
            self.end(status="limit", pending=ready.values())
        else:
            step = next(iter(ready.values()))
        self.ready = ready
        self.step, self.actor = step, step.task._plait_name if step.task is not None else step.name
        self.names.append(step.name)
        self.tell("event", id=step.name, actor=step.actor, by=self.name_of(step.by))
        return step

    def withdrawn(self, step):
        if step.by < self.index:
            self.missed.append((self.index, step))

    def pending_tasks(self):
        alive = [reference() for reference in self.tasks]
        return [task for task in alive if task is not None and not asyncio.Task.done(task)]

    def stuck(self):
        lines, pending = [], []
        for task in self.pending_tasks():
            place = where(task.get_coro())
            at = f" at {os.path.basename(place[0])}:{place[1]}: {plait_loop.source(place)}" if place else ""
            lines.append(f"{task._plait_name} waits{at}")
            step = plait_loop.Step(f"{task._plait_name}:{task._plait_steps}", task._plait_name, "step", task, self.index)
            step.place, step.label = place, "waits for ever"
            pending.append(step)
        self.end(status="blocked", message="; ".join(lines), pending=pending)

    def logged(self, context):
        """Something that asyncio logs as an error: an exception that nobody looks at, a task that is destroyed while it waits."""
        error = context.get("exception")
        if error is not None:
            self.failed(error, prefix=context.get("message", "") + ": ", kind=UNCAUGHT)
        self.end(status="failed", failure={"message": context.get("message", "an error"), "kind": UNCAUGHT}, pending=self.others())

    def others(self):
        return [step for name, step in getattr(self, "ready", {}).items() if step is not self.step]

    def failed(self, error, prefix="", kind=None):
        if isinstance(error, SystemExit):
            failure = {"message": f"exits with status {error.code}", "kind": UNCAUGHT}
        else:
            failure = {"message": prefix + text_of(error), "kind": kind or ("assertion" if isinstance(error, AssertionError) else UNCAUGHT)}
        if place := place_of(error):
            failure["file"], failure["line"] = place
        if thrower := self.thrower(error):
            failure["actor"] = thrower
        self.end(status="failed", failure=failure, pending=self.others())

    def thrower(self, error):
        """The task that raised it first; those that wait for it raise it, too."""
        names = [task._plait_name for task in (reference() for reference in self.tasks)
                 if task is not None and asyncio.Task.done(task) and not asyncio.Task.cancelled(task) and task._exception is error]
        return names[-1] if names else None

    def unsupported(self, name):
        self.tell("fatal", message=f"{name}: sockets, processes, threads and signals have no place in a checked run")
        os._exit(0)

    def over(self, error=None):
        """The program has ended."""
        if isinstance(error, SystemExit) and error.code in (None, 0):
            error = None
        if error is not None:
            self.failed(error)
        for reference in self.tasks:
            task = reference()
            if task is not None and asyncio.Task.done(task) and task._log_traceback:
                self.failed(asyncio.Task.exception(task), prefix=f"nobody looked at the exception of {task._plait_name}: ", kind=UNCAUGHT)
        self.end(status="complete", leftover=[(self.index, step) for step in self.others()])

    def end(self, pending=(), leftover=(), **more):
        self.close_step()
        if more["status"] in ("complete", "blocked") and self.index + 1 < len(self.seed):
            more = {"status": "diverged", "at": self.index + 1, "possible": [],
                    "message": f"{self.seed[self.index + 1]} is not possible: the program has ended or waits for ever"}
        try:
            sys.stdout.flush()
        except (OSError, ValueError, AttributeError):
            pass
        os.lseek(self.output, 0, os.SEEK_SET)
        text = os.read(self.output, MOST_OUTPUT).decode(errors="replace")
        self.tell("end", **more, result=text, pending=[self.description(step) for step in pending],
                  missed=[(at, self.description(step)) for at, step in [*self.missed, *leftover]])
        os._exit(0)


def text_of(error):
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, AssertionError):
        frame = traceback.extract_tb(error.__traceback__)
        text = f"assertion failed: {str(error) or (frame[-1].line if frame else '')}"
    return text


def place_of(error):
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__) if is_user_file(frame.filename)]
    return places[-1] if places else None


# The server

def collect(pid, source):
    """What a child told: (events with what they touched, its last message)."""
    status = os.waitpid(pid, 0)[1]
    data = os.pread(source, os.fstat(source).st_size, 0)
    os.close(source)
    events, last = [], None
    for line in data.split(b"\n")[:-1]:
        kind, more = json.loads(line)
        if kind == "event":
            events.append({"touched": {}, "event": {"id": more["id"], "actor": more["actor"], "kind": "step", "code": "user",
                                                                      "task": more["actor"], "open": True, "by": more["by"]}})
        elif kind == "touched":
            events[-1]["touched"] = more["touched"]
            events[-1]["event"] = {**more["event"], "open": more["open"]}
        else:
            last = kind, more
    if last is None:
        last = "end", {"status": "failed", "failure": {"message": f"the program died: {describe(status)}", "kind": "crash"}, "pending": [], "missed": []}
    return events, last


def describe(status):
    return f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit status {os.WEXITSTATUS(status)}"


def pairs(events):
    """Who touched the same: pairs for "given"."""
    users, interferes = {}, set()
    for at, entry in enumerate(events):
        for key, write in entry["touched"].items():
            for other, wrote in users.setdefault(key, []):
                if write or wrote:
                    interferes.add((other, at))
            users[key].append((at, write))
    return {"interferes": sorted(interferes)}


LIBC = ctypes.CDLL(None)


def die_with_parent():
    LIBC.prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL


def read_sources():
    """Once, not in every child: labels have lines of the program."""
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file and is_user_file(file):
            linecache.getlines(file)
    linecache.getlines(sys.argv[0])


def start(message, descriptions):
    """Forks. In the child: the run to make and where to tell about it. In the server: (pid, where it tells)."""
    seed = [descriptions.id_of(word) for word in plait_runtime.field(message, "seed", list)]
    limit = plait_runtime.field(plait_runtime.field(message, "limits", dict, {}), "events", int, sys.maxsize)
    file = os.memfd_create("events")  # not a pipe: nobody needs to wake up for each event
    sys.stdout.flush()
    chance = random.getstate()
    pid = os.fork()
    if pid == 0:
        die_with_parent()
        random.setstate(chance)  # Python makes another one for each child
        return None, ({"seed": seed, "limit": limit}, file)
    return (pid, file), None


def reply(message, events, last, descriptions):
    kind, more = last
    if kind == "fatal":
        raise plait_runtime.Fatal(more["message"])
    pending, missed = more.pop("pending"), more.pop("missed")
    end = {"type": "end", "run": message["run"], **more, **pairs(events), "events": [descriptions(entry["event"]) for entry in events]}
    names = {entry["event"]["id"] for entry in events} | {event["id"] for event in pending}
    if pending:
        end["pending"] = [descriptions(event) for event in pending]
    missed = {event["id"]: (at, event) for at, event in missed if event["id"] not in names}
    if missed:
        end["alternatives"] = [{"at": at, "event": descriptions(event)} for at, event in missed.values()]
    return end


class Child(Exception):
    """Leaves the server's loop in a child."""


def serve():
    """The server: returns only in children, with the run to make and where to tell about it."""
    descriptions = plait_runtime.Descriptions()
    task = []

    def on_run(message, to):
        listening, work = start(message, descriptions)
        if work is not None:
            task.append(work)
            raise Child
        to.send(reply(message, *collect(*listening), descriptions))

    read_sources()
    gc.collect()
    gc.freeze()
    try:
        converse(on_run)
    except Child:
        return task[0]


def converse(on_run):
    """Talks to Plait. Does not return, but for an exception of on_run that is a Child."""
    channel = plait_runtime.Channel(*CHANNEL)
    try:
        plait_runtime.converse(channel, {"name": "asyncio", "version": "1", "relations": RELATIONS}, on_run)
    except Child:
        raise
    except plait_runtime.Fatal as error:
        quit_with(channel, str(error))
    except BrokenPipeError:
        os._exit(1)
    except Exception:
        quit_with(channel, "the runtime has a bug:\n" + traceback.format_exc())
    os._exit(0)


def quit_with(channel, message):
    channel.send({"type": "error", "message": message})
    channel.flush()
    os._exit(1)


CHANNEL = ()
director = Director()


def no_loop(error):
    """The program has ended, or failed, before an event loop ran."""
    what = "".join(traceback.format_exception(error)) if error is not None else "asyncio.run was not called"

    def on_run(message, to):
        raise plait_runtime.Fatal(f"the program ended before an event loop ran: {what}")
    converse(on_run)


def virtual_sleep(seconds):
    """Blocks everybody, in virtual time."""
    Loop.now += max(seconds, 0)


def prepare():
    """From here on this process is the runtime."""
    global CHANNEL
    CHANNEL = plait_runtime.standard_channel()
    random.seed(0)
    plait_loop.track_primitives()
    Loop.director = director
    asyncio.set_event_loop_policy(plait_loop.Policy())
    time.time = lambda: EPOCH + Loop.now
    time.monotonic = time.perf_counter = lambda: Loop.now
    time.sleep = virtual_sleep


def perform(program):
    """Runs `program()`, a function, as often as Plait likes. Does not return."""
    error = None
    try:
        program()
    except BaseException as raised:
        error = raised
    if director.file is None:
        no_loop(error)
    director.over(error)
