"""runtimes/python/plait_runtime.py, without the engine: the protocol, message by message, and the promises of runtimes
that are made with it.

Usage: python_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import os
import sys
import unittest

from engine import Engine, check_promises

SOURCE = os.path.abspath(sys.argv[2])
KIT = os.path.join(SOURCE, "runtimes/python")
OFFICE = os.path.join(KIT, "examples/office.py")
PATH = {"PYTHONPATH": KIT}
# Choices: a message is delivered or lost. What a failing run, and one that waits, leave behind.
NETWORK = """
import plait_runtime
class Network(plait_runtime.Run):
    def __init__(self):
        self.sent, self.got = ["m1", "m2"], []
    def enabled(self):
        return [{"actor": actor, "kind": kind, "message": m, "mailbox": "B", "id": f"{kind} {m}"}
                for m in self.sent for actor, kind in (("B", "receive"), ("net", "lose"))]
    def perform(self, event):
        self.sent.remove(event["message"])
        if event["kind"] == "receive":
            self.got.append(event["message"])
    def result(self):
        return " ".join(self.got)
plait_runtime.serve(Network, name="network", relations={"must": "never", "interferes": {"or": [{"same": "message"},
    {"both": {"kind": "receive"}}]}})
"""
SCRIPTS = {
    "raises": "raise ValueError('in the middle')",
    "fails": "raise plait_runtime.Failure('too bad', kind='mine', line=7)",
    "prints": "print('not a message', flush=True)",
    "loops": "self.done = False",
}
ONE_STEP = """
import plait_runtime
class One(plait_runtime.Run):
    done = False
    def enabled(self):
        return [] if self.done else [{"actor": "a", "kind": "step"}]
    def perform(self, event):
        self.done = True
        BODY
