"""plait replay: under gdb, under rr, after a recompilation."""
import json
import os

import tool
from tool import PLAIT, ToolTest

# The second thread can only fail when the first one has.
TWO_FAILURES = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int failing;
static void* first(void* a) {
  failing = 1;
  assert(a != 0);
  return a;
}
static void* second(void* a) {
  assert(failing == 0);
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
"""
RACE = """#include <pthread.h>
struct { int other, total; } state;
static void* work(void* unused) {
  state.total = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  state.total = 2;
  pthread_join(t, 0);
}
"""

CLOCK = """#include <assert.h>
#include <pthread.h>
#include <time.h>
static int x;
static void* work(void* a) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  x = 1;
  return a;
}
int main(void) {
  pthread_t t;
  struct timespec before, after;
  pthread_create(&t, 0, work, 0);
  clock_gettime(CLOCK_MONOTONIC, &before);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(x == 0 || before.tv_nsec == 0);
  pthread_join(t, 0);
}
"""
PROGRAM = """#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int total;
static int *where = &total;
static void add(int amount) {
  int seen = *where;
  total = seen + amount;
}
static void* work(void* a) {
  add(10);
  return a;
}
int main(void) {
  pthread_t t;
  puts("begins");
  pthread_create(&t, 0, work, 0);
  add(5);
  pthread_join(t, 0);
  printf("total %d\\n", total);
  fflush(stdout);
  assert(total == 15);
}
"""


class Replay(ToolTest):
    def setUp(self):
        self.write("p.c", PROGRAM)
        self.plait("cc", "p.c", "-o", "p", "-pthread")
        self.plait("check", "-q", "--races", "off", "./p", expect=10)

    def recompile(self, old, new, count=1):
        self.assertIn(old, PROGRAM)
        self.write("p.c", PROGRAM.replace(old, new, count))
        self.plait("cc", "p.c", "-o", "p", "-pthread")

    def replay(self, expect):
        return self.plait("replay", "plait-out/bug-1.json", expect=expect)

    def test_shows_the_real_output(self):
        ran = self.replay(10)
        self.assertRegex(ran.stdout, r"begins\ntotal (5|10)\nassertion failed at p.c:\d+: total == 15")
        self.assertEqual(ran.stderr, "")

    def test_the_same_source_compiled_again_replays_exactly(self):
        self.recompile("begins", "begins")
        self.replay(10)

    def test_moved_lines_and_variables_do_not_matter(self):
        self.recompile("static int total;", "/* one\n   two\n   three */\nint more[100] = {1};\nlong other = 4;\nstatic int total;")
        ran = self.replay(10)
        self.assertIn("was compiled again", ran.stderr)
        self.assertRegex(ran.stdout, r"assertion failed at p.c:27: total == 15")

    def test_other_values_diverge_where_they_appear(self):
        self.recompile("add(5)", "add(6)")
        ran = self.replay(5)
        self.assertRegex(ran.stderr, r"diverged at event \d+: expected main write total = 5.*, got main write total = 6")

    def test_a_fix_diverges(self):
        self.recompile("static void add(int amount) {", "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                       "static void add(int amount) {\n  pthread_mutex_lock(&m);")
        fixed = "total = seen + amount;\n  pthread_mutex_unlock(&m);"
        self.write("p.c", self.read("p.c").replace("total = seen + amount;", fixed))
        self.plait("cc", "p.c", "-o", "p", "-pthread")
        ran = self.replay(5)
        self.assertIn("the program has changed, or the bug is fixed", ran.stderr)
        self.assertEqual(self.plait("check", "-q", "./p").stdout.split(":")[0], "safe")

    def test_a_changed_source_is_compiled_again(self):
        self.plait("check", "-q", "--races", "off", "-o", "from-source", "p.c", expect=10)
        self.write("p.c", PROGRAM.replace("add(5)", "add(7)"))
        later = os.stat(self.path("p.c")).st_mtime + 5
        os.utime(self.path("p.c"), (later, later))
        ran = self.plait("replay", "from-source/bug-1.json", expect=5)
        self.assertIn("= 7", ran.stderr)

    def gdb(self, *commands):
        self.write("commands", "\n".join(commands + ("kill", "quit")) + "\n")
        with open(self.path("commands")) as text:
            return self.plait("replay", "plait-out/bug-1.json", "--gdb", stdin=text).stdout

    def test_gdb_stops_at_the_failure_with_all_threads(self):
        out = self.gdb("plait-threads", "print total", "info locals")
        self.assertIn("main fails: assertion failed: total == 15 (main at p.c:", out)
        self.assertRegex(out, r"\* main +main at p.c:\d+\n +T1 +has ended")
        self.assertRegex(out, r"\$1 = (5|10)\n")

    def test_gdb_steps_by_events(self):
        out = self.gdb("plait-start", "plait-next", "plait-next 2", "plait-threads", "plait-apply T1 backtrace",
                       "plait-apply main info locals", "plait-next 100", "plait-next", "plait-start", "plait-goto 4",
                       "print total")
        self.assertIn("main at p.c:", out)
        self.assertRegex(out, r"event 1 of \d+: main start T1 \(main at p.c:17\)")
        self.assertRegex(out, r"event 3 of \d+: (main|T1) read total = 0 \(add at p.c:7\)")
        self.assertRegex(out, r"\* (main|T1) +add at p.c:7\n")
        self.assertRegex(out, r"  (main|T1) +add at p.c:7, before Load")
        self.assertRegex(out, r"#\d+ .* work \(a=.*\)")
        self.assertIn("main fails: assertion failed", out)
        self.assertRegex(out, r"event 4 of \d+: ")

    def test_gdb_names_both_sides_of_a_race(self):
        self.write("race.c", RACE)
        self.plait("check", "-q", "-o", "race", "race.c", expect=10)
        self.write("commands", "plait-threads\nkill\nquit\n")
        with open(self.path("commands")) as text:
            out = self.plait("replay", "race/bug-1.json", "--gdb", stdin=text).stdout
        self.assertRegex(out, r"main +main at race.c:\d+, is about to (read|write) state.total, which is a data race")
        self.assertRegex(out, r"T1 +work at race.c:\d+, is about to (read|write) state.total, which is a data race")

    def test_gdb_commands_explain_themselves(self):
        typed = "plait-apply\\nplait-apply T9 bt\\nplait-next\\nplait-goto x\\nkill\\nplait-next\\nquit\\n"
        ran = self.run_command("sh", "-c", f"printf '{typed}' | '{PLAIT}' replay plait-out/bug-1.json --gdb")
        for text in ("plait-apply 1 backtrace", "T9 does not exist or has ended", "the run is over: plait-start begins it again",
                     "plait-goto NUMBER", "the program is not running"):
            self.assertIn(text, ran.stderr)

    def stand_in_for_rr(self):
        """Records nothing: rr itself needs performance counters that many machines do not have."""
        self.write("bin/rr", '#!/bin/sh\n[ "$1" = record ] || exit 9\nshift\necho "recording $*"\nexec "$@"\n')
        os.chmod(self.path("bin/rr"), 0o755)
        return {"PATH": self.path("bin") + ":" + os.environ["PATH"]}

    def test_a_failure_behind_another_threads_failure(self):
        # The schedule of the second bug leads past the first one's: under a debugger, too.
        self.write("two.c", TWO_FAILURES)
        self.plait("check", "--keep-going", "--no-minimise", "-o", "two", "two.c", expect=10)
        bugs = sorted(name for name in os.listdir(self.path("two")) if name.startswith("bug-"))
        self.assertEqual(len(bugs), 2)
        environment = self.stand_in_for_rr()
        for bug in bugs:
            said = self.plait("replay", f"two/{bug}", expect=10).stdout.splitlines()[-1]
            ran = self.plait("replay", f"two/{bug}", "--rr", expect=10, env=environment)
            self.assertIn(said, ran.stdout)
            with open(self.path(f"two/{bug}")) as file:
                line = json.load(file)["failure"]["line"]
            self.assertIn(f":{line}:", said)

    def test_what_the_clock_changes_is_in_the_bug_file(self):
        self.write("clock.c", CLOCK)
        self.plait("check", "-o", "clock", "clock.c", expect=10)
        with open(self.path("clock/bug-1.json")) as file:
            self.assertTrue(json.load(file)["clock_matters"])
        self.plait("replay", "clock/bug-1.json", expect=10)

    def test_rr_gets_the_program_with_its_schedule(self):
        ran = self.plait("replay", "plait-out/bug-1.json", "--rr", expect=10, env=self.stand_in_for_rr())
        self.assertRegex(ran.stdout, r"recording ./p\nbegins\ntotal (5|10)\nassertion failed at p.c:22: .*\nrecorded: rr replay\n")
        self.write("empty/none", "")
        ran = self.plait("replay", "plait-out/bug-1.json", "--rr", expect=2, env={"PATH": self.path("empty")})
        self.assertIn("cannot run rr", ran.stderr)
        self.assertIn("install the package rr", ran.stderr)


if __name__ == "__main__":
    tool.main()
