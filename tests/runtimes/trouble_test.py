"""Runtimes that do not keep to the protocol: each gets an answer that says what is wrong and where, and nothing hangs.

Usage: trouble_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import json
import os
import shutil
import subprocess
import sys
import time
import unittest

PLAIT, ROOT, WORK = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))

# A runtime of two actors with one event each on the same object; {} is what differs.
RUNTIME = r'''
import json, os, sys, time
HELLO = {"type": "hello", "protocol": 1, "name": "test", "relations": {"interferes": "same-object"}}
count = 0
def event(actor): return {"actor": actor, "kind": "step", "object": "x"}
def end(message, /, **fields): return {"type": "end", "run": message["run"], "status": "complete", **fields}
def answer(message):
    actors = [word.split(":")[0] for word in message["seed"]]
    return end(message, events=[event(a) for a in actors + [a for a in "ab" if a not in actors]])
def say(message):
    print(message if isinstance(message, str) else json.dumps(message), flush=True)
PATCH
sys.stdin.readline()
say(HELLO)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "quit":
        break
    say(answer(message))
'''

# The same in the binary framing: just enough of CBOR.
CBOR = r'''
import json, struct, sys
def head(major, n):
    if n < 24: return bytes([major << 5 | n])
    for extra, form in ((24, ">B"), (25, ">H"), (26, ">I"), (27, ">Q")):
        if n < 1 << 8 * struct.calcsize(form): return bytes([major << 5 | extra]) + struct.pack(form, n)
def encoded(value):
    if isinstance(value, int): return head(0, value)
    if isinstance(value, str): return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list): return head(4, len(value)) + b"".join(map(encoded, value))
    return head(5, len(value)) + b"".join(encoded(k) + encoded(v) for k, v in value.items())
def decoded(data, at):
    major, n = data[at] >> 5, data[at] & 31
    at += 1
    if n >= 24:
        size = 1 << n - 24
        n, at = int.from_bytes(data[at:at + size], "big"), at + size
    if major == 0: return n, at
    if major == 3: return data[at:at + n].decode(), at + n
    items = []
    for _ in range(n * (major - 3)):
        item, at = decoded(data, at)
        items.append(item)
    return (items if major == 4 else dict(zip(items[::2], items[1::2]))), at
def send(message):
    data = encoded(message)
    sys.stdout.buffer.write(struct.pack("<I", len(data)) + data)
    sys.stdout.buffer.flush()
def event(actor): return {"actor": actor, "kind": "step", "object": "x"}
source = sys.stdin.buffer
assert "cbor" in json.loads(source.readline())["framings"]
print(json.dumps({"type": "hello", "protocol": 1, "name": "cbor", "framing": "cbor", "relations": {"interferes": "same-object"}}), flush=True)
while size := source.read(4):
    message = decoded(source.read(struct.unpack("<I", size)[0]), 0)[0]
    if message["type"] == "quit": break
    actors = [word.split(":")[0] for word in message["seed"]]
    actors += [a for a in "abc" if a not in actors]
    # One by one, then several, then the rest with the end.
    send({"type": "event", "run": message["run"], "event": event(actors[0])})
    send({"type": "events", "run": message["run"], "events": [event(actors[1])]})
    LAST
'''
CBOR_END = 'send({"type": "end", "run": message["run"], "status": "complete", "events": [event(actors[2])], "result": "".join(actors)})'


class Trouble(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        os.makedirs(WORK)

    def explore(self, patch, *words):
        path = os.path.join(WORK, "runtime.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(RUNTIME.replace("PATCH", patch))
        return subprocess.run([PLAIT, "explore", "-q", "-j", "1", *words, "--", sys.executable, path], cwd=WORK,
                              capture_output=True, text=True, timeout=3000)

    def refused(self, patch, *parts, words=(), code=2):
        done = self.explore(patch, *words)
        said = done.stderr + done.stdout
        self.assertEqual(done.returncode, code, said)
        for part in parts:
            self.assertIn(part, said)

    def test_a_good_one(self):
        done = self.explore("")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 executions", done.stdout)

    def explore_cbor(self, last):
        path = os.path.join(WORK, "cbor.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(CBOR.replace("LAST", last))
        return subprocess.run([PLAIT, "explore", "-q", "-j", "1", "--outcomes", "--explore", "conflicts", "--", sys.executable, path], cwd=WORK,
                              capture_output=True, text=True, timeout=3000)

    def test_binary_framing(self):
        done = self.explore_cbor(CBOR_END)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("6 distinct outputs", done.stdout)
        self.assertIn("6 interleavings", done.stdout)
        done = self.explore_cbor('sys.stdout.buffer.write(struct.pack("<I", 3) + b"\\xff\\xff\\xff"); sys.stdout.buffer.flush()')
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("message 4", done.stderr)
        self.assertIn("no CBOR", done.stderr)
        done = self.explore_cbor('sys.stdout.buffer.write(struct.pack("<I", 0xffffffff)); sys.stdout.buffer.flush()')
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("too long", done.stderr)
        for bytes_, part in (('b"\\xa1\\x61x\\x62\\xff\\xfe"', "no UTF-8"), ('b"\\xa1\\x61x\\x42ab"', "byte string")):
            done = self.explore_cbor(f'data = {bytes_}; sys.stdout.buffer.write(struct.pack("<I", len(data)) + data); sys.stdout.buffer.flush()')
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(part, done.stderr)

    def test_hellos(self):
        self.refused('HELLO["protocol"] = 7', "its hello", "version 7")
        self.refused('HELLO.pop("name")', "its hello", "'name' is missing")
        self.refused('HELLO["framing"] = "xml"', "hello.framing", "'xml'")
        self.refused('HELLO["relations"] = {"interferes": "sometimes"}', "relation 'interferes'", "'sometimes'")
        self.refused('HELLO["relations"] = {"interferes": {"sam": "x"}}', "there is no 'sam'")
        self.refused('HELLO = "hi"', "its hello", "no JSON")
        self.refused('HELLO["operations"] = {"step": {"op": "teleport"}}', "operations.step", "teleport")
        self.refused('HELLO = ""', "its hello", "empty line")
        self.refused('sys.exit(3)', "exited with code 3", "before its hello")
        self.refused('HELLO = {"type": "error", "message": "no such file"}', "no such file")

    def test_messages(self):
        self.refused('def answer(message): return "{"', "message 2 (run 0)", "no JSON: {")
        self.refused('def answer(message): return {"type": "bye", "run": 0}', "message 2", '"bye"')
        self.refused('def answer(message): return {"type": "end", "run": 5, "status": "complete"}', "it is about run 5", "0 is under way")
        self.refused('def answer(message): return end(message, status="done")', "status", "'done'")
        self.refused('def answer(message): return end(message, events=[event("a"), {"kind": "step"}])', "events[1]: 'actor' is missing")
        self.refused('def answer(message): return end(message, events=[event("a"), 4])', "event 4 has not been described")
        self.refused('def answer(message): return end(message, events=[{**event("a"), "id": "z"}, {**event("b"), "id": "z"}])',
                     "two events of the run have the id 'z'")
        self.refused('def answer(message): return end(message, events=[{**event("a"), "value": [1]}])', "events[0].value")
        self.refused('def answer(message): return end(message, status="failed")', "'message' is missing")
        self.refused('def answer(message): return end(message, events=[event("a")], interferes=[[0, 3]])', "interferes[0]")
        self.refused('def answer(message): return end(message, events=[event("a")], alternatives=[{"at": 4, "event": event("b")}])',
                     "alternatives[0].at")

        self.refused('def answer(message): return end(message, events=[event("a")], pending=[{**event("a"), "id": "a:0"}])',
                     "pending[0]", "'a:0' has been performed")

    def test_nesting(self):
        """Refused before anything calls itself for each level."""
        deep = """
