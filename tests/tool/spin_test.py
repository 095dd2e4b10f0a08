"""Loops that try a few times: random programs, outcomes as if every turn were followed (dpor does that)."""
import json
import random

import tool
from tool import ToolTest

HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int v[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int for_loop(int n) { for (int i = 0; i < n; ++i) if (atomic_load(&v[0])) return 1; return 0; }
static int down(int n) { while (--n >= 0) if (atomic_load(&v[1]) == 2) return 1; return 0; }
static int twice(int n) { int d = 1; do { if (atomic_load(&v[0]) == 2) return 1; for (int j = 0; j < d; ++j)
    __builtin_ia32_pause(); d *= 2; } while (d < n + 2); return 0; }
static int compared(int n) { int i; for (i = 0; i < n; ++i) if (atomic_load(&v[1])) break; return i == n; }
static int last(int n) { int a = 0; for (int i = 0; i < n; ++i) { a = atomic_load(&v[0]); if (a == 3) break; } return a; }
static int swap(int n) { for (int i = 0; i < n; ++i) { int one = 1; if (atomic_compare_exchange_strong(&v[0], &one, 3)) return 1; } return 0; }
static int set(int n) { for (int i = 0; i < n; ++i) if (!atomic_exchange(&v[1], 1)) return 1; return 0; }
static int both(int n) { for (int i = 0; i < n + 16; ++i) { if (atomic_load(&v[0]) == 1) return 1; if (atomic_load(&v[1]) == 1) return 2; } return 0; }
static int take(int n) { while (--n >= 0) { int s = atomic_load(&v[0]); if (s > 0 && atomic_compare_exchange_strong(&v[0], &s, s - 1)) return 1; } return 0; }
static int locks(int n) { for (int i = 0; i < n; ++i) if (!pthread_mutex_trylock(&mutex)) { pthread_mutex_unlock(&mutex); return 1; } return 0; }
static int seen[4];
"""
LOOPS = ["for_loop", "down", "twice", "compared", "last", "swap", "set", "both", "take", "locks"]
MAIN = """int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  first();
  pthread_join(thread, NULL);
  printf("%d%d%d%d %d%d", seen[0], seen[1], seen[2], seen[3], v[0], v[1]);
  return 0;
}
"""
PROGRAMS = 24


def program(seed):
    choose = random.Random(seed)

    def statement(slot):
        kind = choose.randrange(5)
        if kind == 0:
            return "pthread_mutex_lock(&mutex); atomic_store(&v[0], 1); pthread_mutex_unlock(&mutex);"
        if kind < 3:
            return f"atomic_store(&v[{choose.randrange(2)}], {choose.randrange(4)});"
        return f"seen[{slot}] = {choose.choice(LOOPS)}({choose.randrange(1, 4)});"

    first = [f"seen[0] = {LOOPS[seed % len(LOOPS)]}({1 + seed % 3});"] + [statement(1) for _ in range(choose.randrange(2))]
    other = [statement(2 + i) for i in range(2)] + [f"atomic_store(&v[{seed % 2}], {1 + seed % 3});"]
    return HEAD + f"static void first(void) {{ {' '.join(first)} }}\n" \
        f"static void* other(void* unused) {{ {' '.join(other)} return unused; }}\n" + MAIN


class Spin(ToolTest):
    def outcomes(self, *options):
        answer = json.loads(self.plait("check", "-q", "--races", "off", "--keep-going", "--outcomes", "--format", "json",
                                       *options, "./program").stdout)
        self.assertTrue(answer["complete"], answer)
        return sorted(one["stdout"] for one in answer["outcomes"])

    def test_as_if_every_turn_were_followed(self):
        for seed in range(PROGRAMS):
            with self.subTest(seed=seed):
                self.write("program.c", program(seed))
                self.plait("cc", "-Wno-unused-function", "program.c", "-o", "program")
                for model in ("sc", "tso"):
                    expected = self.outcomes("--explore", "dpor", "--memory-model", model)
                    self.assertEqual(self.outcomes("--memory-model", model), expected, model)


if __name__ == "__main__":
    tool.main()
