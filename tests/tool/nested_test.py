"""plait::check inside a program."""
import os

import tool
from tool import SOURCE, ToolTest

PROGRAM = """
#include <plait_check.h>
#include <atomic>
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>
int main(int argc, char** argv) {
  int balance = argc;
  std::mutex mutex;
  plait::check_result good = plait::check([&] {
    std::thread other([&] { std::lock_guard lock(mutex); balance += 1; });
    { std::lock_guard lock(mutex); balance += 2; }
    other.join();
    assert(balance == argc + 3);
  });
  std::printf("good %d %d %d\\n", good.outcome == plait::verdict::safe, good.complete, good.executions >= 2);
  try {
    plait::check([&] {
      std::atomic<int> x{0};
      std::thread other([&] { x.store(x.load() + 1); });
      x.store(x.load() + 1);
      other.join();
      assert(x == 2);
    });
  } catch (const plait::check_failed& failed) {
    std::printf("bug %d %s\\n%s", failed.result.outcome == plait::verdict::bug, failed.result.bug_file.c_str(), failed.what());
  }
  plait::check_options options;
  options.throws = false;
  options.output_dir = "limited";
  options.more = {"--max-executions", "1"};
  plait::check_result limited = plait::check([&] {
    std::atomic<int> x{0};
    std::thread other([&] { x.store(x.load() + 1); });
    x.store(x.load() + 1);
    other.join();
  }, options);
  std::printf("limited %d %d\\n", limited.outcome == plait::verdict::inconclusive, limited.complete);
  std::printf("balance %d\\n", balance);
}
"""


class NestedCheck(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls().write("api.cc", PROGRAM)
        cls().plait("c++", "-std=c++17", "api.cc", "-o", "api")

    def test_verdicts(self):
        out = self.run_command("./api", "an argument").stdout
        self.assertIn("good 1 1 1\n", out)
        self.assertIn("bug 1 plait-out/bug-1.json\n", out)
        self.assertIn("assertion failed at api.cc:", out)
        self.assertIn("limited 1 0\n", out)
        self.assertIn("balance 2\n", out, "the closures ran elsewhere")
        ran = self.plait("replay", "plait-out/bug-1.json", expect=10)
        self.assertIn("x == 2", ran.stdout)

    def test_without_the_command(self):
        ran = self.run_command("./api", expect=134, env={"PLAIT_COMMAND": "/nonexistent/plait"})
        self.assertIn("cannot run the command 'plait'", ran.stderr)

    def test_without_the_wrapper_the_closure_runs_once(self):
        self.run_command("clang++-19", "-std=c++17", "-I" + os.path.join(SOURCE, "include"), "api.cc", "-o", "plain",
                         "-pthread")
        out = self.run_command("./plain").stdout
        self.assertIn("good 0 0 0\n", out)
        self.assertIn("balance 4\n", out)

    def test_inside_a_check_of_the_whole_program(self):
        self.write("whole.cc", """
#include <plait_check.h>
#include <thread>
int x;
int main() {
  plait::check([] { std::thread t([] { x = 1; }); x = 2; t.join(); });
}
""")
        self.assertIn("data race", self.plait("check", "-o", "whole", "whole.cc", expect=10).stdout)


if __name__ == "__main__":
    tool.main()
