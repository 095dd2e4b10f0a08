"""plait explore: counts, explorers, relations, reports, replay.

Usage: explore_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import json
import os
import shutil
import subprocess
import sys
import unittest

PLAIT, ROOT, WORK = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
sys.path.insert(0, os.path.join(ROOT, "tests/runtimes"))
from rw_enumerator import Everything, random_program  # noqa: E402

EXAMPLES = os.path.join(ROOT, "runtimes/rw/examples")
RANDOM_PROGRAMS = 60
TWO_PAIRS = "a: x = 1\nb: x = 2\nc: y = 1\nd: y = 2\n"
DEADLOCK = "p: lock m; lock n; unlock n; unlock m\nq: lock n; lock m; unlock m; unlock n\n"


def write(name, text):
    os.makedirs(WORK, exist_ok=True)
    path = os.path.join(WORK, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def run(*words):
    return subprocess.run([PLAIT, *words], cwd=WORK, capture_output=True, text=True, timeout=3000)


def explore(*words):
    jobs = () if "-j" in words else ("-j", "1")
    done = run("explore", "--format", "json", "-q", *jobs, *words)
    assert done.returncode in (0, 5, 10), done.stderr
    return json.loads(done.stdout)


class Counts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        os.makedirs(WORK)

    def counts(self, file, *words):
        result = explore("--runtime", "rw", *words, file)
        self.assertEqual((result["verdict"], result["complete"]), ("safe", True))
        self.assertEqual(result["executions"], result["interleavings"])
        return result["executions"]

    def test_the_papers_example(self):
        file = os.path.join(EXAMPLES, "paper.rw")
        for how in ("conflicts", "dpor"):
            with self.subTest(how):
                self.assertEqual(self.counts(file, "--explore", how), 4)
                self.assertEqual(self.counts(file, "--explore", how, "--", "--full"), 6)
                self.assertEqual(self.counts(file, "--explore", how, "--", "--none"), 1)
        self.assertEqual(self.counts(file, "--explore", "conflicts", "--solver", "z3"), 4)
        self.assertEqual(self.counts(file, "--explore", "exhaustive"), 6)

    def test_independent_conflicts(self):
        """The paper's shortest seeds lose one of the four."""
        file = write("two_pairs.rw", TWO_PAIRS)
        for how in ("conflicts", "dpor"):
            self.assertEqual(self.counts(file, "--explore", how), 4)
        short = explore("--runtime", "rw", "--explore", "conflicts", "--shortest-seeds", file)
        self.assertEqual((short["interleavings"], short["verdict"]), (3, "inconclusive"))

    def test_several_processes_see_the_same(self):
        file = write("three.rw", "".join(f"t{i}: $a = x; x = $a + 1; $b = x; x = $b + {i}\n" for i in range(3)))
        one = explore("--runtime", "rw", "--explore", "conflicts", "--outcomes", file)
        many = explore("--runtime", "rw", "--explore", "conflicts", "--outcomes", "-j", "3", file)
        optimal = explore("--runtime", "rw", "--outcomes", file)
        self.assertEqual([one["interleavings"], {o["stdout"] for o in one["outcomes"]}],
                         [optimal["interleavings"], {o["stdout"] for o in optimal["outcomes"]}])
        self.assertEqual([many["interleavings"], {o["stdout"] for o in many["outcomes"]}],
                         [one["interleavings"], {o["stdout"] for o in one["outcomes"]}])
        self.assertGreaterEqual(many["executions"], one["executions"])

    def test_random_programs(self):
        """Complete, and one run for each Mazurkiewicz trace. Only mcr asks a solver, and it does."""
        queries = {"cumulative": 0, "mcr": 0}
        for seed in range(RANDOM_PROGRAMS):
            program = random_program(seed)
            file = write(f"random{seed}.rw", program.text())
            everything = Everything(program)
            ways = [("dpor",), ("conflicts",)] + ([("conflicts", "--solver", "z3")] if seed % 6 == 0 else [])
            for way in ways:
                with self.subTest(seed=seed, way=way, program=program.text()):
                    result = explore("--runtime", "rw", "--outcomes", "--explore", *way, file)
                    self.assertTrue(result["complete"])
                    self.assertEqual({o["stdout"] for o in result["outcomes"]}, everything.results)
                    self.assertEqual(result["interleavings"], len(everything.traces))
                    self.assertEqual(result["executions"] - result["blocked_executions"], len(everything.traces))
            for way in ("cumulative", "mcr"):
                with self.subTest(seed=seed, way=way, program=program.text()):
                    result = explore("--runtime", "rw", "--classes", "--explore", way, file)
                    self.assertEqual((result["verdict"], result["limits"]), ("safe", []))
                    self.assertEqual(result["classes"], len(everything.classes))
                    queries[way] += result["solver"]["queries"]
            with self.subTest(seed=seed, way="exhaustive"):
                self.assertEqual(self.counts_all(file), everything.interleavings)
        self.assertEqual(queries["cumulative"], 0)
        self.assertGreater(queries["mcr"], RANDOM_PROGRAMS)

    def counts_all(self, file):
        return explore("--runtime", "rw", "--explore", "exhaustive", file)["interleavings"]


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(WORK, exist_ok=True)
        shutil.copy(os.path.join(EXAMPLES, "lost_update.rw"), WORK)

    def test_a_bug_from_the_story_to_the_replay(self):
        for how in ("dpor", "conflicts"):
            done = run("explore", "--runtime", "rw", "--explore", how, "--color", "never", "lost_update.rw")
            self.assertEqual(done.returncode, 10, done.stderr)
            for part in ("bug 1: assertion failed at lost_update.rw:4: x == 2", "      p ",
                         "lost_update.rw:2  $a = x (value\n        0)", "replay: plait replay plait-out/bug-1.json"):
                self.assertIn(part, done.stdout)
            again = run("replay", "plait-out/bug-1.json")
            self.assertEqual(again.returncode, 10, again.stderr)
        page = run("show", "plait-out/bug-1.json", "-f", "html", "-o", "bug.html")
        self.assertEqual(page.returncode, 0, page.stderr)
        with open(os.path.join(WORK, "bug.html"), encoding="utf-8") as file:
            self.assertIn("$a = x (value 0)", file.read())
        text = run("show", "plait-out/bug-1.json")
        self.assertIn("$a = x (value", text.stdout)
        sarif = json.loads(run("explore", "--runtime", "rw", "-q", "--format", "sarif", "lost_update.rw").stdout)
        result = sarif["runs"][0]["results"][0]
        self.assertEqual(result["ruleId"], "assertion")
        flows = result["codeFlows"][0]["threadFlows"]
        self.assertEqual({flow["message"]["text"] for flow in flows}, {"p", "q", "finally"})

    def test_a_changed_program_does_not_replay(self):
        write("changing.rw", "p: $a = x; x = $a + 1\nq: $b = x; x = $b + 1\nfinally: assert x == 2\n")
        self.assertEqual(run("explore", "--runtime", "rw", "-q", "changing.rw").returncode, 10)
        write("changing.rw", "p: lock m; $a = x; x = $a + 1; unlock m\nq: lock m; $b = x; x = $b + 1; unlock m\n")
        again = run("replay", "plait-out/bug-1.json")
        self.assertEqual(again.returncode, 5, again.stdout)
        self.assertIn("diverged at event", again.stderr)

    def test_a_deadlock(self):
        file = write("deadlock.rw", DEADLOCK)
        for how in ("dpor", "conflicts"):
            done = run("explore", "--runtime", "rw", "--keep-going", "--explore", how, "--color", "never", file)
            self.assertEqual(done.returncode, 10, done.stderr)
            self.assertIn("p waits for: lock n", done.stdout)
            self.assertIn("q waits for: lock m", done.stdout)
            self.assertIn("complete: yes", done.stdout)
        ignored = explore("--runtime", "rw", "--ignore", "deadlock", file)
        self.assertEqual((ignored["verdict"], ignored["notes"][0]["kind"]), ("safe", "deadlock"))

    def test_minimised(self):
        """However it was found: one change from p to q and one back, r, and what is checked."""
        write("longer.rw", "p: y = 1; y = 2; $a = x; x = $a + 1; y = 3\nq: z = 1; z = 2; $b = x; x = $b + 1; z = 3\n"
                           "r: y = 5; z = 5\nfinally: assert x == 2\n")
        for how in ("conflicts", "dpor"):
            self.assertEqual(run("explore", "--runtime", "rw", "-q", "--explore", how, "longer.rw").returncode, 10)
            with open(os.path.join(WORK, "plait-out/bug-1.json"), encoding="utf-8") as file:
                actors = [event["thread"] for event in json.load(file)["events"]]
            changes = sum(a != b for a, b in zip(actors, actors[1:]))
            self.assertLessEqual(changes, 4)

    def test_limits(self):
        file = write("limits.rw", "".join(f"t{i}: x = 1; x = 2; x = 3\n" for i in range(4)))
        few = explore("--runtime", "rw", "--max-executions", "10", file)
        self.assertEqual((few["verdict"], few["executions"], few["limits"]), ("inconclusive", 10, ["max-executions: 10"]))
        short = explore("--runtime", "rw", "--max-events", "2", os.path.join(EXAMPLES, "paper.rw"))
        self.assertEqual(short["verdict"], "inconclusive")
        late = explore("--runtime", "rw", "--timeout", "0.3", "--explore", "conflicts", file)
        self.assertEqual(late["verdict"], "inconclusive")

    def test_other_formats(self):
        self.assertIn("<testsuite", run("explore", "--runtime", "rw", "--format", "junit", "lost_update.rw").stdout)


if __name__ == "__main__":
    unittest.main()
