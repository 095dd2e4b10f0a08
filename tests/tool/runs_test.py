"""How many runs the default needs for a complete answer: at most these."""
import json
import os

import tool
from tool import ToolTest

BOUNDS = [("rvexample", "-DN=1", 31), ("rvexample", "-DN=4", 31), ("pingpong", "-DTHREADS=5", 8), ("counter", "-DMAX=5", 1793),
          ("dekker", "", 23), ("readers", "", 9)]

# Six threads; one of them fails where three others have come to different turns. A search in order needs millions of
# states to get there, chance needs few runs.
DEEP = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t locks[4];
static int data[4];
static atomic_int done[6];
static void* work(void* argument) {
  long me = (long)argument;
  for (int turn = 0; turn < 5; ++turn) {
    int place = (me + turn) % 4;
    pthread_mutex_lock(&locks[place]);
    data[place] += turn;
    pthread_mutex_unlock(&locks[place]);
    done[me]++;
    assert(!(done[(me + 1) % 6] == 2 && done[(me + 2) % 6] == 4 && done[(me + 3) % 6] == 3));
  }
  return 0;
}
int main(void) {
  pthread_t threads[6];
  for (int i = 0; i < 4; ++i) pthread_mutex_init(&locks[i], 0);
  for (long i = 0; i < 6; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 6; ++i) pthread_join(threads[i], 0);
}
"""


class Runs(ToolTest):
    def test_no_more_than_the_bound(self):
        for name, flags, most in BOUNDS:
            with self.subTest(program=name, flags=flags):
                source = os.path.join(tool.SOURCE, f"bench/programs/papers/{name}.c")
                answer = json.loads(self.plait("check", "--races", "off", "--format", "json", "--cflags", flags, source).stdout)
                self.assertTrue(answer["complete"])
                self.assertLessEqual(answer["executions"], most)

    def test_a_deep_bug_is_met_soon(self):
        self.write("deep.c", DEEP)
        answer = json.loads(self.plait("check", "--races", "off", "-j", "1", "--format", "json", "deep.c", expect=10).stdout)
        self.assertEqual([bug["kind"] for bug in answer["bugs"]], ["assertion"])
        self.assertLess(answer["states"], 300_000)


if __name__ == "__main__":
    tool.main()
