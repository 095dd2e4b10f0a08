#!/usr/bin/env python3
"""--symbolic-args, --symbolic-stdin, --symbolic-env; inputs in reports; plait tests.

Usage: outside_test.py PLAIT WORK_DIR"""
import json
import os
import subprocess
import sys
import unittest

PLAIT, WORK = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
PROGRAMS = {
    "arguments.c": """
#include <plait.h>
#include <stdlib.h>
#include <string.h>
int main(int count, char** words) {
  plait_assert(count != 3 || strcmp(words[1], "-n") != 0 || atoi(words[2]) != 42);
  return 0;
}
""",
    "input.c": """
#include <plait.h>
#include <stdio.h>
int main(void) {
  int sum = 0, c;
  while ((c = getchar()) != EOF) sum += c == 'x';
  plait_assert(sum != 3);
  return 0;
}
""",
    "lines.c": """
#include <plait.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char first[8], second[8] = "";
  if (!fgets(first, sizeof first, stdin)) return 1;
  if (!fgets(second, sizeof second, stdin)) return 0;
  plait_assert(first[0] != 'a' || second[0] != 'b');
  return 0;
}
""",
    "reading.c": """
#include <plait.h>
#include <unistd.h>
int main(void) {
  unsigned char bytes[4];
  plait_assert(read(0, bytes, sizeof bytes) == 3);
  plait_assert(read(0, bytes + 3, 1) == 0);
  plait_assert(bytes[0] + bytes[1] + bytes[2] != 600);
  return 0;
}
""",
    "scanning.c": """
#include <plait.h>
#include <stdio.h>
int main(void) {
  int n = 0;
  if (scanf("%d", &n) != 1) return 0;
  plait_assert(n != 7);
  return 0;
}
""",
    "streams.cc": """
#include <plait.h>
#include <iostream>
int main() {
  char c = 0;
  std::cin >> c;
  plait_assert(c != 'q');
}
""",
    "putting_back.c": """
#include <plait.h>
#include <stdio.h>
int main(void) {
  int a = getchar(), b = getchar();
  if (a == 'x' && b == 'x') {
    ungetc(a, stdin);
    plait_assert(getchar() != 'x');
  }
  return 0;
}
""",
    "environment.c": """
#include <plait.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static _Atomic int fast;
static void* work(void* argument) {
  fast = fast + 1;
  return argument;
}
int main(void) {
  pthread_t t;
  fast = strcmp(getenv("MODE"), "up") == 0;
  pthread_create(&t, 0, work, 0);
  fast = fast + 1;
  pthread_join(t, 0);
  plait_assert(fast != 3);
  return 0;
}
""",
}


