"""Many programs, and the tests of GoogleTest programs: each is a task, and all have one summary."""
import xml.etree.ElementTree

from fleet import FleetTest, main

# Does as a GoogleTest program does: its tests are named, and chosen by a filter.
PROGRAM = r"""
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static int shared, guarded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* races(void* unused) { ++shared; return unused; }
static void* locks(void* unused) {
  pthread_mutex_lock(&lock);
  ++guarded;
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(int count, char** words) {
  int wrong = 0;
  for (int i = 1; i < count; ++i) {
    if (strcmp(words[i], "--gtest_list_tests") == 0) { puts("Suite.\n  Good\n  Racy\n  Other"); return 0; }
    if (strcmp(words[i], "--gtest_filter=Suite.Racy") == 0) wrong = 1;
  }
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, wrong ? races : locks, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(guarded == (wrong ? 0 : 2));
}
"""


class Fleet(FleetTest):
    def setUp(self):
        super().setUp()
        self.write("suite.c", PROGRAM)
        for name in ("first", "second"):
            self.plait("cc", "-g", "-pthread", "suite.c", "-o", name)

    def test_tests_of_one_program(self):
        self.workers(2)
        there = self.check("--gtest", "./first")
        here = self.alone("--gtest", "./first")
        self.assertEqual([test["name"] for test in there["tests"]], ["Suite.Good", "Suite.Racy", "Suite.Other"])
        self.assertEqual([self.answer(test) for test in there["tests"]], [self.answer(test) for test in here["tests"]])
        self.assertEqual(self.answer(there), self.answer(here))
        self.assertEqual((there["cluster"]["submitted"], there["cluster"]["finished"]), (3, 3))
        # What a worker has found is replayed here.
        self.plait("replay", "-q", there["bugs"][0]["schedule"], expect=10)

    def test_several_programs_have_one_summary(self):
        self.workers(2)
        self.compile("bench/programs/classic/counter.c", "third", "-DN=2", "-DT=2", "-DK=2")
        for more, tests in (((), 3), (("--gtest",), 6)):
            programs = ("./first", "./second", *(() if more else ("./third",)))
            result = self.check(*more, *programs)
            self.assertEqual((len(result["tests"]), result["cluster"]["finished"]), (tests, tests))
            self.assertEqual(result["verdict"], "bug" if more else "safe")
        ran = self.plait("check", "--cluster", self.redis.url, "--gtest", "--format", "junit", "./first", "./second", expect=10)
        suites = xml.etree.ElementTree.fromstring(ran.stdout)
        self.assertEqual(len(suites.findall(".//testcase")), 6)
        self.assertEqual(len(suites.findall(".//failure")), 2)


if __name__ == "__main__":
    main()
