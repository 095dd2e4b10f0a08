"""find_package(Plait) and plait_add_check in a project of its own, against an installation in an empty prefix."""
import os
import re

import tool
from tool import ToolTest

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(client LANGUAGES C CXX)
set(CMAKE_CXX_STANDARD 20)
enable_testing()
find_package(Plait 0.1 REQUIRED)
plait_add_check(counter SOURCES counter.cc TIMEOUT 60)
plait_add_check(racy SOURCES racy.cc helper.c INCLUDE_DIRECTORIES inc COMPILE_OPTIONS -DAMOUNT=2 ARGS "two words" x EXPECT bug)
plait_add_check(wrong SOURCES racy.cc helper.c INCLUDE_DIRECTORIES inc COMPILE_OPTIONS -DAMOUNT=2 ARGS "two words" x)
plait_add_check(limited SOURCES counter.cc OPTIONS --explore exhaustive --max-executions 1)
plait_add_check(suite SOURCES suite.cc LINK_OPTIONS -lgtest -lgtest_main GTEST)
plait_add_check(failing SOURCES failing.cc LINK_OPTIONS -lgtest -lgtest_main GTEST OPTIONS --races off)
"""


class CMakePackage(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        build = os.path.dirname(os.path.dirname(os.path.dirname(tool.PLAIT)))
        self = cls()
        self.run_command("cmake", "--install", build, "--prefix", self.path("prefix"))
        self.write("CMakeLists.txt", PROJECT)
        self.write("counter.cc", """#include <mutex>
#include <thread>
#include <plait.h>
int n;
std::mutex m;
int main() {
  std::thread t([] { std::lock_guard l(m); ++n; });
  { std::lock_guard l(m); ++n; }
  t.join();
  plait_assert(n == 2);
}
""")
        self.write("inc/amount.h", "static const int kAmount = AMOUNT;\n")
        self.write("helper.c", '#include "amount.h"\nint amount(void) { return kAmount; }\n')
        self.write("racy.cc", """#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>
extern "C" int amount(void);
std::atomic<int> n;
int main(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], "two words")) return 0;
  std::thread t([] { n.store(n.load() + amount()); });
  n.store(n.load() + amount());
  t.join();
  assert(n == 4);
}
""")
        self.write("suite.cc", "#include <gtest/gtest.h>\nTEST(One, Passes) { EXPECT_EQ(1 + 1, 2); }\n")
        self.write("failing.cc", """#include <gtest/gtest.h>
#include <atomic>
#include <thread>
std::atomic<int> n;
TEST(Two, Fails) {
  std::thread t([] { n.store(n.load() + 1); });
  n.store(n.load() + 1);
  t.join();
  EXPECT_TRUE(n == 2 && "a < b; [c]");
}
""")
        self.run_command("cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + self.path("prefix"))
        self.run_command("cmake", "--build", "build")

    def ctest(self, name, expect=0):
        return self.run_command("ctest", "--test-dir", "build", "-R", f"^{name}$", "--output-on-failure", expect=expect).stdout

    def test_safe_and_expected_bug_pass(self):
        self.ctest("counter")
        self.ctest("racy")

    def test_an_unexpected_bug_fails_and_tells_its_story(self):
        out = self.ctest("wrong", expect=8)
        self.assertIn("assertion failed", out)
        self.assertIn("exit code 10", out)

    def test_inconclusive_is_not_safe(self):
        self.assertIn("exit code 5", self.ctest("limited", expect=8))

    def test_gtest_writes_junit(self):
        self.ctest("suite")
        self.assertIn('<testsuite name="One" tests="1" failures="0"', self.read("build/suite.junit.xml"))

    def test_a_failing_gtest_tells_its_story(self):
        out = self.ctest("failing", expect=8)
        self.assertIn("is interrupted here", out)
        self.assertIn("read n = 0", out)
        self.assertIn('EXPECT_TRUE(n == 2 && "a < b; [c]");', out)
        self.assertIn("exit code 10", out)

    def test_without_installing(self):
        self.write("tree/CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(p CXX)\nenable_testing()\n"
                                          "find_package(Plait 0.1 REQUIRED)\n"
                                          "plait_add_check(counter SOURCES ../counter.cc)\n")
        output = os.path.dirname(os.path.dirname(tool.PLAIT))
        self.run_command("cmake", "-S", "tree", "-B", "tree/b", "-DCMAKE_PREFIX_PATH=" + output)
        self.run_command("cmake", "--build", "tree/b")
        self.run_command("ctest", "--test-dir", "tree/b", "--output-on-failure")
        self.run_command(os.path.join(output, "bin/plait-c++"), "-std=c++20", "counter.cc", "-o", "counter")
        self.plait("check", "counter")

    def test_headers_are_dependencies(self):
        again = self.run_command("cmake", "--build", "build").stdout
        self.assertIn("no work to do", again)
        os.utime(self.path("inc/amount.h"))
        ran = self.run_command("cmake", "--build", "build").stdout
        self.assertRegex(ran, "Compiling helper.c for the check racy")

    def test_mistakes_are_named(self):
        for call, message in (("plait_add_check(x)", "give either SOURCES or TARGET"),
                              ("plait_add_check(x SOURCES a.c EXPECT maybe)", "EXPECT is safe or bug"),
                              ("plait_add_check(x SOURCES a.c GTEST yes)", "unknown arguments: yes")):
            name = re.sub(r"\W+", "-", call)
            self.write(f"{name}/CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(p C)\n"
                                                 "find_package(Plait REQUIRED)\n" + call + "\n")
            ran = self.run_command("cmake", "-S", name, "-B", name + "/b", "-DCMAKE_PREFIX_PATH=" + self.path("prefix"),
                                   expect=1)
            self.assertIn(message, ran.stderr)


if __name__ == "__main__":
    tool.main()
