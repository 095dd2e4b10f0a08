"""The kit for message-passing systems: random worlds against an enumerator, budgets, invariants, stale messages.

Usage: sim_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import json
import os
import random
import shutil
import subprocess
import sys
import unittest

PLAIT, ROOT, WORK = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
sys.path.insert(0, os.path.join(ROOT, "tests/runtimes"))
from sim_enumerator import Everything, TooMany, random_world, words_of  # noqa: E402

RANDOM_WORLDS = 8
BUDGETS = ({}, {"duplicates": 1}, {"crashes": 1}, {"losses": 1}, {"losses": 2}, {"fifo": True}, {"fifo": True, "reorders": 1}, {"fifo": True, "losses": 1},
           {"crashes": 1, "duplicates": 1}, {"crashes": 2}, {"fifo": True, "reorders": 1, "crashes": 1, "duplicates": 1})


def compiled(source, name):
    program = os.path.join(WORK, name)
    if not os.path.exists(program):
        os.makedirs(WORK, exist_ok=True)
        subprocess.run(["clang++-19", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-I", os.path.join(ROOT, "include"),
                        os.path.join(ROOT, source), "-o", program], check=True)
    return program


def explore(program, words, *options):
    done = subprocess.run([PLAIT, "explore", "-q", "--format", "json", "-j", "1", *options, "--", program, *words], cwd=WORK,
                          capture_output=True, text=True, timeout=3000)
    assert done.returncode in (0, 5, 10), done.stderr
    return json.loads(done.stdout)


class RandomWorlds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        cls.program = compiled("tests/runtimes/sim_world.cc", "world")

    def worlds(self):
        for number, budget in enumerate(BUDGETS):
            for seed in range(RANDOM_WORLDS):
                world = random_world(seed * 100 + number, **budget)
                try:
                    yield world, Everything(world)
                except TooMany:
                    continue

    def test_all_results(self):
        """Every result; and conflicts makes one class of each."""
        compared = 0
        for world, everything in self.worlds():
            for way in ("dpor", "conflicts"):
                with self.subTest(world=world, way=way):
                    result = explore(self.program, words_of(world), "--outcomes", "--explore", way)
                    self.assertEqual(result["limits"], [])
                    self.assertEqual({o["stdout"] for o in result["outcomes"]}, everything.ends)
                    if way == "conflicts":
                        self.assertEqual(result["interleavings"], len(everything.classes))
            compared += len(everything.classes)
        self.assertGreater(compared, 1000)

    def test_invariants(self):
        """In states that no run passes through, too; at rest also with messages that were lost."""
        broken = 0
        for world, everything in self.worlds():
            source = random.Random(len(everything.states))
            ends = everything.rests
            for kind in ("always", "rest"):
                some = tuple(source.randint(0, 3) for _ in world.actors)
                if kind == "always":
                    expected = any(state[:2] == some[:2] for state in everything.states)
                    line = f"always a b {some[0]} {some[1]}"
                else:
                    expected = any(state[0] < some[0] for state in ends)
                    line = f"rest a {some[0]}"
                for way in ("dpor", "conflicts"):
                    with self.subTest(world=world, line=line, way=way):
                        result = explore(self.program, words_of(world) + [line], "--explore", way)
                        self.assertEqual(result["verdict"], "bug" if expected else "safe")
                        self.assertEqual([bug["message"] for bug in result["bugs"]], [line] if expected else [])
                broken += expected
        self.assertGreater(broken, 20)


# (example, its words, what is broken, number of classes when complete: docs/sim.md has them, too)
EXAMPLES = (("two_phase_commit", [], None, 150), ("two_phase_commit", ["--impatient"], "all commit or all abort", None),
            ("two_phase_commit", ["--losses", "1"], "everybody knows how it ended", None),
            ("election", [], None, 84), ("election", ["--forgets-votes"], "there is one leader", None),
            ("lock", [], None, 26), ("lock", ["--no-fencing"], "nobody writes with a lease that has run out", None),
            ("lock", ["--duplicates", "1"], None, 3150),
            ("raft", [], None, 655), ("raft", ["--by-count"], "what is committed stays", None))

LIAR = """
#include <plait_sim.h>
struct Message { int number; std::string text() const { return std::to_string(number); } };
struct Actor : plait::sim::Actor<Actor, Message> {
  int seen = 0;
  void start(Context& context) override { for (int i = 1; i < 3; ++i) context.send("a", {i}); }
  void receive(Context& context, const std::string&, const Message& message) override { (void)context, (void)message; RECEIVE }
  bool stale(const std::string&, const Message& message) const override { return (void)message, STALE; }
  bool operator==(const Actor& other) const { return seen == other.seen; }
};
int main(int count, char** words) {
  plait::sim::World<Message> world("liar");
  world.options(count, words);
  world.add("a", Actor());
  return world.serve();
}
"""


class Examples(unittest.TestCase):
    def test_answers_and_counts(self):
        for name, words, broken, classes in EXAMPLES:
            program = compiled(f"runtimes/sim/examples/{name}.cc", name)
            for way in ("dpor", "conflicts"):
                with self.subTest(name=name, words=words, way=way):
                    result = explore(program, words, "--explore", way)
                    self.assertEqual([bug["message"] for bug in result["bugs"]], [broken] if broken else [])
                    self.assertEqual((result["verdict"], result["limits"]), ("bug" if broken else "safe", []))
                    if classes:
                        self.assertEqual(result["interleavings"], classes)
            if broken:
                again = subprocess.run([PLAIT, "replay", "--trust", "plait-out/bug-1.json"], cwd=WORK, capture_output=True, text=True, timeout=3000)
                self.assertEqual((again.returncode, broken in again.stdout), (10, True), again.stderr)

    def test_both_bugs_when_it_keeps_going(self):
        """A message that is lost in one run comes in another one."""
        program = compiled("runtimes/sim/examples/two_phase_commit.cc", "two_phase_commit")
        result = explore(program, ["--losses", "1", "--impatient"], "--keep-going")
        self.assertEqual([bug["message"] for bug in result["bugs"]], ["all commit or all abort", "everybody knows how it ended"])

    def test_stories_have_what_is_needed(self):
        """The other node's messages do not matter, and are left out."""
        program = compiled("runtimes/sim/examples/election.cc", "election")
        explore(program, ["--forgets-votes"])
        with open(os.path.join(WORK, "plait-out/bug-1.json"), encoding="utf-8") as file:
            events = json.load(file)["events"]
        self.assertEqual(len(events), 8)


