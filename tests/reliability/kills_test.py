"""Workers that are killed or stopped from outside, at random moments: the answer is the same as without.

Random moments, but no luck: whatever a kill hits, verdict, counts, bugs and outcomes must not change. A check is repeated
until as many workers as wanted have been killed."""
import json
import os
import random
import signal
import subprocess
import time

import reliability
from reliability import PLAIT, ReliabilityTest, workers_of

KILLS = int(os.environ.get("PLAIT_KILLS", "100"))  # per explorer
MOST_CHECKS = 40 * KILLS
AT_ONCE = 3  # of one check: a run that is killed five times at the same step is given up, rightly

PROGRAM = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
atomic_int x, y;
int plain;
void* work(void* a) {
  int* own = malloc(sizeof *own);
  *own = x;
  x = *own + 1;
  free(own);
  if (y++ == 0) plain = x;
  return a;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  printf("%d %d\\n", x, plain);
  assert(x == 2);
}
"""

# How many runs it takes to find out what is shared depends on which runs have told it; a run that was killed has, too.
COMPARED = ("verdict", "complete", "classes", "interleavings", "limits", "notes")


def answer_of(result):
    answer = {key: result[key] for key in COMPARED}
    if result["explore"] in ("random", "pct"):
        answer["executions"] = result["executions"]
    answer["bugs"] = sorted((bug["kind"], bug["message"], bug["line"]) for bug in result["bugs"])
    answer["outcomes"] = sorted(outcome["stdout"] for outcome in result["outcomes"])
    return answer


class Kills(ReliabilityTest):
    def setUp(self):
        self.write("p.c", PROGRAM)
        self.plait("cc", "p.c", "-o", "p")
        self.random = random.Random(20)

    def start(self, options):
        command = [PLAIT, "check", "-q", "--format", "json", "--keep-going", "--outcomes", "-o", self.path("out"), *options, self.path("p")]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.directory)

    def finish(self, process):
        output, errors = process.communicate(timeout=1200)
        self.assertIn(process.returncode, (0, 5, 10), errors)
        return answer_of(json.loads(output))

    def check_with_kills(self, options, most):
        """One check, and how many of its workers it took."""
        process = self.start(options)
        kills = 0
        while process.poll() is None and kills < most:
            time.sleep(self.random.uniform(0.0005, 0.03))
            workers = workers_of(process.pid)
            if workers and self.kill(self.random.choice(workers), self.random.choice(self.SIGNALS)):
                kills += 1
        return self.finish(process), kills

    SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)

    @staticmethod
    def kill(worker, number):
        try:
            os.kill(worker, number)
            return True
        except ProcessLookupError:
            return False

    def test_every_explorer(self):
        rounds = {
            "cumulative": ["-j", "1"], "cumulative -j 2": ["-j", "2"], "cumulative with classes": ["--classes", "-j", "1"],
            "mcr": ["--explore", "mcr", "--classes", "-j", "1"], "dpor": ["--explore", "dpor", "--classes", "-j", "1"], "icb": ["--explore", "icb", "-j", "1"],
            "exhaustive": ["--explore", "exhaustive", "-j", "1"], "exhaustive -j 2": ["--explore", "exhaustive", "-j", "2"],
            "random": ["--explore", "random", "--max-executions", "3000", "-j", "1"],
            "pct": ["--explore", "pct", "--max-executions", "3000", "-j", "1"]}
        for name, options in rounds.items():
            with self.subTest(name):
                wanted = self.finish(self.start(options))
                kills = checks = 0
                while kills < KILLS and checks < MOST_CHECKS:
                    answer, more = self.check_with_kills(options, min(AT_ONCE, KILLS - kills))
                    self.assertEqual(answer, wanted, f"{name} after {more} kills")
                    kills += more
                    checks += 1
                print(f"{name}: {kills} kills in {checks} checks", flush=True)
                self.assertEqual(kills, KILLS)

    def test_stopped(self):
        """Stopped for longer than a hang may take: neither a hang nor an endless loop of the program."""
        options = ["--explore", "exhaustive", "-j", "1", "--loop-seconds", "1"]  # a hang is 8 seconds
        wanted = self.finish(self.start(options))
        process = self.start(options)
        stopped = False
        while process.poll() is None and not stopped:
            workers = workers_of(process.pid)
            if workers:
                stopped = self.kill(workers[0], signal.SIGSTOP)
        self.assertTrue(stopped)
        self.assertEqual(self.finish(process), wanted)

    def test_stopped_and_continued(self):
        """The engine itself is stopped, and a worker longer than it: time in which nobody looked does not count."""
        options = ["--explore", "exhaustive", "-j", "1", "--loop-seconds", "1"]
        wanted = self.finish(self.start(options))
        process = self.start(options)
        while process.poll() is None and not workers_of(process.pid):
            time.sleep(0.001)
        for worker in workers_of(process.pid):
            self.kill(worker, signal.SIGSTOP)
        workers = workers_of(process.pid)
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(10)  # more than a hang takes
        os.kill(process.pid, signal.SIGCONT)
        for worker in workers:
            self.kill(worker, signal.SIGCONT)
        self.assertEqual(self.finish(process), wanted)


if __name__ == "__main__":
    reliability.main()