plait_runtime.serve(One, name="one")
"""


def office(variant="open"):
    return Engine(sys.executable, OFFICE, variant, env=PATH)


def script(text):
    return Engine(sys.executable, "-c", text, env=PATH)


class Protocol(unittest.TestCase):
    def test_hello_and_first_run(self):
        with office() as engine:
            self.assertEqual({key: engine.hello[key] for key in ("type", "protocol", "name", "numbers")},
                             {"type": "hello", "protocol": 1, "name": "office", "numbers": True})
            end = engine.run()
        self.assertEqual([event["id"] for event in end["events"]], ["ann:0", "ann:1", "bob:0", "bob:1"])
        self.assertEqual((end["run"], end["status"], end["result"]), (0, "complete", "0 left, 1 sold"))
        self.assertEqual(end["events"][0], {"actor": "ann", "kind": "read", "object": "seats", "value": 1, "id": "ann:0"})

    def test_a_run_begins_with_its_seed(self):
        with office() as engine:
            end = engine.run(["bob:0", "ann:0", "bob:1"])
            self.assertEqual([event["id"] for event in end["events"]], ["bob:0", "ann:0", "bob:1", "ann:1"])
            self.assertEqual(end["status"], "failed")
            self.assertEqual((end["failure"]["message"], end["failure"]["kind"], end["failure"]["actor"]), ("one seat, sold twice", "assertion", "ann"))
            self.assertTrue(end["failure"]["file"].endswith("office.py") and end["failure"]["line"] > 0)

    def test_numbers_stand_for_events_in_both_directions(self):
        with office() as engine:
            engine.run()
            engine.ask([2, 0, 3])
            message = engine.receive()
            # bob:0 and ann:0 read 1 and are new descriptions unless they did so before: only ann:0 did.
            self.assertEqual([word if isinstance(word, int) else word["id"] for word in message["events"]], ["bob:0", 0, "bob:1", 1])
            for number, word in enumerate(message["events"]):
                engine.event(word)
            end = engine.run(["bob:0", 0])
            self.assertEqual([event["id"] for event in end["events"][:2]], ["bob:0", "ann:0"])

    def test_divergence(self):
        with office("locked") as engine:
            end = engine.run(["ann:0", "bob:0"])
            self.assertEqual((end["status"], end["at"], [event["id"] for event in end["events"]]), ("diverged", 1, ["ann:0"]))
            self.assertIn("bob:0 is not possible; these are: ann:1", end["message"])
            self.assertEqual(engine.run(["zoe:0"])["at"], 0)
            self.assertEqual(engine.run()["status"], "complete")

    def test_runs_are_answered_in_order_when_many_are_asked_for_at_once(self):
        with office("locked") as engine:
            for i in range(200):
                engine.ask(["ann:0"] if i % 2 else ["bob:0"])
            for i in range(200):
                end = engine.answer()
                self.assertEqual((end["run"], end["events"][0]["actor"], end["status"]), (i, "ann" if i % 2 else "bob", "complete"))

    def test_limit(self):
        with office() as engine:
            end = engine.run([], events=3)
            self.assertEqual((end["status"], len(end["events"]), [event["id"] for event in end["pending"]]), ("limit", 3, ["bob:1"]))

    def test_the_end_of_the_input_ends_the_runtime(self):
        for last in (b"", b'{"type":"quit"}\n'):
            engine = office()
            engine.send(last)
            engine.close()
            self.assertEqual(engine.process.returncode, 0)

    def test_bad_messages(self):
        for bad, words in ((b"hello?\n", "not a message"), (b"[1]\n", "object with a type"), (b'{"type":"jump"}\n', "unknown message: jump"),
                           (b'{"type":"run","run":0}\n', "seed is None"), (b'{"type":"run","run":0,"seed":[99]}\n', "seed has 99"),
                           (b'{"type":"run","run":"x","seed":[]}\n', "run is 'x'"), (b'{"type":"run","run":0,"seed":[true]}\n', "seed has True"),
                           (b'{"type":"run","run":0,"seed":[],"limits":{"events":"many"}}\n', "events is 'many'")):
            with self.subTest(bad=bad):
                engine = office()
                engine.send(bad)
                message = engine.receive()
                self.assertEqual(message["type"], "error")
                self.assertIn(words, message["message"])
                engine.close()
                self.assertEqual(engine.process.returncode, 1)

    def test_a_wrong_hello(self):
        for hello in ({"type": "hello", "protocol": 2}, {"type": "run", "run": 0, "seed": []}):
            engine = Engine(sys.executable, OFFICE, "open", env=PATH, hello=hello)
            self.assertEqual(engine.hello["type"], "error")
            engine.close()

    def test_what_a_step_may_do(self):
        for name, body in SCRIPTS.items():
            engine = script(ONE_STEP.replace("BODY", body))
            engine.ask([], events=10)
            if name == "raises":
                message = engine.receive()
                self.assertEqual(message["type"], "error")
                self.assertIn("in the middle", message["message"])
            else:
                end = engine.answer()
                self.assertEqual(end["status"], {"fails": "failed", "prints": "complete", "loops": "limit"}[name])
                if name == "fails":
                    self.assertEqual(end["failure"], {"message": "too bad", "kind": "mine", "line": 7, "actor": "a"})
            engine.close()


class Promises(unittest.TestCase):
    def outcomes(self, engine):
        with engine:
            classes, swaps = check_promises(self, engine)
        return sorted({(status, result) for status, result, _ in classes.values()}), len(classes), swaps

    def test_office(self):
        outcomes, classes, swaps = self.outcomes(office())
        self.assertEqual(outcomes, [("complete", "0 left, 1 sold"), ("failed", "0 left, 2 sold")])
        self.assertEqual(classes, 4)  # both read before both write, in two orders of the writes, and one after the other
        self.assertGreater(swaps, 0)

    def test_office_with_a_lock(self):
        outcomes, classes, _ = self.outcomes(office("locked"))
        self.assertEqual((outcomes, classes), ([("complete", "0 left, 1 sold")], 2))

    def test_choices(self):
        outcomes, classes, swaps = self.outcomes(script(NETWORK))
        self.assertEqual({result for _, result in outcomes}, {"", "m1", "m2", "m1 m2", "m2 m1"})
        self.assertEqual(classes, 5)
        self.assertGreater(swaps, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
