"""Code that was not compiled with the wrapper keeps state and writes to memory that threads share: every result that it
can cause is found, in fewer runs than there are interleavings."""
import json
import os

import tool
from tool import ToolTest

HIDDEN = """#include <pthread.h>
static int counter;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
int next_number(void) { return ++counter; }
void poke(int* where, int what) { *where = *where * 3 + what; }
int look(const int* where) { return *where; }
/* The thread is stopped inside, in front of the lock, and again in front of the unlock. */
int guarded_number(void) {
  const int before = counter;
  pthread_mutex_lock(&inner);
  counter = counter * 2 + 1;
  const int now = counter;
  pthread_mutex_unlock(&inner);
  return before * 100 + now;
}
"""

PROGRAM = """#include <pthread.h>
#include <stdio.h>
int next_number(void);
int guarded_number(void);
void poke(int*, int);
int look(const int*);
int result[3], shared, plain, guarded;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void add(void) {
  pthread_mutex_lock(&mutex);
  ++guarded;
  pthread_mutex_unlock(&mutex);
}
%s
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  %s
  pthread_join(one, 0);
  %s
  pthread_join(two, 0);
  printf("%%d %%d %%d %%d %%d\\n", result[0], result[1], result[2], shared, plain);
  return 0;
}
"""

# What the threads do; main between forks and joins, and between the joins.
PROGRAMS = {
    "state": ("static void* first(void* p) { add(); result[0] = next_number(); add(); return p; }\n"
              "static void* second(void* p) { add(); result[1] = next_number(); add(); return p; }", "", ""),
    "behind a join": ("static void* first(void* p) { add(); return p; }\n"
                      "static void* second(void* p) { add(); result[1] = next_number(); add(); return p; }",
                      "", "result[2] = next_number();"),
    "memory": ("static void* first(void* p) { add(); poke(&shared, 1); add(); result[0] = shared; return p; }\n"
               "static void* second(void* p) { add(); poke(&shared, 2); result[1] = shared; return p; }", "", ""),
    "both sides": ("static void* first(void* p) { plain = 1; result[0] = look(&plain); plain = 2; return p; }\n"
                   "static void* second(void* p) { add(); result[1] = look(&plain); plain = 3; return p; }",
                   "add();", ""),
    "calls us": ("static void* first(void* p) { add(); result[0] = guarded_number(); return p; }\n"
                 "static void* second(void* p) { result[1] = guarded_number(); add(); return p; }", "", ""),
}


class Hidden(ToolTest):
    def outputs(self, program, *options):
        # The object is not trustworthy at all; the question is what the explorers make of it.
        ran = self.plait("check", "--trust-libraries", "--races", "off", "--outcomes", "--format", "json", *options, program)
        answer = json.loads(ran.stdout)
        self.assertTrue(answer["complete"], answer)
        return sorted(one["stdout"] for one in answer["outcomes"]), answer

    def test_same_outputs(self):
        self.write("hidden.c", HIDDEN)
        self.run_command(os.environ.get("CC", "clang-19"), "-O1", "-c", "hidden.c", "-o", "hidden.o")
        fallen = 0
        for name, parts in PROGRAMS.items():
            with self.subTest(name):
                self.write("program.c", PROGRAM % parts)
                self.plait("cc", "program.c", "hidden.o", "-o", "program")
                every, reference = self.outputs("program", "--explore", "exhaustive")
                self.assertGreater(len(every), 1)
                found, answer = self.outputs("program")
                self.assertEqual(found, every)
                self.assertEqual(self.outputs("program", "--explore", "dpor")[0], every)
                self.assertEqual(self.outputs("program", "--explore", "mcr")[0], every)
                cost = [one["cost"] for one in answer["opaque"]]
                if "every order of what conflicts was run" in cost:
                    fallen += 1
                    self.assertLess(answer["executions"], reference["executions"])
        self.assertGreaterEqual(fallen, 3)


if __name__ == "__main__":
    tool.main()
