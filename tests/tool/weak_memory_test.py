"""Bugs that need store buffers: how they are told, minimised, replayed, stepped through in gdb."""
import json
import re

import tool
from tool import ToolTest

# Each thread writes, then reads; the loop before it only makes the found schedules longer.
STORE_BUFFERING = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, noise;
static int a, b;
static void* left(void* none) {
  for (int i = 1; i <= 3; ++i) atomic_store_explicit(&noise, i, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return none;
}
static void* right(void* none) {
  atomic_load_explicit(&noise, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return none;
}
int main(void) {
  pthread_t l, r;
  pthread_create(&l, 0, left, 0);
  pthread_create(&r, 0, right, 0);
  pthread_join(l, 0);
  pthread_join(r, 0);
  assert(a == 1 || b == 1);
}
"""

# A lost update: no store has to wait for it.
LOST_UPDATE = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int total;
static void* add(void* none) {
  int seen = atomic_load_explicit(&total, memory_order_relaxed);
  atomic_store_explicit(&total, seen + 1, memory_order_relaxed);
  return none;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  assert(atomic_load(&total) == 2);
}
"""


class WeakMemory(ToolTest):
    def setUp(self):
        self.write("sb.c", STORE_BUFFERING)
        self.write("lost.c", LOST_UPDATE)

    def check(self, source, model, *options):
        told = self.plait("check", "--memory-model", model, *options, source, expect=10).stdout
        return told, json.loads(self.read("plait-out/bug-1.json"))

    def delayed(self, bug):
        """The stores that the story tells to wait."""
        return [row for row in bug["story"] if row["text"].endswith("(in its buffer)")]

    def test_one_store_waits(self):
        for model in ("tso", "pso"):
            # Random schedules delay whatever they can: the minimiser has something to do.
            for options in ((), ("--explore", "random", "--seed", "3")):
                told, bug = self.check("sb.c", model, *options)
                self.assertEqual(len(self.delayed(bug)), 1, told)
                self.assertRegex(told, rf"under {model}: T\d's store to (x|y) \(sb.c:\d+\) was still in its buffer when T\d read \1 ")
                self.assertNotRegex(told, r"T3\d")
                self.plait("replay", "plait-out/bug-1.json", expect=10)

    def test_the_minimiser_is_needed(self):
        """Without it more stores wait: the test above can fail."""
        most = max(len(self.delayed(self.check("sb.c", "tso", "--explore", "random", "--seed", str(seed), "--no-minimise")[1]))
                   for seed in range(1, 6))
        self.assertGreater(most, 1)

    def test_bugs_that_need_no_buffers_say_so(self):
        for model in ("tso", "pso"):
            told, bug = self.check("lost.c", model)
            self.assertIn(f"under {model}: no store was delayed, this can happen under sc, too", told)
            self.assertEqual(self.delayed(bug), [])
            self.assertEqual(bug["reordering"], [])
        self.check("lost.c", "sc")

    def test_bug_file(self):
        _, bug = self.check("sb.c", "tso")
        events = bug["events"]
        flushes = [event for event in events if event["op"] == "flush"]
        self.assertTrue(flushes)
        for flush in flushes:
            store = events[flush["flush"]]
            self.assertTrue(store["buffered"])
            self.assertEqual((store["thread"], store["position"], store["line"]), (flush["owner"], flush["position"], flush["line"]))
        for fact in bug["reordering"]:
            store, other = (events[i] for i in fact["events"])
            self.assertTrue(store["buffered"])
            self.assertNotEqual(other["thread"], store["thread"])
        again = self.plait("show", "-f", "json", "plait-out/bug-1.json").stdout
        self.assertEqual(json.loads(again), bug)

    def test_other_formats(self):
        for form in ("sarif", "junit"):
            told = self.plait("check", "--memory-model", "tso", "--format", form, "sb.c", expect=10).stdout
            self.assertIn("was still in its buffer when", told)
        told = self.plait("check", "-q", "--memory-model", "tso", "sb.c", expect=10, env={"GITHUB_ACTIONS": "true"}).stderr
        self.assertRegex(told, r"::error .*was still in its buffer when")

    def test_replay_of_another_program_names_the_buffer(self):
        _, bug = self.check("sb.c", "tso")
        buffers = [entry for entry in bug["schedule"] if entry["thread"] >= 32]
        self.assertTrue(buffers)
        buffers[0]["position"] += 100
        self.write("wrong.json", json.dumps(bug))
        told = self.plait("replay", "wrong.json", expect=5).stderr
        self.assertRegex(told, r"T\d's buffer should write the store of operation \d+ to memory, but it does not hold that store")
        self.assertNotRegex(told, r"T3\d")

    def test_gdb_steps_over_flushes(self):
        _, bug = self.check("sb.c", "tso")
        flush = next(i for i, event in enumerate(bug["events"]) if event["op"] == "flush" and "x = 1" in event["description"])
        self.write("commands", f"plait-start\nplait-goto {flush}\nplait-threads\nplait-next\nplait-next 100\nkill\nquit\n")
        with open(self.path("commands")) as text:
            out = self.plait("replay", "plait-out/bug-1.json", "--gdb", stdin=text).stdout
        self.assertRegex(out, rf"event {flush + 1} of \d+: T\d's buffer: x = 1 reaches memory \(written at line 8\)\n")
        self.assertRegex(out, r"T\d +.* in its buffer\n")
        self.assertGreaterEqual(len(re.findall("main fails: assertion failed", out)), 2)


if __name__ == "__main__":
    tool.main()