class Complaints(unittest.TestCase):
    def complaint(self, program, *words):
        done = subprocess.run([PLAIT, "explore", "-q", "--", program, *words], cwd=WORK, capture_output=True, text=True, timeout=3000)
        self.assertNotIn(done.returncode, (0, 10), done.stdout)
        return done.stderr + done.stdout

    def liar(self, name, stale, receive):
        os.makedirs(WORK, exist_ok=True)
        with open(os.path.join(WORK, name + ".cc"), "w", encoding="utf-8") as file:
            file.write(LIAR.replace("STALE", stale).replace("RECEIVE", receive))
        return compiled(os.path.join(WORK, name + ".cc"), name)

    def test_options(self):
        program = compiled("runtimes/sim/examples/lock.cc", "lock")
        for words, part in ((["--losse", "1"], "there is no option --losse"), (["--losses"], "--losses needs a number"),
                            (["--losses", "x"], "--losses needs a number"), (["--cut", "a=x"], "there is no actor 'x'"),
                            (["--timeouts", "x=1"], "there is no actor 'x'"),
                            (["--fifo", "--reorders", "1", "--losses", "1"], "but not both")):
            self.assertIn(part, self.complaint(program, *words))

    def test_messages_that_are_not_ignored(self):
        count, quiet = "seen += message.number;", "if (seen == 0) seen = message.number;"
        self.assertIn("ignores '2' from a for ever, but it does not", self.complaint(self.liar("counts", "seen > 0 && message.number == 2", count)))
        self.assertIn("for ever, but it does not",
                      self.complaint(self.liar("sends", "seen == 1 && message.number == 2", 'if (seen++ == 0) context.send("a", {3});')))
        honest = self.liar("honest", "seen > 0", quiet)
        self.assertEqual(explore(honest, [])["interleavings"], 2)
        self.assertEqual(explore(self.liar("careless", "false", quiet), [])["interleavings"], 2)


if __name__ == "__main__":
    unittest.main()
