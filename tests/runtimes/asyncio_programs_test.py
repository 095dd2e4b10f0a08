"""Programs of asyncio_programs, as people write them: each says in its comments what must come out.

    # VERDICT: safe, or a kind of bug and a part of its message, or error and a part of what Plait says
    # OUTCOMES: all that complete runs can print, between bars

Usage: asyncio_programs_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import glob
import json
import os
import re
import subprocess
import sys
import unittest

PLAIT, ROOT, WORK = (os.path.abspath(word) for word in sys.argv[1:4])
PROGRAMS = os.path.join(ROOT, "tests/runtimes/asyncio_programs")
EXITS = {"safe": 0, "error": 2}
BUG = 10


def words_of(path):
    with open(path, encoding="utf-8") as file:
        return dict(re.findall(r"^# (VERDICT|OUTCOMES):(.*)$", file.read(), re.MULTILINE))


class Programs(unittest.TestCase):
    maxDiff = None

    def check(self, path):
        expected = words_of(path)
        kind, _, part = (word.strip() for word in expected["VERDICT"].partition(":"))
        # Debian's Python: others may start slowly.
        environment = {**os.environ, "PATH": "/usr/bin:" + os.environ["PATH"]}
        more = ["--outcomes"] if "OUTCOMES" in expected else ["--keep-going"] if kind == "safe" else []
        done = subprocess.run([PLAIT, "check", "-q", "--no-minimise", *more, "--format", "json", path], cwd=WORK, env=environment,
                              capture_output=True, text=True, timeout=3000)
        self.assertEqual(done.returncode, EXITS.get(kind, BUG), done.stdout + done.stderr)
        if kind == "error":
            self.assertIn(part, done.stderr)
            return
        result = json.loads(done.stdout)
        self.assertEqual(result["limits"], [])
        if kind == "safe":
            self.assertEqual(result["bugs"], [])
        else:
            self.assertIn(kind, {bug["kind"] for bug in result["bugs"]}, result["bugs"])
            self.assertTrue(any(bug["kind"] == kind and part in bug["message"] for bug in result["bugs"]), result["bugs"])
        if "OUTCOMES" in expected:
            self.assertEqual({one["stdout"].strip() for one in result["outcomes"]}, {one.strip() for one in expected["OUTCOMES"].split("|")})


def add(path):
    setattr(Programs, "test_" + os.path.basename(path)[:-3], lambda self: self.check(path))


for program in glob.glob(os.path.join(PROGRAMS, "*.py")):
    add(program)


if __name__ == "__main__":
    os.makedirs(WORK, exist_ok=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
