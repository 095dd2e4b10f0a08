"""The answers of explorers that share their runs do not depend on how many workers there are."""
import json
import os

import tool
from tool import ToolTest

LOST_UPDATES = """
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static volatile int x, y;
static void *run(void *unused) { x++; y++; x++; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x < 4) assert(y == 2);
  assert(x == 4);
  return 0;
}
"""


class Jobs(ToolTest):
    def answers(self, program, *options, expect):
        result = []
        for jobs in ("1", "3"):
            out = self.plait("check", "--races", "off", "--keep-going", "--format", "json", "-j", jobs,
                             "-o", "out" + jobs, *options, program, expect=expect).stdout
            result.append(json.loads(out))
        return result

    def assert_same_bugs(self, one, three):
        self.assertTrue(one["bugs"])
        self.assertEqual(*([(bug["kind"], bug["line"], bug["message"]) for bug in answer["bugs"]]
                           for answer in (one, three)))

    def test_context_bounding(self):
        source = os.path.join(tool.SOURCE, "bench/programs/papers/airline.c")
        self.plait("cc", "-DFIXED", "-DN=5", source, "-o", "airline")
        one, three = self.answers("./airline", "--explore", "icb", expect=0)
        self.assertGreater(one["interleavings"], 10000, "too few to be shared")
        for field in ("verdict", "complete", "interleavings"):
            self.assertEqual(one[field], three[field], field)

    def test_bugs(self):
        self.write("lost.c", LOST_UPDATES)
        self.plait("cc", "lost.c", "-o", "lost")
        for explorer in ("icb", "pct", "random"):
            with self.subTest(explorer=explorer):
                one, three = self.answers("./lost", "--explore", explorer, "--max-executions", "60000", expect=10)
                self.assert_same_bugs(one, three)
                self.assertEqual(one["executions"], three["executions"])


if __name__ == "__main__":
    tool.main()
