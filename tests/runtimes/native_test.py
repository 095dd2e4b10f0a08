"""Our own runtime through the protocol: random programs of the sweep have the same classes as inside.

Usage: native_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import json
import os
import random
import shutil
import subprocess
import sys
import unittest

PLAIT, ROOT, WORK = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
PROGRAMS = 50


def random_program(seed):
    """As tests/sweep/program.h describes them: loads, stores, adds, read-modify-writes, mutexes, semaphores."""
    source = random.Random(seed)

    def operations(most):
        words, held = [], None
        for _ in range(source.randint(1, most)):
            kind = source.choice("lsaLAAkxFCtPW")
            variable, value = source.randint(0, 1), source.randint(1, 2)
            if kind == "k" and held is None:
                held = str(source.randint(0, 1))
                words.append("k" + held)
            elif kind == "x" and held is not None:
                words.append("u" + held)
                held = None
            elif kind in "lL":
                words.append(f"{kind}{variable}{source.randint(0, 1)}")
            elif kind in "saA":
                words.append(f"{kind}{variable}{value}")
            elif kind == "F":
                words.append(f"F{variable}{value}0")
            elif kind == "C":
                words.append(f"C{variable}{source.randint(0, 1)}{value}1")
            elif kind == "t" and held is None:
                words.append(f"t{source.randint(0, 1)}0")
            elif kind in "PW":
                words.append(kind + "0")
        return words + (["u" + held] if held is not None else [])

    threads = [operations(3) for _ in range(source.choice([1, 2, 2]))]
    forks = [f"f{i + 1}" for i in range(len(threads))]
    main = operations(2) if source.random() < 0.5 else []
    return " / ".join(" ".join(words) for words in [forks + main, *threads])


class Native(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        os.makedirs(WORK)
        cls.program = os.path.join(WORK, "interp")
        sweep = os.path.join(ROOT, "tests/sweep")
        subprocess.run([PLAIT, "cc", "-std=gnu17", "-O1", "-pthread", f"{sweep}/interp.c", f"{sweep}/interp_library.c", "-lm", "-o", cls.program],
                       check=True)

    def result(self, command, text, *options):
        words = [PLAIT, command, "-q", "--format", "json", "-j", "1", "--keep-going", *options]
        words += ["--runtime", "native"] if command == "explore" else ["--ignore", "race"]
        done = subprocess.run([*words, self.program, "--", text], cwd=WORK, capture_output=True, text=True, timeout=3000)
        self.assertIn(done.returncode, (0, 10), done.stderr + done.stdout)
        result = json.loads(done.stdout)
        self.assertEqual(result["limits"], [])
        return result

    @staticmethod
    def summary(result):
        return result["verdict"], sorted(o["stdout"] for o in result["outcomes"]), result["interleavings"]

    def test_same_classes_as_inside(self):
        interleavings = deadlocks = 0
        for seed in range(PROGRAMS):
            text = random_program(seed)
            inside = self.summary(self.result("check", text, "--explore", "dpor", "--outcomes"))
            for way in ("dpor", "conflicts"):
                with self.subTest(text=text, way=way):
                    self.assertEqual(self.summary(self.result("explore", text, "--explore", way, "--outcomes")), inside)
            interleavings += inside[2]
            deadlocks += inside[0] == "bug"
            if inside[0] == "bug":
                continue
            with self.subTest(text=text, way="cumulative"):
                values = self.result("check", text, "--explore", "cumulative", "--merge", "off", "--classes")["classes"]
                self.assertEqual(self.result("explore", text, "--explore", "cumulative", "--classes")["classes"], values)
            if inside[2] < 20:
                with self.subTest(text=text, way="exhaustive"):
                    self.assertEqual(self.result("explore", text, "--explore", "exhaustive")["interleavings"],
                                     self.result("check", text, "--explore", "exhaustive")["interleavings"])
        self.assertGreater(interleavings, 100)

    def test_late_forks_and_joins(self):
        for text in ("f1 L00 f2 / A01 / A02", "f1 f2 j L00 / a01 / a01", "f1 A01 f2 A02 j L00 / L00 / L00 A03", "f1 j L00 f2 / A01 / L01 A02"):
            with self.subTest(text=text):
                self.assertEqual(self.summary(self.result("explore", text, "--outcomes")),
                                 self.summary(self.result("check", text, "--explore", "dpor", "--outcomes")))

    def test_a_deadlock(self):
        text = "f1 k0 k1 u1 u0 / k1 k0 u0 u1"
        self.assertEqual([bug["kind"] for bug in self.result("explore", text)["bugs"]], ["deadlock"])

    def test_what_it_does_not_know(self):
        done = subprocess.run([PLAIT, "explore", "-q", "--runtime", "native", self.program, "--", "f1 B0 / B0"], cwd=WORK, capture_output=True,
                              text=True, timeout=3000)
        self.assertNotIn(done.returncode, (0, 10), done.stdout)
        self.assertIn("does not know", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
