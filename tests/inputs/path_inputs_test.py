#!/usr/bin/env python3
"""Inputs as symbols of the search over paths: few runs for any number of values, bugs with their inputs, and rounds where
paths cannot be followed.

  path_inputs_test.py PLAIT DIRECTORY
"""
import json
import os
import subprocess
import sys
import unittest

PLAIT, DIRECTORY = (os.path.abspath(path) for path in sys.argv[1:3])

HEAD = """
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static atomic_uchar narrow;
static int i, j, plain;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int get(atomic_int* at) { return atomic_load(at); }
static void set(atomic_int* at, int value) { atomic_store(at, value); }
"""
MAIN = """
int main(void) {
  pthread_t a, b;
  plait_input(&i, sizeof i, "i");
  plait_input(&j, sizeof j, "j");
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  END
}
"""


def threads(first, second, end=""):
    return (HEAD + f"static void* first(void* unused) {{ {first} return unused; }}\n"
            f"static void* second(void* unused) {{ {second} return unused; }}\n" + MAIN.replace("END", end))


class PathInputs(unittest.TestCase):
    def check(self, name, text, *options):
        os.makedirs(DIRECTORY, exist_ok=True)
        path = os.path.join(DIRECTORY, name + ".c")
        with open(path, "w") as file:
            file.write(text)
        command = [PLAIT, "check", "--format", "json", "--no-minimise", "--no-config", "-v", "-o", path + "-out", *options]
        done = subprocess.run(command + [path], capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 5, 10), done.stderr)
        self.path = path
        return json.loads(done.stdout), done.stderr

    def inputs_of_bug(self, number=1):
        with open(os.path.join(self.path + "-out", f"bug-{number}.json")) as file:
            return {entry["name"]: int(entry["value"]) for entry in json.load(file)["inputs"]}

    def is_safe(self, result, executions):
        self.assertEqual((result["verdict"], result["complete"], result["explore"]), ("safe", True, "paths"))
        self.assertLessEqual(result["executions"], executions)

    def has_bugs(self, result, kinds, executions):
        self.assertEqual([bug["kind"] for bug in result["bugs"]], kinds)
        self.assertEqual((result["complete"], result["explore"]), (True, "paths"))
        self.assertLessEqual(result["executions"], executions)

    def test_figure_8_of_mpc(self):
        result, _ = self.check("figure8", threads("if (i > 0) set(&x, 1); else if (j > 0) set(&x, 2); else set(&x, 3);",
                                                  "plait_assert(get(&x) != 2);"), "--keep-going")
        self.has_bugs(result, ["assertion"], 5)
        found = self.inputs_of_bug()
        self.assertTrue(found["i"] <= 0 < found["j"])

    def test_what_is_calculated_from_inputs_goes_through_memory(self):
        result, _ = self.check("relation", threads("set(&x, i + 1);", "int v = get(&x); if (v) plait_assert(v - 1 == i);"))
        self.is_safe(result, 4)

    def test_one_value_of_all_is_found(self):
        result, _ = self.check("needle", threads("set(&x, i * 3);", "if (get(&x) == 3 * 123457) plait_assert(j != 77);"),
                               "--keep-going")
        self.has_bugs(result, ["assertion"], 8)
        found = self.inputs_of_bug()
        self.assertEqual((found["i"] * 3 % 2**32, found["j"]), (3 * 123457, 77))

    def test_updates_and_comparisons(self):
        result, _ = self.check("updates", threads(
            "atomic_fetch_add(&x, i); int e = j; if (atomic_compare_exchange_strong(&y, &e, 5)) plait_assert(j == 0 || j == 7);",
            "atomic_exchange(&y, 7);", "plait_assert(get(&x) == i);"))
        self.is_safe(result, 12)

    def test_bytes_of_a_word(self):
        result, _ = self.check("bytes", threads(
            "set(&x, i);", "plait_assert(atomic_load((atomic_uchar*)&x + 1) != 0x5a || (i >> 8 & 255) == 0x5a);"))
        self.is_safe(result, 6)

    def test_assumptions(self):
        result, _ = self.check("assume", threads("plait_assume(i > 3 && i < 10); set(&x, i);",
                                                 "int v = get(&x); plait_assert(v == 0 || (v > 3 && v < 10));"))
        self.is_safe(result, 8)

    def test_a_deadlock_by_input(self):
        body = ("pthread_mutex_t* p = {0}; pthread_mutex_lock(p); pthread_mutex_lock(p == &one ? &other : &one);"
                "pthread_mutex_unlock(&one); pthread_mutex_unlock(&other);")
        result, _ = self.check("deadlock", threads(body.format("i == 1234567 ? &other : &one"), body.format("&one")), "--keep-going")
        self.has_bugs(result, ["deadlock"], 8)
        self.assertEqual(self.inputs_of_bug()["i"], 1234567)

    def test_a_race_by_input(self):
        result, _ = self.check("race", threads("plain = 1;", "if (i == -5) plain = 2;"), "--keep-going")
        self.has_bugs(result, ["race"], 6)
        self.assertEqual(self.inputs_of_bug()["i"], 2**32 - 5)

    def test_outputs(self):
        result, _ = self.check("outputs", "#include <stdio.h>\n" + threads(
            "set(&x, i > 5 ? 2 : 1);", "if (i > 5 && j == 9) set(&y, get(&x));", 'printf("%d %d\\n", get(&x), get(&y));'),
            "--outcomes")
        self.assertEqual({outcome["stdout"] for outcome in result["outcomes"]}, {"1 0\n", "2 0\n", "2 2\n"})
        self.assertEqual((result["complete"], result["explore"]), (True, "paths"))

    def test_needed_values_have_an_edge_each(self):
        result, _ = self.check("index", threads("static int table[8]; set(&x, table[i & 7]);", ""), "--keep-going")
        self.is_safe(result, 12)

    def test_loops_that_wait_are_followed_in_rounds(self):
        result, messages = self.check("waits", threads("while (!get(&x)) {} plait_assert(i != 3);", "set(&x, 1);"))
        self.assertEqual([bug["kind"] for bug in result["bugs"]], ["assertion"])
        self.assertIn("values are followed instead", messages)

    def test_stores_that_wait_in_buffers(self):
        for model in ("tso", "pso"):
            result, _ = self.check("buffers", threads(
                "atomic_store_explicit(&x, i & 1, memory_order_relaxed); plain = get(&y);", "set(&y, get(&x));",
                "plait_assert(get(&y) == 0 || (i & 1));"), "--memory-model", model)
            self.assertEqual((result["verdict"], result["complete"]), ("safe", True))

    def test_options_about_rounds(self):
        text = threads("if (i > 5) set(&x, 1);", "")
        for options in (["--explore", "cumulative"], ["--max-paths", "9"], ["--merge", "off"]):
            result, _ = self.check("rounds", text, *options)
            self.assertEqual((result["verdict"], result["explore"], result["input_classes"]), ("safe", "cumulative", 2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
