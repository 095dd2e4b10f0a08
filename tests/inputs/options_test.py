#!/usr/bin/env python3
"""--inputs, --input, --max-paths; inputs in JSON, bug files and replays; programs of several units.

Usage: options_test.py PLAIT WORK_DIR"""
import json
import os
import subprocess
import sys
import unittest

PLAIT, WORK = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
PROGRAM = """
#include <plait.h>
int scaled(int value);
int main(void) {
  int n = (int)plait_input_range(0, 100, "n");
  plait_assert(scaled(n) != 93);
  return 0;
}
"""
OTHER = "int scaled(int value) { return value > 50 ? 0 : 3 * value; }\n"


class Options(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(WORK, exist_ok=True)
        os.chdir(WORK)
        for name, text in (("main.c", PROGRAM), ("other.c", OTHER)):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)

    def check(self, *options, files=("main.c", "other.c")):
        command = [PLAIT, "check", "--no-config", "--format", "json", "-q", *options, *files]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr

    def test_the_input_of_a_bug(self):
        code, result, _ = self.check()
        self.assertEqual((code, result["inputs"]), (10, "explored"))
        self.assertEqual([(i["name"], i["value"]) for i in result["bugs"][0]["inputs"]], [("n", "31")])
        self.assertEqual(subprocess.run([PLAIT, "replay", result["bugs"][0]["schedule"]], capture_output=True).returncode, 10)
        story = subprocess.run([PLAIT, "show", result["bugs"][0]["schedule"]], capture_output=True, text=True).stdout
        self.assertIn("with the inputs n = 31", story)

    def test_all_units_follow(self):
        # Through a unit that does not follow, every value would be a class of its own.
        _, result, _ = self.check("--keep-going")
        self.assertLess(result["input_classes"], 5)
        self.assertEqual(result["explored_inputs"][0]["name"], "n")

    def test_fixed(self):
        code, result, _ = self.check("--inputs", "fixed")
        self.assertEqual((code, result["inputs"], result["input_classes"]), (0, "fixed", 0))
        self.assertEqual(self.check("--input", "n=31")[0], 10)
        self.assertEqual(self.check("--input", "n=30")[0], 0)
        self.assertEqual(self.check("--inputs", "fixed", "--input", "n=0x1f")[0], 10)

    def test_wrong_names_and_values(self):
        for option, words in (("m=1", "it takes n"), ("n=101", "out of"), ("n=-1", "out of"), ("n=x", "no number"), ("n", "NAME=VALUE")):
            code, _, errors = self.check("--input", option)
            self.assertEqual(code, 2, option)
            self.assertIn(words, errors)

    def test_limits_are_told(self):
        code, result, _ = self.check("--max-paths", "1")
        self.assertEqual(code, 5)
        self.assertIn("1 class of inputs covered", result["limits"][0])


if __name__ == "__main__":
    unittest.main()
