#!/usr/bin/env python3
"""plait deps: what lines depend on and why, as text and for Graphviz; clear errors."""
import argparse
import os
import subprocess
import sys
import unittest

PROGRAM = """#include <pthread.h>
static volatile int ready, data, copy, other;
static void* one(void* unused) {
  data = 41;
  ready = 1;
  return unused;
}
static void* two(void* unused) {
  int seen = ready;
  if (seen)
    copy = data;
  other = 7;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""


class Deps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(ARGUMENTS.work, exist_ok=True)
        cls.source = os.path.join(ARGUMENTS.work, "flag.c")
        with open(cls.source, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        cls.program = os.path.join(ARGUMENTS.work, "flag")
        subprocess.run([ARGUMENTS.plait, "cc", "-O1", cls.source, "-o", cls.program], check=True)

    def ask(self, *words, code=0):
        ran = subprocess.run([ARGUMENTS.plait, "deps", *words], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout if code == 0 else ran.stderr

    def test_every_line_has_its_reads(self):
        lines = dict(line.split(": ", 1) for line in self.ask(self.program).splitlines()[1:])
        self.assertEqual(lines["flag.c:11"], "flag.c:11 (data), flag.c:9 (ready)")
        self.assertEqual(lines["flag.c:16"], "not followed")

    def test_one_line_says_why(self):
        text = self.ask(self.program, "--site", "flag.c:11")
        self.assertIn("whether it happens depends on\n    flag.c:9 (ready)", text)
        self.assertIn("what it brings depends on\n    flag.c:11 (data)", text)
        self.assertIn("what it brings is not followed", self.ask(self.program, "--site", "17"))

    def test_a_source_is_compiled(self):
        self.assertIn("flag.c:11: ", self.ask(self.source))

    def test_a_graph_can_be_drawn(self):
        text = self.ask(self.program, "--dot")
        self.assertTrue(text.startswith("digraph dependences {") and text.endswith("}\n"), text)
        self.assertIn('"flag.c:9 (ready)" -> "flag.c:11" [style=dashed];', text)
        self.assertIn('"flag.c:11 (data)" -> "flag.c:11";', text)

    def test_errors(self):
        self.assertIn("'flag.c' is not FILE:LINE", self.ask(self.program, "--site", "flag.c", code=2))
        self.assertIn("there is no operation at flag.c:1", self.ask(self.program, "--site", "flag.c:1", code=2))
        self.assertIn("is not an instrumented program", self.ask("/bin/true", code=2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--plait", required=True)
    parser.add_argument("--work", required=True)
    ARGUMENTS = parser.parse_args()
    unittest.main(argv=sys.argv[:1])
