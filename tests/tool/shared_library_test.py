"""Shared libraries: one that is compiled with the wrapper is a part of the program; one that is not is named."""
import json

import tool
from tool import ToolTest

LIBRARY = """
#include <map>
#include <mutex>
#include <string>
#include "registry.h"
namespace {
std::map<std::string, int> names;
std::mutex mutex;
int hits = 0, unlocked = 0;
int table[4] = {1, 2, 3, 4};
thread_local int mine = 5;
thread_local std::string last;
}
int first_of() {
  static int once = ++hits;
  return once;
}
int add(const std::string& name) {
#ifdef RACE
  ++unlocked;  // @race
#endif
  std::lock_guard<std::mutex> lock(mutex);
  last = name;
  ++mine;
  return ++names[name];
}
int own() { return mine + static_cast<int>(last.size()); }
int count() {
  std::lock_guard<std::mutex> lock(mutex);
  return static_cast<int>(names.size());
}
int entry(int i) { return table[i]; }
"""
HEADER = """
#pragma once
#include <string>
int first_of();
int add(const std::string& name);
int own();
int count();
int entry(int i);
"""
MAIN = """
#include <cassert>
#include <thread>
#include "registry.h"
int main(int argc, char**) {
  int seen = 0;
  std::thread other([&] {
    assert(own() == 5);
    assert(add("a") == 1);
    assert(own() == 7);
    seen = count();
    assert(first_of() == 1);
  });
  assert(add("b") == 1);
  assert(own() == 7);
  assert(first_of() == 1);
  other.join();
  assert(count() == 2 && (seen == 1 || seen == 2));
#ifdef WRONG
  assert(seen == 1);
#endif
#ifdef OUTSIDE
  assert(entry(argc + 3) != 7);
#endif
}
"""
USES = """
#include <assert.h>
#include <pthread.h>
int twice(int);
void* work(void* x) {
  *(int*)x = twice(*(int*)x);
  return 0;
}
int main(void) {
  int a = 1, b = 2;
  pthread_t thread;
  pthread_create(&thread, 0, work, &a);
  work(&b);
  pthread_join(thread, 0);
  assert(a == 2 && b == 4);
}
"""
COUNTER = """
struct Counter { virtual void add() = 0; };
Counter* make();
"""
PREBUILT = COUNTER + """
struct Plain : Counter { int count = 0; void add() override { ++count; } };
Counter* make() { return new Plain; }
"""
VIRTUAL = COUNTER + """
#include <thread>
int main() {
  Counter* counter = make();
  std::thread other([&] { counter->add(); });
  counter->add();
  other.join();
}
"""


class SharedLibrary(ToolTest):
    def check(self, *flags, compiler=(tool.PLAIT, "c++"), expect=0, options=()):
        for name, text in (("library.cc", LIBRARY), ("registry.h", HEADER), ("main.cc", MAIN)):
            self.write(name, text)
        self.run_command(*compiler, "-g", "-shared", "-fPIC", "-std=c++17", *flags, "library.cc", "-o", "libregistry.so")
        self.plait("c++", "-std=c++17", *flags, "main.cc", "-L.", "-lregistry", "-Wl,-rpath," + self.directory, "-o",
                   "program")
        ran = self.plait("check", "--format", "json", *options, "program", expect=expect)
        return json.loads(ran.stdout), ran.stderr

    def test_is_a_part_of_the_program(self):
        answer, said = self.check()
        self.assertEqual((answer["verdict"], answer["limits"], answer["opaque"]), ("safe", [], []), said)

    def test_all_schedules(self):
        answer, _ = self.check("-DWRONG", expect=10)
        self.assertEqual([bug["kind"] for bug in answer["bugs"]], ["assertion"])

    def test_race_in_it(self):
        answer, _ = self.check("-DRACE", expect=10)
        self.assertEqual([bug["kind"] for bug in answer["bugs"]], ["race"])
        line = 1 + LIBRARY.splitlines().index(next(text for text in LIBRARY.splitlines() if "@race" in text))
        self.assertEqual((answer["bugs"][0]["file"], answer["bugs"][0]["line"]), ("library.cc", line))
        self.plait("replay", "plait-out/bug-1.json", expect=10)

    def test_red_zones_of_its_variables(self):
        answer, _ = self.check("-DOUTSIDE", expect=10)
        self.assertEqual([bug["kind"] for bug in answer["bugs"]], ["out-of-bounds"])
        self.assertIn("table", answer["bugs"][0]["message"])

    def test_not_compiled_with_the_wrapper(self):
        answer, _ = self.check(compiler=("clang++-19",), expect=5)
        said = [limit for limit in answer["limits"] if limit.startswith("library: ")]
        self.assertEqual(len(said), 1, answer["limits"])
        self.assertIn("libregistry.so was not compiled with the wrapper", said[0])
        self.assertIn("(called at main.cc:", said[0])
        self.assertRegex(said[0], r"add\(|own\(|count\(|first_of\(")
        self.assertIn("--trust-libraries", said[0])

    def test_virtual_function(self):
        self.write("plain.cc", PREBUILT)
        self.run_command("clang++-19", "-shared", "-fPIC", "plain.cc", "-o", "libplain.so")
        self.write("virtual.cc", VIRTUAL)
        self.plait("c++", "virtual.cc", "-L.", "-lplain", "-Wl,-rpath," + self.directory, "-o", "virtual")
        said = self.plait("check", "virtual", expect=5).stdout
        self.assertIn("a call through a pointer (called at virtual.cc:", said)

    def test_trusted(self):
        self.write("pure.c", "int twice(int x) { return 2 * x; }\n")
        self.run_command("clang-19", "-shared", "-fPIC", "pure.c", "-o", "libpure.so")
        self.write("uses.c", USES)
        self.plait("cc", "uses.c", "-L.", "-lpure", "-Wl,-rpath," + self.directory, "-o", "uses")
        said = self.plait("check", "uses", expect=5).stdout
        self.assertIn("libpure.so was not compiled with the wrapper", said)
        self.assertIn("twice (called at uses.c:", said)
        self.plait("check", "--trust-libraries", "uses")


if __name__ == "__main__":
    tool.main()
