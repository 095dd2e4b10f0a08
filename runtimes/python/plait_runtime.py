"""Runtimes for Plait in Python: docs/runtimes.md is the protocol.

A runtime is a class that says, at any time of a run, which events are possible, and performs one of them:

    class Office(plait_runtime.Run):
        def enabled(self): return [{"actor": "ann", "kind": "read", "object": "seats"}, ...]
        def perform(self, event): ...

    plait_runtime.serve(Office, name="office", relations={"interferes": "same-object-write"})

Plait then makes as many runs as it needs: `plait explore -- python3 office.py`. Standard library only."""
import json
import os
import sys
import traceback

PROTOCOL = 1
FLUSH_AT = 1 << 16


class Failure(Exception):
    """Something is wrong in this run: a bug. Raised by Run.perform and Run.finish; AssertionError means the same."""

    def __init__(self, message, kind="failure", **more):
        super().__init__(message)
        self.report = {"message": message, "kind": kind, **more}


class Fatal(Exception):
    """The runtime cannot go on: Plait prints this and gives up."""


class Run:
    """One run, from its start. Events are dictionaries (docs/runtimes.md, "Events")."""

    def enabled(self):
        """The events that are possible now, those that this runtime likes best first. None: the run is over."""
        raise NotImplementedError

    def perform(self, event):
        """Performs one of them. It may add to the event what is known only now: a value that is read. Raises Failure."""
        raise NotImplementedError

    def waiting(self):
        """The events of actors that wait for others. When nothing is enabled, somebody who waits makes a deadlock."""
        return []

    def finish(self):
        """Called when a run is complete: the last chance to raise Failure."""

    def result(self):
        """What came out, a text, or None."""
        return None

    def given(self):
        """Pairs for the building block "given", by relation: {"interferes": [[0, 3]], ...}."""
        return {}


class Channel:
    """Messages to and from Plait, one in a line."""

    def __init__(self, source=None, sink=None):
        if source is None:
            source, sink = standard_channel()
        self.source, self.sink = source, sink
        self.buffer = b""
        self.lines = []
        self.out = []
        self.size = 0

    def receive(self):
        """The next message; None: there is none any more. Sends what was kept before it waits."""
        while not self.lines:
            self.flush()
            chunk = os.read(self.source, 1 << 16)
            if not chunk:
                return None
            *whole, self.buffer = (self.buffer + chunk).split(b"\n")
            self.lines = whole[::-1]
        line = self.lines.pop()
        try:
            message = json.loads(line)
        except ValueError as error:
            raise Fatal(f"not a message: {line[:200]!r}: {error}") from None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise Fatal(f"a message is an object with a type: {line[:200]!r}")
        return message

    def send(self, message):
        text = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        self.out.append(text)
        self.size += len(text)
        if self.size > FLUSH_AT:
            self.flush()

    def flush(self):
        data = memoryview(b"".join(self.out))
        self.out, self.size = [], 0
        while data:
            data = data[os.write(self.sink, data):]


def standard_channel():
    """The descriptors that Plait gave. What the program prints must not get between its messages."""
    if "PLAIT_RUNTIME_IN" not in os.environ:
        return 0, 1
    source, sink = (os.dup(int(os.environ[name])) for name in ("PLAIT_RUNTIME_IN", "PLAIT_RUNTIME_OUT"))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return source, sink


def field(message, name, kind, default=None):
    """A field of a message from Plait, checked."""
    value = message.get(name, default)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Fatal(f"message {message.get('type', 'run')}: {name} is {value!r}")
    return value


class Descriptions:
    """Numbers for events that were described before (docs/runtimes.md, "Numbers")."""

    def __init__(self):
        self.numbers = {}
        self.ids = []

    def __call__(self, event):
        """The event as it is sent: its number, or the whole of it for the first time."""
        key = tuple(event.items())
        number = self.numbers.get(key)
        if number is None:
            self.numbers[key] = len(self.ids)
            self.ids.append(event["id"])
            return event
        return number

    def id_of(self, word):
        """Of a word of a seed."""
        if isinstance(word, str):
            return word
        if isinstance(word, int) and not isinstance(word, bool) and 0 <= word < len(self.ids):
            return self.ids[word]
        raise Fatal(f"message run: seed has {word!r}")


