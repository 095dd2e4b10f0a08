"""--compare sc: what a weaker memory model adds, and which stores would have to be stronger."""
import json

import tool
from tool import ToolTest

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a, b;
"""
TAIL = """
int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, first, 0);
  pthread_create(&t2, 0, second, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  CHECK;
}
"""
STORE_BUFFERING = """
static void* first(void* p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);  // store x
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return p;
}
static void* second(void* p) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);  // store y
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return p;
}
"""
MESSAGE_PASSING = """
static void* first(void* p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);  // store x
  atomic_store_explicit(&y, 1, memory_order_relaxed);  // store y
  return p;
}
static void* second(void* p) {
  a = atomic_load_explicit(&y, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return p;
}
"""


def line_of(source, comment):
    return next(number for number, line in enumerate(source.splitlines(), 1) if comment in line)


class Compare(ToolTest):
    def compare(self, model, body, check="", *options, expect=0):
        self.source = HEAD + f"#define CHECK {check}\n" + body + TAIL
        self.write("program.c", self.source)
        answer = self.plait("check", "--memory-model", model, "--compare", "sc", "--format", "json", *options, "program.c",
                            expect=expect)
        self.answer = json.loads(answer.stdout)
        return self.answer["comparison"]

    def remedy(self, comparison):
        return {(store["line"], store["order"]) for store in comparison["stronger_stores"]}

    def test_store_buffering_needs_both_fences(self):
        for model in ("tso", "pso"):
            found = self.compare(model, STORE_BUFFERING)
            self.assertTrue(found["complete"])
            self.assertFalse(found["robust"])
            self.assertEqual(found["classes"], 1)
            self.assertEqual(self.remedy(found), {(line_of(self.source, "store x"), "seq_cst"), (line_of(self.source, "store y"), "seq_cst")})
            self.assertEqual(self.answer["verdict"], "safe")

    def test_seen_in_the_combination_only(self):
        # Nobody reads a and b: each thread's history alone is one of SC.
        found = self.compare("tso", STORE_BUFFERING.replace("a = ", "(void)").replace("b = ", "(void)"))
        self.assertEqual((found["classes"], found["histories"]), (1, 0))

    def test_a_deadlock_is_the_same_under_both_models(self):
        # Who is noticed last to wait does not name it.
        found = self.compare("tso", """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void* first(void* p) {
  pthread_mutex_lock(&m);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_mutex_lock(&n);
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return p;
}
static void* second(void* p) {
  pthread_mutex_lock(&n);
  a = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return p;
}
""", "", "--keep-going", expect=10)
        self.assertTrue(found["complete"])
        self.assertEqual(found["failures"], [])
        self.assertTrue(found["robust"])

    def test_message_passing_is_robust_under_tso(self):
        found = self.compare("tso", MESSAGE_PASSING)
        self.assertTrue(found["robust"])
        self.assertEqual(found["stronger_stores"], [])

    def test_message_passing_needs_a_release_store_under_pso(self):
        found = self.compare("pso", MESSAGE_PASSING)
        self.assertFalse(found["robust"])
        self.assertEqual(self.remedy(found), {(line_of(self.source, "store y"), "release")})

    def test_stronger_orders_are_robust(self):
        self.assertTrue(self.compare("pso", STORE_BUFFERING.replace("relaxed", "seq_cst"))["robust"])
        self.assertTrue(self.compare("pso", MESSAGE_PASSING.replace("relaxed);  // store y", "release);"))["robust"])

    def test_failures_and_outputs(self):
        found = self.compare("tso", STORE_BUFFERING, "assert(a || b)", "--outcomes", expect=10)
        self.assertEqual([failure["kind"] for failure in found["failures"]], ["assertion"])
        self.assertEqual(found["failures"][0]["line"], line_of(self.source, "  CHECK;"))
        self.assertEqual(self.answer["verdict"], "bug")

    def test_loops_without_a_bound(self):
        spin = MESSAGE_PASSING.replace("a = atomic_load_explicit(&y, memory_order_relaxed);",
                                       "while (!atomic_load_explicit(&y, memory_order_relaxed)) {}")
        found = self.compare("pso", spin, "assert(b)", expect=10)
        self.assertTrue(found["complete"], found)
        self.assertFalse(found["classes_compared"])
        self.assertEqual(len(found["failures"]), 1)
        self.assertEqual(self.remedy(found), {(line_of(self.source, "store y"), "release")})

    def test_text(self):
        self.write("program.c", HEAD + "#define CHECK\n" + STORE_BUFFERING + TAIL)
        text = self.plait("check", "--memory-model", "tso", "--compare", "sc", "program.c").stdout
        self.assertIn("tso compared with sc: more can happen", text)
        self.assertIn("memory_order_seq_cst, or a seq_cst fence behind it", text)

    def test_bad_use(self):
        self.write("program.c", HEAD + "#define CHECK\n" + STORE_BUFFERING + TAIL)
        for words, says in ((("--compare", "sc"), "needs --memory-model tso or pso"),
                            (("--memory-model", "tso", "--compare", "pso"), "--compare"),
                            (("--memory-model", "tso", "--compare", "sc", "--explore", "dpor"), "belongs to --explore cumulative")):
            self.assertIn(says, self.plait("check", *words, "program.c", expect=2).stderr)


if __name__ == "__main__":
    tool.main()
