#!/usr/bin/env python3
"""Tests of run_program_tests.py with a command that only pretends to be Plait: wrong answers must be noticed."""
import os
import stat
import subprocess
import sys
import tempfile
import unittest

RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run_program_tests.py")

# Answers every check with $ANSWER (MODEL: the memory model that it was asked for) and exit code $CHECK_CODE; every replay with $REPLAY_CODE.
PRETENDER = """#!/bin/sh
model=sc
for word in "$@"; do
  [ "$before" = --memory-model ] && model=$word
  before=$word
done
case "$1" in
  cc|c++) exit 0 ;;
  check) echo "$ANSWER" | sed "s/MODEL/$model/"; exit $CHECK_CODE ;;
  replay) exit $REPLAY_CODE ;;
esac
"""

SAFE = '{"verdict":"safe","memory_model":"MODEL","executions":6,"interleavings":6,"seconds":0.1,"bugs":[],"outcomes":[{"stdout":"a\\\\n"}]}'
BUG = ('{"verdict":"bug","memory_model":"MODEL","executions":6,"seconds":0.1,"bugs":[{"kind":"deadlock","message":"m","file":"p.c","line":3,'
       '"schedule":"s"}]}')


class RunnerTest(unittest.TestCase):
    def outcome(self, source, answer=SAFE, check_code=0, replay_code=10):
        with tempfile.TemporaryDirectory() as folder:
            pretender, program = os.path.join(folder, "plait"), os.path.join(folder, "p.c")
            with open(pretender, "w", encoding="utf-8") as file:
                file.write(PRETENDER)
            os.chmod(pretender, os.stat(pretender).st_mode | stat.S_IXUSR)
            with open(program, "w", encoding="utf-8") as file:
                file.write(source)
            environment = dict(os.environ, ANSWER=answer, CHECK_CODE=str(check_code), REPLAY_CODE=str(replay_code))
            command = [sys.executable, RUNNER, "--plait", pretender, "--work", os.path.join(folder, "work"), program]
            return subprocess.run(command, env=environment, capture_output=True, text=True).returncode

    def test_right_answers_pass(self):
        self.assertEqual(self.outcome('// CHECK: verdict=safe\n// OUTCOMES: "a\\n"\n// INTERLEAVINGS: 6\n'), 0)
        self.assertEqual(self.outcome("// CHECK: verdict=bug kind=deadlock line=@here\n\nf();  // @here\n", BUG, 10), 0)

    def test_other_memory_models_are_asked_for(self):
        only_sc = SAFE.replace("MODEL", "sc")
        self.assertEqual(self.outcome("// CHECK: verdict=safe\n", only_sc), 1)
        self.assertEqual(self.outcome("// MEMORY-MODELS: tso (why)\n// CHECK: verdict=safe\n", SAFE), 0)
        self.assertEqual(self.outcome("// MEMORY-MODELS: (why)\n// CHECK: verdict=safe\n", only_sc), 0)

    def test_missing_or_bad_expectations_fail(self):
        self.assertEqual(self.outcome("int main(void) {}\n"), 1)
        self.assertEqual(self.outcome("// CHECK: verdict=perhaps\n"), 1)
        self.assertEqual(self.outcome("// CHECK: verdict=safe\n// CHEKC-FIXED: verdict=safe\n"), 1)
        self.assertEqual(self.outcome("// CHECK: verdict=safe\n#ifdef FIXED\n#endif\n"), 1)
        self.assertEqual(self.outcome("// CHECK: verdict=bug line=@nowhere\n", BUG, 10), 1)

    def test_wrong_answers_fail(self):
        self.assertEqual(self.outcome("// CHECK: verdict=bug\n"), 1)
        self.assertEqual(self.outcome("// CHECK: verdict=safe\n", BUG, 10), 1)
        self.assertEqual(self.outcome("// CHECK: verdict=bug kind=race\n", BUG, 10), 1)
        self.assertEqual(self.outcome("// CHECK: verdict=bug line=4\n", BUG, 10), 1)
        self.assertEqual(self.outcome('// CHECK: verdict=safe\n// OUTCOMES: "b\\n"\n'), 1)
        self.assertEqual(self.outcome("// CHECK: verdict=safe\n// INTERLEAVINGS: 7\n"), 1)
        self.assertEqual(self.outcome("// CHECK: verdict=safe\n", check_code=5), 1)
        self.assertEqual(self.outcome("// CHECK: verdict=safe\n", "no json"), 1)

    def test_bug_that_does_not_come_again_fails(self):
        self.assertEqual(self.outcome("// CHECK: verdict=bug\n", BUG, 10, replay_code=5), 1)


if __name__ == "__main__":
    unittest.main()