def answer(message): return '{"type":"end","run":0,"status":"complete","x":' + "[" * 1000000 + "]" * 1000000 + "}"
"""
        self.refused(deep, "message 2", "nested too deep")
        self.refused('HELLO = \'{"type":"hello","protocol":1,"name":"x","relations":{"interferes":\' + \'{"not":\' * 100000 + "0" + "}" * 100002',
                     "its hello", "nested too deep")
        done = self.explore_cbor('data = b"\\x81" * 1000000; sys.stdout.buffer.write(struct.pack("<I", len(data)) + data); sys.stdout.buffer.flush()')
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("nested too deep", done.stderr)

    def test_another_language(self):
        """mawk, from docs/runtimes.md alone."""
        done = subprocess.run([PLAIT, "explore", "-q", "--keep-going", "--outcomes", "--format", "json", "--", "mawk", "-W", "interactive", "-f",
                               os.path.join(ROOT, "tests/runtimes/lift.awk")], cwd=WORK, capture_output=True, text=True, timeout=3000)
        self.assertEqual(done.returncode, 10, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual((result["complete"], result["interleavings"], result["bugs"][0]["message"], [one["stdout"] for one in result["outcomes"]]),
                         (True, 4, "a press is lost", ["2"]))

    def test_seeds_that_are_not_followed(self):
        patch = 'def answer(message): return end(message, events=[event("a"), event("b")])'
        self.refused(patch, "run 1", "does not follow its seed", "'a:0'", "'b:0'", code=5)
        patch = ('old = answer\n'
                 'def answer(message):\n'
                 '    return end(message, status="diverged", at=0, message="no way") if message["seed"] else old(message)')
        self.refused(patch, "'b:0' is possible", "'b:0' before 'a:0'", "no way", code=5)

    def test_bugs_are_told_though_impossible_seeds_are_not_noticed(self):
        patch = ('def answer(message):\n'
                 '    order = [word[0] for word in message["seed"]]\n'
                 '    order += ["a"] * (2 - order.count("a")) + ["b"] * (2 - order.count("b"))\n'
                 '    bad = {"status": "failed", "failure": {"message": "b is early"}} if order.index("b") < 2 else {}\n'
                 '    events = [{**event(a), "id": f"{a} has done {order[:i].count(a)}"} for i, a in enumerate(order)]\n'
                 '    return end(message, events=events, **bad)')
        self.refused(patch, "b is early", "not minimised", "does not follow its seed", code=10)

    def test_contradictions(self):
        self.refused('HELLO["relations"]["must"] = {"first": {"actor": "b"}, "second": {"actor": "a"}}',
                     "contradicts", "'b:0'", "'a:0'", code=5)
        patch = 'def answer(message): return end(message, events=[event("a"), event("b")], must=[[1, 0]])'
        self.refused(patch, "must[0]", "contradicts")

    def test_death_and_silence(self):
        once = ('old = answer\n'
                'def answer(message):\n'
                '    if message["seed"] and not os.path.exists("died"):\n'
                '        open("died", "w").close()\n'
                '        WHAT\n'
                '    return old(message)')
        for what in ("os.abort()", "time.sleep(1000)"):
            if os.path.exists(os.path.join(WORK, "died")):
                os.remove(os.path.join(WORK, "died"))
            done = self.explore(once.replace("WHAT", what), "--runtime-timeout", "2")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("2 executions", done.stdout)
        self.refused('old = answer\ndef answer(message): return os.abort() if message["seed"] else old(message)',
                     "SIGABRT", "begins with 'b:0', twice", code=5)
        self.refused('def answer(message): time.sleep(1000)', "said nothing of use for 0.5 seconds", words=("--runtime-timeout", "0.5"))

    def test_words_that_bring_nothing_are_silence(self):
        for answer in ('sys.stdout.write(" "); sys.stdout.flush(); time.sleep(0.02)',  # a message that has no end
                       'say({"type": "events", "run": message["run"], "events": []})'):
            self.refused(f'def answer(message):\n    while True: {answer}', "said nothing of use for 0.5 seconds",
                         words=("--runtime-timeout", "0.5"))

    def test_who_outlives_the_runtime_is_killed(self):
        patch = ('def answer(message):\n'
                 '    pid = os.fork()\n'
                 '    if pid:\n'
                 '        open("pid", "w").write(str(pid)); os._exit(3)\n'
                 '    time.sleep(1000)')
        self.refused(patch, "exited with code 3", "keeps its output open", words=("--runtime-timeout", "0.5"))
        with open(os.path.join(WORK, "pid"), encoding="utf-8") as file:
            pid = file.read()
        for _ in range(3000):  # until init, or whoever takes its place, has noticed
            try:
                with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                    if file.read().rpartition(")")[2].split()[0] == "Z":
                        return
            except FileNotFoundError:
                return
            time.sleep(0.01)
        self.fail("it still runs")

    def test_texts_for_people(self):
        """Nothing reaches the terminal as it is, and nothing is endless."""
        patch = ('def answer(message): return end(message, events=[event("a\\x1b[2J")], status="failed", '
                 'failure={"message": "\\x1b[31m" + "long" * 1000000})')
        done = self.explore(patch)
        self.assertEqual(done.returncode, 10, done.stderr)
        self.assertNotIn("\x1b", done.stdout)
        self.assertIn("a\\x1b[2J", done.stdout)
        self.assertIn("(4000005 bytes)", done.stdout)
        self.assertLess(len(done.stdout), 20000)

    def test_values_that_nothing_explains(self):
        patch = ('HELLO["operations"] = {"read": {"op": "load"}, "write": {"op": "store"}}\n'
                 'def answer(message):\n'
                 '    order = [word[0] for word in message["seed"]]\n'
                 '    order += [a for a in "ab" if a not in order]\n'
                 '    return end(message, events=[{**event(a), "kind": "read" if a == "a" else "write",\n'
                 '                                 "value": 7 if a == "a" else 1} for a in order])')
        for explorer in ("mcr", "cumulative"):
            self.refused(patch, "values cannot be predicted: 'a'", words=("--explore", explorer), code=5)

    def test_commands(self):
        for words, part in ((["explore"], "a runtime is needed"), (["explore", "--", "./nothing-here"], "cannot start the runtime"),
                            (["explore", "--", "nothing-here"], "there is no such program"),
                            (["explore", "--runtime", "nothing"], "there is no runtime 'nothing'"),
                            (["explore", "--solver", "z3", "--", "true"], "--solver belongs to"),
                            (["explore", "program"], "follows a '--'"), (["explore", "--", "true"], "before its hello")):
            done = subprocess.run([PLAIT, *words], cwd=WORK, capture_output=True, text=True, timeout=3000)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(part, done.stderr)

    def test_a_file_of_relations(self):
        path = os.path.join(WORK, "mine.toml")
        for text, runs in (('interferes = "never"\n', "1 execution,"), ('interferes = { same = "object" }\n', "2 executions")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            done = self.explore("", "--relations", path)
            self.assertIn(runs, done.stdout, done.stderr)
        with open(path, "w", encoding="utf-8") as file:
            file.write('interferes = { same = 3 }\n')
        self.refused("", "mine.toml", "'same' needs", words=("--relations", path))
        beside = os.path.join(WORK, "relations.toml")
        with open(beside, "w", encoding="utf-8") as file:
            file.write('interferes = "never"\n')
        # The interpreter is the first word that names a file, when it is given with its path.
        done = subprocess.run([PLAIT, "explore", "-q", "--", "python3", "runtime.py"], cwd=WORK, capture_output=True, text=True,
                              timeout=3000)
        os.remove(beside)
        self.assertIn("1 execution,", done.stdout, done.stderr)

    def test_bug_files_start_nothing_by_themselves(self):
        patch = 'def answer(message): return end(message, events=[event("a")], status="failed", failure={"message": "bad"})'
        done = self.explore(patch)
        self.assertEqual(done.returncode, 10, done.stderr)
        bug = os.path.join(WORK, "plait-out/bug-1.json")
        refused = subprocess.run([PLAIT, "replay", bug], cwd=WORK, capture_output=True, text=True, timeout=3000)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--trust", refused.stderr)
        again = subprocess.run([PLAIT, "replay", "--trust", bug], cwd=WORK, capture_output=True, text=True, timeout=3000)
        self.assertEqual((again.returncode, "bad" in again.stdout), (10, True), again.stderr)
        self.assertIn("replay plait-out/bug-1.json --trust", done.stdout)
        with open(bug, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["failure"]["message"], "bad")


if __name__ == "__main__":
    unittest.main()
