"""The engine's side of docs/runtimes.md, as small as possible and independent of the engine: starts a runtime, asks for
runs, knows what relations mean, and checks a runtime's promises on all of its runs."""
import itertools
import json
import os
import select
import subprocess

TIMEOUT = 600


class Engine:
    def __init__(self, *command, env=None, cwd=None, hello=None):
        """`hello`: what to send in the place of the right one."""
        into, self.out = os.pipe()
        self.source, outof = os.pipe()
        environment = {**os.environ, **(env or {}), "PLAIT_RUNTIME_IN": str(into), "PLAIT_RUNTIME_OUT": str(outof)}
        self.process = subprocess.Popen(command, stdin=into, stdout=outof, stderr=subprocess.PIPE, env=environment, cwd=cwd,
                                        pass_fds=(into, outof), text=True)
        os.close(into)
        os.close(outof)
        self.buffer = b""
        self.described = []
        self.count = 0
        self.send(hello or {"type": "hello", "protocol": 1, "framings": ["lines", "cbor"]})
        self.hello = self.receive()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.send({"type": "quit"})
        self.close()

    def close(self):
        os.close(self.out)
        self.process.communicate(timeout=TIMEOUT)
        os.close(self.source)

    def send(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        os.write(self.out, data)

    def receive(self):
        while b"\n" not in self.buffer:
            if not select.select([self.source], [], [], TIMEOUT)[0]:
                raise TimeoutError
            chunk = os.read(self.source, 1 << 16)
            if not chunk:
                raise EOFError(self.process.stderr.read())
            self.buffer += chunk
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def event(self, word):
        """The description behind a number, or a new one."""
        if isinstance(word, int):
            return self.described[word]
        assert "id" in word, word
        self.described.append(word)
        return word

    def ask(self, seed, **limits):
        self.send({"type": "run", "run": self.count, "seed": seed, "limits": limits})
        self.count += 1

    def answer(self):
        events, asked = [], None
        while True:
            message = self.receive()
            assert message["type"] in ("event", "events", "end"), message
            assert asked in (None, message["run"]), message
            asked = message["run"]
            words = [message["event"]] if message["type"] == "event" else message.get("events", [])
            events += [self.event(word) for word in words]
            if message["type"] == "end":
                message["events"] = events
                message["pending"] = [self.event(word) for word in message.get("pending", [])]
                message["alternatives"] = [{"at": other["at"], "event": self.event(other["event"])} for other in message.get("alternatives", [])]
                return message

    def run(self, seed=(), **limits):
        self.ask(list(seed), **limits)
        return self.answer()

    def possible(self, prefix):
        """The events that are possible after these."""
        end = self.run([*prefix, "?"])
        if end["status"] == "diverged":
            assert end["at"] == len(prefix), end
            return end["possible"]
        assert end["status"] == "failed", end  # then nothing follows
        return []

    def complete_runs(self, most=100000):
        """All of them, one order of events after the other. Knows nothing of relations."""
        todo = [[]]
        while todo:
            prefix = todo.pop()
            possible = self.possible(prefix)
            if possible:
                todo += [prefix + [name] for name in reversed(possible)]
            else:
                most -= 1
                assert most > 0, "too many runs"
                yield self.run(prefix)


def passes(event, test):
    return all(event.get(name) in value if isinstance(value, list) else event.get(name) == value and name in event for name, value in test.items())


def shares(a, b, name, other=None):
    return name in a and (other or name) in b and a[name] == b[other or name]


WORDS = {
    "always": lambda a, b: True,
    "never": lambda a, b: False,
    "same-actor": lambda a, b: shares(a, b, "actor"),
    "same-object": lambda a, b: shares(a, b, "object"),
    "same-object-write": lambda a, b: shares(a, b, "object") and not a["kind"] == b["kind"] == "read",
    "same-mailbox": lambda a, b: shares(a, b, "mailbox"),
    "spawn-first": lambda a, b: shares(a, b, "child", "actor"),
    "send-receive": lambda a, b: a["kind"] == "send" and b["kind"] == "receive" and shares(a, b, "message"),
}
MAKERS = {
    "same": lambda a, b, value, given: shares(a, b, value),
    "differ": lambda a, b, value, given: value in a and value in b and a[value] != b[value],
    "link": lambda a, b, value, given: shares(a, b, *value),
    "first": lambda a, b, value, given: passes(a, value),
    "second": lambda a, b, value, given: passes(b, value),
    "both": lambda a, b, value, given: passes(a, value) and passes(b, value),
    "either": lambda a, b, value, given: passes(a, value) or passes(b, value),
    "and": lambda a, b, value, given: all(holds(part, a, b, given) for part in value),
    "or": lambda a, b, value, given: any(holds(part, a, b, given) for part in value),
    "not": lambda a, b, value, given: not holds(value, a, b, given),
}


def holds(relation, a, b, given):
    if relation == "given":
        return given
    if isinstance(relation, str):
        return WORDS[relation](a, b)
    return all(MAKERS[word](a, b, value, given) for word, value in relation.items())


def ties(hello, end):
    """(i, j) -> must, enables or interferes, for the events of a run."""
    relations = {"must": "same-actor", "interferes": "always", "enables": "never", **hello.get("relations", {})}
    events = end["events"]
    given = {name: set(map(tuple, end.get(name, []))) for name in relations}
    found = {}
    for i, j in itertools.combinations(range(len(events)), 2):
        a, b = events[i], events[j]
        for name in ("must", "enables", "interferes"):
            if holds(relations[name], a, b, (i, j) in given[name]) or (
                    name == "interferes" and holds(relations[name], b, a, (j, i) in given[name])):
                found[i, j] = name
                break
    return found


def trace_of(hello, end):
    """The class of a run: its events and their happened-before order, both by id."""
    names = [event["id"] for event in end["events"]]
    direct = ties(hello, end)
    before = []
    for j in range(len(names)):
        closure = set()
        for i in range(j):
            if (i, j) in direct:
                closure |= before[i] | {i}
        before.append(closure)
    return frozenset(names), frozenset((names[i], names[j]) for j in range(len(names)) for i in before[j])


def outcome(end):
    return end["status"], end.get("result"), json.dumps(end.get("failure"))


def by_id(events):
    return {event["id"]: event for event in events}


def check_neighbours(test, engine, end):
    """Neighbours that nothing ties can be swapped, and it makes no difference."""
    tied = ties(engine.hello, end)
    names = [event["id"] for event in end["events"]]
    swaps = 0
    for i in range(len(names) - 1):
        if (i, i + 1) in tied or (end["status"] == "failed" and i + 2 == len(names)):
            continue
        other = names[:i] + [names[i + 1], names[i]] + names[i + 2:]
        swapped = engine.run(other)
        test.assertEqual([event["id"] for event in swapped["events"]], other, f"{names[i]} and {names[i + 1]} cannot be swapped: {swapped}")
        test.assertEqual(by_id(swapped["events"]), by_id(end["events"]))
        test.assertEqual(outcome(swapped), outcome(end))
        swaps += 1
    return swaps


def check_alternatives(test, engine, end):
    """What was possible and was not performed is listed."""
    names = [event["id"] for event in end["events"]]
    listed = {event["id"] for event in end["pending"]} | {other["event"]["id"] for other in end["alternatives"]}
    for at in range(len(names)):
        test.assertLessEqual(set(engine.possible(names[:at])) - set(names), listed, names[:at])
    for other in end["alternatives"]:
        test.assertIn(other["event"]["id"], engine.possible(names[:other["at"]]))
        test.assertNotIn(other["event"]["id"], engine.possible(names[:other["at"] + 1]))


def check_promises(test, engine, most=100000):
    """All promises of docs/runtimes.md, on all runs. The runs' classes, with their outcomes."""
    classes, swaps = {}, 0
    musts, orders = set(), set()
    for end in engine.complete_runs(most):
        names = [event["id"] for event in end["events"]]
        test.assertEqual(len(set(names)), len(names))
        trace = trace_of(engine.hello, end)
        if trace in classes:
            test.assertEqual(classes[trace], outcome(end))
        else:
            classes[trace] = outcome(end)
            swaps += check_neighbours(test, engine, end)
            check_alternatives(test, engine, end)
            again = engine.run(names[:len(names) // 2])
            test.assertEqual(again["events"][:len(names) // 2], end["events"][:len(names) // 2])
        # An event that something else has caused is another one, though it may have the same name.
        texts = [json.dumps(event, sort_keys=True) for event in end["events"]]
        musts |= {(names[i], texts[j]) for (i, j), tie in ties(engine.hello, end).items() if tie == "must"}
        orders |= {(names[j], texts[i]) for i, j in itertools.combinations(range(len(names)), 2)}
    test.assertEqual(musts & orders, set())
    return classes, swaps
