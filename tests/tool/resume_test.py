"""Checks that end early and go on later; checks on several cores; threads that cannot be merged any more."""
import json
import os
import signal
import subprocess
import time

import tool
from tool import PLAIT, ToolTest

COUNTER = """#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int x;
void* work(void* a) { for (int i = 0; i < TIMES; ++i) { int v = x; x = v + 1; } return a; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  printf("%d\\n", x);
}
"""

OPAQUE = """#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#include <time.h>
atomic_int flag;
void* work(void* a) { flag = 1; return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  tzset();
  while (!flag) { }
  pthread_join(t, 0);
}
"""


class Resume(ToolTest):
    def setUp(self):
        self.write("p.c", COUNTER)
        self.plait("cc", "-DTIMES=8", "p.c", "-o", "p")

    def check(self, *words, expect=0):
        return json.loads(self.plait("check", "--format", "json", *words, expect=expect).stdout)

    def test_goes_on_where_it_ended(self):
        whole = self.check("--merge", "off", "--timeout", "100", "-o", "whole", "-j", "1", "--max-executions", "300", "p", expect=5)
        self.assertEqual(whole["limits"], ["max-executions: 300"])
        all_at_once = self.check("p")
        self.assertFalse(os.path.exists(self.path("plait-out/resume.json")))
        first = self.check("--max-executions", "5", "-o", "one", "p", expect=5)
        self.assertEqual(first["limits"], ["max-executions: 5"])
        self.assertEqual(first["executions"], 5)
        second = self.check("--resume", "one", "-o", "two", "p")
        self.assertEqual(second["verdict"], "safe")
        self.assertEqual(second["histories"], all_at_once["histories"])
        self.assertFalse(os.path.exists(self.path("two/resume.json")), "nothing is left to be resumed")

    def test_says_why_it_cannot(self):
        self.assertIn("nothing to resume", self.plait("check", "--resume", "nowhere", "p", expect=2).stderr)
        self.check("--max-executions", "5", "-o", "one", "p", expect=5)
        self.plait("cc", "-DTIMES=7", "p.c", "-o", "q")
        self.assertIn("the program has changed", self.plait("check", "--resume", "one", "q", expect=2).stderr)
        self.write("broken/resume.json", "{")
        self.assertIn("damaged", self.plait("check", "--resume", "broken", "p", expect=2).stderr)
        self.assertIn("belongs to", self.plait("check", "--explore", "random", "--resume", "one", "p", expect=2).stderr)
        self.assertIn("that check was under --memory-model sc",
                      self.plait("check", "--memory-model", "tso", "--resume", "one", "p", expect=2).stderr)

    def test_goes_on_under_its_memory_model(self):
        whole = self.check("--memory-model", "tso", "p")
        self.check("--memory-model", "tso", "--max-executions", "5", "-o", "weak", "p", expect=5)
        rest = self.check("--memory-model", "tso", "--resume", "weak", "p")
        self.assertEqual((rest["verdict"], rest["histories"]), ("safe", whole["histories"]))

    def test_interrupted(self):
        self.plait("cc", "-DTIMES=30", "p.c", "-o", "long")
        # Without merging it would take hours.
        for seconds in (3, 30, 300):  # on a busy machine it may not have got far
            process = subprocess.Popen([PLAIT, "check", "--merge", "off", "-o", "cut", "--format", "json", "long"],
                                       cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=1200)
            self.assertIn(process.returncode, (130, -signal.SIGINT))
            if out and json.loads(out)["histories"]:
                break
        self.assertEqual(process.returncode, 130)
        answer = json.loads(out)
        self.assertEqual(answer["limits"], ["interrupted"])
        self.assertGreater(answer["histories"], 0)
        self.assertTrue(os.path.exists(self.path("cut/resume.json")))

    def test_same_answer_on_one_and_two_cores(self):
        one, two = (self.check("--merge", "off", "--outcomes", "--classes", "-j", jobs, "small") for jobs in ("1", "2")
                    if self.plait("cc", "-DTIMES=4", "p.c", "-o", "small"))
        for field in ("verdict", "complete", "histories", "classes"):
            self.assertEqual(one[field], two[field], field)
        self.assertEqual([o["stdout"] for o in one["outcomes"]], [o["stdout"] for o in two["outcomes"]])


class Search(ToolTest):
    def test_goes_on_after_new_runs_without_false_predictions(self):
        """Large enough for a search to go on with nodes that later turn out to differ."""
        source = os.path.join(tool.SOURCE, "bench/programs/classic/treiber_stack.c")
        self.plait("cc", "-DN=3", source, "-o", "stack")
        for merge in ("off", "on"):
            ran = self.plait("check", "--merge", merge, "--races", "off", "--format", "json", "stack")
            self.assertNotIn("cannot be predicted", ran.stderr)
            self.assertLess(json.loads(ran.stdout)["executions"], 10000)


class Opaque(ToolTest):
    def test_verbose_names_the_call(self):
        self.write("p.c", OPAQUE)
        ran = self.plait("check", "-v", "p.c", expect=5)
        self.assertIn("not merged any more: it called a function that may keep state: tzset (at p.c:10)", ran.stderr)
        self.assertIn("waiting loop", ran.stdout)


if __name__ == "__main__":
    tool.main()