class Recorder:
    """Makes one run: follows the seed, then the runtime's own taste; notes what else would have been possible."""

    def __init__(self, run, limit):
        self.run, self.limit = run, limit
        self.events = []
        self.counts = {}
        self.missed = {}  # id -> (index of the event that made it impossible, event)

    def name(self, events):
        """By id. An event without one gets its actor's name and number."""
        named = {}
        for event in events:
            if "id" not in event:
                event["id"] = f"{event['actor']}:{self.counts.get(event['actor'], 0)}"
            named[event["id"]] = event
        return named

    def step(self, possible, event):
        index = len(self.events)
        self.events.append(event)
        actor = event["actor"]
        self.counts[actor] = self.counts.get(actor, 0) + 1
        self.run.perform(event)
        self.missed.pop(event["id"], None)
        after = self.name(self.run.enabled())
        for name, other in possible.items():
            if name not in after and other is not event:
                self.missed[name] = (index, other)
        return after

    def follow(self, seed):
        """The end of the run, without events."""
        possible = self.name(self.run.enabled())
        try:
            for at, name in enumerate(seed):
                if name not in possible:
                    return {"status": "diverged", "at": at, "message": f"{name} is not possible; these are: {', '.join(possible) or 'none'}",
                            "possible": list(possible)}
                possible = self.step(possible, possible[name])
            while possible:
                if len(self.events) >= self.limit:
                    return {"status": "limit", "pending": list(possible.values())}
                possible = self.step(possible, next(iter(possible.values())))
            waiting = list(self.name(self.run.waiting()).values())
            if waiting:
                return {"status": "blocked", "pending": waiting, "message": "waits for ever: " + "; ".join(map(text_of, waiting))}
            self.run.finish()
            return {"status": "complete"}
        except (Failure, AssertionError) as error:
            performed = {event["id"] for event in self.events}
            pending = {**possible, **self.name(self.run.waiting())}
            return {"status": "failed", "failure": report_of(error, self.events),
                    "pending": [event for name, event in pending.items() if name not in performed]}


def text_of(event):
    return f"{event['actor']}: " + event.get("label", f"{event['kind']} {event.get('object', '')}").strip()


def report_of(error, events):
    report = getattr(error, "report", None)
    if report is None:
        where = traceback.extract_tb(error.__traceback__)[-1]
        report = {"message": str(error) or f"assertion failed: {where.line}", "kind": "assertion", "file": where.filename, "line": where.lineno}
    if "actor" not in report and events:
        report["actor"] = events[-1]["actor"]
    return report


def answer(make_run, message, descriptions):
    """The end message of one run."""
    seed = [descriptions.id_of(word) for word in field(message, "seed", list)]
    limit = field(field(message, "limits", dict, {}), "events", int, sys.maxsize)
    run = make_run()
    recorder = Recorder(run, limit)
    end = recorder.follow(seed)
    pending = end.pop("pending", [])
    names = {event["id"] for event in pending}
    reply = {"type": "end", "run": message["run"], **end, "events": [descriptions(event) for event in recorder.events]}
    if pending:
        reply["pending"] = [descriptions(event) for event in pending]
    missed = [(at, event) for name, (at, event) in recorder.missed.items() if name not in names]
    if missed and end["status"] != "diverged":
        reply["alternatives"] = [{"at": at, "event": descriptions(event)} for at, event in missed]
    result = run.result()
    if result is not None:
        reply["result"] = result
    reply.update(run.given())
    return reply


def converse(channel, hello, on_run):
    """Talks to Plait until it is done. `on_run(message, channel)` answers a run."""
    first = channel.receive()
    if first is None:
        return
    if first["type"] != "hello" or field(first, "protocol", int) != PROTOCOL:
        raise Fatal(f"the first message is a hello with protocol {PROTOCOL}; this is {json.dumps(first)[:200]}")
    channel.send({"type": "hello", "protocol": PROTOCOL, "numbers": True, **hello})
    while (message := channel.receive()) is not None and message["type"] != "quit":
        if message["type"] != "run":
            raise Fatal(f"unknown message: {message['type']}")
        field(message, "run", int)
        on_run(message, channel)
    channel.flush()


def serve(make_run, name, version="1", **hello):
    """Answers Plait until it is done. `make_run()` begins a run; `hello` has relations, operations and the like."""
    channel = Channel()
    descriptions = Descriptions()
    try:
        converse(channel, {"name": name, "version": version, **hello},
                 lambda message, to: to.send(answer(make_run, message, descriptions)))
    except Fatal as error:
        give_up(channel, str(error))
    except BrokenPipeError:
        sys.exit(1)
    except Exception:
        give_up(channel, "the runtime has a bug:\n" + traceback.format_exc())


def give_up(channel, message):
    channel.send({"type": "error", "message": message})
    channel.flush()
    sys.exit(1)