class Outside(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(WORK, exist_ok=True)
        os.chdir(WORK)
        for name, text in PROGRAMS.items():
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)

    def plait(self, *words):
        return subprocess.run([PLAIT, *words], capture_output=True, text=True)

    def check(self, file, *options):
        done = self.plait("check", "--no-config", "--format", "json", "-q", "-j", "1", *options, file)
        return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr

    def test_arguments(self):
        code, result, _ = self.check("arguments.c", "--symbolic-args", "2 3")
        self.assertEqual((code, result["inputs"], len(result["bugs"])), (10, "explored", 1))
        file = result["bugs"][0]["schedule"]
        story = self.plait("show", file).stdout
        self.assertIn('argv[1] = "-n", argv[2] = ', story)
        self.assertEqual(self.plait("replay", file).returncode, 10)
        self.assertIn("with the inputs", self.plait("show", "-f", "html", file).stdout)
        self.assertEqual(self.check("arguments.c", "--symbolic-args", "2 1")[1]["verdict"], "safe")

    def test_arguments_by_hand(self):
        code, result, _ = self.check("arguments.c", "--symbolic-args", "1", "--input", "argv[1][0]=45")
        self.assertEqual((code, result["inputs"]), (0, "fixed"))

    def test_standard_input(self):
        code, result, _ = self.check("input.c", "--symbolic-stdin", "3")
        self.assertEqual((code, result["inputs"]), (10, "explored"))
        self.assertIn('stdin = "xxx"', self.plait("show", result["bugs"][0]["schedule"]).stdout)
        code, result, _ = self.check("input.c", "--symbolic-stdin", "2")
        self.assertEqual((code, result["complete"]), (0, True))
        self.assertLess(result["input_classes"], 9)

    def test_lines(self):
        code, result, _ = self.check("lines.c", "--symbolic-stdin", "4")
        self.assertEqual((code, len(result["bugs"])), (10, 1))
        self.assertEqual(self.check("lines.c", "--symbolic-stdin", "2")[0], 0)

    def test_descriptors(self):
        self.assertEqual(self.check("reading.c", "--symbolic-stdin", "3")[0], 10)

    def test_what_is_not_followed_has_values(self):
        for file in ("scanning.c", "streams.cc"):
            done = self.plait("check", "--no-config", "-v", "-j", "1", "--keep-going", "--symbolic-stdin", "1", file)
            self.assertEqual(done.returncode, 10, file + done.stdout + done.stderr)
            self.assertIn("a value that depends on inputs was needed", done.stderr)

    def test_what_is_put_back(self):
        self.assertEqual(self.check("putting_back.c", "--symbolic-stdin", "3")[0], 10)

    def test_environment_and_schedule(self):
        code, result, _ = self.check("environment.c", "--symbolic-env", "MODE=2")
        self.assertEqual((code, len(result["bugs"])), (10, 1))
        self.assertEqual(self.plait("replay", result["bugs"][0]["schedule"]).returncode, 10)

    def test_wrong_values(self):
        for words, told in ((("--symbolic-args", "x"), "no number"), (("--symbolic-args", "0"), "no number"),
                            (("--symbolic-args", "3000"), "at most"), (("--symbolic-stdin", "0"), "no number"),
                            (("--symbolic-env", "MODE"), "NAME=LEN"), (("--symbolic-env", "MODE=x"), "no number"),
                            (("--symbolic-stdin", "1", "--stdin", "input.c"), "one or the other")):
            code, _, errors = self.check("input.c", *words)
            self.assertEqual(code, 2, words)
            self.assertIn(told, errors)
        subprocess.run([PLAIT, "cc", "input.c", "-o", "plain"], check=True)
        code, _, errors = self.check("plain", "--symbolic-stdin", "1")
        self.assertEqual(code, 2)
        self.assertIn("-fplait-inputs", errors)

    def test_sarif(self):
        done = self.plait("check", "--no-config", "--format", "sarif", "-q", "--symbolic-stdin", "3", "input.c")
        run = json.loads(done.stdout)["runs"][0]
        self.assertEqual(run["properties"]["inputs"], "explored")
        self.assertIn('stdin = "xxx"', run["results"][0]["message"]["text"])
        self.assertEqual(len(run["results"][0]["properties"]["inputs"]), 3)

    def test_suites(self):
        done = self.plait("tests", "--no-config", "-q", "--symbolic-stdin", "3", "-o", "suite", "input.c")
        self.assertEqual(done.returncode, 10, done.stderr)
        with open("suite/index.json", encoding="utf-8") as file:
            index = json.load(file)
        self.assertEqual([test["expected"] for test in index["tests"]].count("bug"), 1)
        self.assertGreaterEqual(len(index["tests"]), 2)
        self.assertTrue(index["complete"])
        self.assertEqual(len({test["inputs"] for test in index["tests"]}), len(index["tests"]))
        for test in index["tests"]:
            code = self.plait("replay", "-q", "suite/" + test["file"]).returncode
            self.assertEqual(code, 10 if test["expected"] == "bug" else 0)
        with open("suite/tests.txt", encoding="utf-8") as file:
            self.assertIn("BUG: ", file.read())
        self.assertEqual(self.plait("tests", "--run", "suite").returncode, 10)
        # A program that behaves otherwise for some inputs.
        with open("input.c", "w", encoding="utf-8") as file:
            file.write(PROGRAMS["input.c"].replace("sum != 3", "sum != 2"))
        done = self.plait("tests", "--run", "suite")
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertIn("bug-1.json differs now", done.stdout)

    def test_wrong_suites(self):
        self.assertEqual(self.plait("tests").returncode, 2)
        self.assertEqual(self.plait("tests", "--run", "nowhere").returncode, 2)


if __name__ == "__main__":
    unittest.main()
