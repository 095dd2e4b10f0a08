#!/usr/bin/env python3
"""--explore paths: few runs where values do not matter, the same answers as cumulative, and a message where values are
followed instead.

  paths_test.py PLAIT DIRECTORY
"""
import json
import os
import subprocess
import sys
import unittest

PLAIT, DIRECTORY = (os.path.abspath(path) for path in sys.argv[1:3])

HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int get(atomic_int* at) { return atomic_load(at); }
static void set(atomic_int* at, int value) { atomic_store(at, value); }
"""
TWO = """
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  END
}
"""
COUNTER = """
static void* first(void* unused) { for (int i = 0; i < 5; ++i) set(&x, get(&x) + 1); return 0; }
#define second first
"""
# Sums, a switch, a division, a compare-and-swap and an array index, all of what was read.
MIXED = """
static int table[4] = {3, 1, 4, 1};
static void* first(void* unused) {
  const int old = get(&x);
  switch (get(&y)) {
    case 0: set(&x, old + 1); break;
    case 2: set(&x, table[old & 3]); break;
    default: set(&x, 12 / (old + 1)); break;
  }
  return 0;
}
static void* second(void* unused) {
  int expected = get(&x);
  if (atomic_compare_exchange_strong(&y, &expected, 2)) set(&x, expected + 5);
  set(&y, get(&x) * 3 - 1);
  return 0;
}
"""
WAITING = """
static void* first(void* unused) { while (!get(&x)) {} set(&y, 1); return 0; }
static void* second(void* unused) { set(&x, 1); return 0; }
"""


class Paths(unittest.TestCase):
    def check(self, name, text, *options, source=True):
        os.makedirs(DIRECTORY, exist_ok=True)
        path = os.path.join(DIRECTORY, name)
        with open(path + ".c", "w") as file:
            file.write(text)
        command = [PLAIT, "check", "--format", "json", "--no-minimise", "--no-config", "-o", path + "-out", *options]
        done = subprocess.run(command + [path + ".c" if source else path], capture_output=True, text=True)
        return done

    def answer(self, name, text, *options):
        done = self.check(name, text, *options)
        return json.loads(done.stdout), done.stderr

    def test_a_counter_needs_two_runs(self):
        program = HEAD + COUNTER + TWO.replace("END", "assert(get(&x) >= 2);")
        result, messages = self.answer("counter", program, "--explore", "paths")
        self.assertEqual((result["verdict"], result["complete"], result["executions"]), ("safe", True, 2))
        self.assertNotIn("cannot be followed", messages)

    def test_values_that_only_some_schedules_calculate(self):
        program = HEAD + COUNTER + TWO.replace("END", "assert(get(&x) != 2);")
        result, _ = self.answer("lost", program, "--explore", "paths")
        self.assertEqual([bug["kind"] for bug in result["bugs"]], ["assertion"])

    def test_answers_are_those_of_cumulative(self):
        program = HEAD + "#include <stdio.h>\n" + MIXED + TWO.replace("END", 'printf("%d %d\\n", get(&x), get(&y));')
        for model in ("sc", "tso", "pso"):
            asked = ("--memory-model", model, "--outcomes", "--keep-going")
            paths, messages = self.answer("mixed", program, "--explore", "paths", *asked)
            values, _ = self.answer("mixed", program, "--explore", "cumulative", *asked)
            self.assertNotIn("cannot be followed", messages)
            self.assertTrue(paths["complete"] and values["complete"])
            outputs = [{outcome["stdout"] for outcome in result["outcomes"]} for result in (paths, values)]
            self.assertGreater(len(outputs[0]), 3)
            self.assertEqual(*outputs)

    def test_loops_that_wait_are_followed_by_values(self):
        program = HEAD + WAITING + TWO.replace("END", "")
        result, messages = self.answer("waiting", program, "--explore", "paths")
        self.assertEqual((result["verdict"], result["complete"]), ("safe", True))
        self.assertIn("values are followed instead", messages)

    def test_four_threads_that_sort_come_to_an_end(self):
        """BubbleSort of the papers with four numbers: no solver of orders ends there."""
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bench/programs/papers/bubblesort.c")
        command = [PLAIT, "check", "-q", "--format", "json", "--races", "off", "--explore", "paths", "--cflags", "-DINPUT=4 -Wno-unused-value",
                   "-o", os.path.join(DIRECTORY, "bubblesort-out"), source]
        result = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
        self.assertEqual((result["verdict"], result["complete"], result["explore"]), ("safe", True, "paths"))
        self.assertLess(result["histories"], 100)

    def test_a_program_without_labels_is_a_usage_error(self):
        program = HEAD + COUNTER + TWO.replace("END", "")
        path = os.path.join(DIRECTORY, "plain")
        os.makedirs(DIRECTORY, exist_ok=True)
        with open(path + ".c", "w") as file:
            file.write(program)
        subprocess.run([PLAIT, "cc", "-pthread", path + ".c", "-o", path], check=True)
        done = self.check("plain", program, "--explore", "paths", source=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("-fplait-inputs", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
