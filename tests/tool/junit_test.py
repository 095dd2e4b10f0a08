"""JUnit XML against its schema: bugs, safe and inconclusive checks, and texts that XML does not like."""
import os

import tool
from tool import ToolTest

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "junit.xsd")

LOST = """#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>
std::atomic<int> n;
int main() {
  std::thread t([] { n.store(n.load() + 1); });
  n.store(n.load() + 1);
  t.join();
  std::puts("<&>\\x01\\"' ]]>");
  assert(n == 2 && "a < b & c > \\"d\\"");
}
"""


class JUnitSchema(ToolTest):
    def validate(self, text):
        self.write("result.xml", text)
        self.run_command("xmllint", "--noout", "--nonet", "--schema", SCHEMA, "result.xml")

    def test_a_bug(self):
        self.write("lost.cc", LOST)
        text = self.plait("check", "--format", "junit", "lost.cc", expect=10).stdout
        self.validate(text)
        self.assertIn('failures="1"', text)
        self.assertIn("is interrupted here", text)

    def test_safe_and_inconclusive(self):
        self.write("safe.c", "int main(void) { return 0; }\n")
        self.validate(self.plait("check", "--format", "junit", "safe.c").stdout)
        self.write("lost2.cc", LOST)
        text = self.plait("check", "--format", "junit", "--max-executions", "1", "lost2.cc", expect=5).stdout
        self.validate(text)
        self.assertIn("--max-executions", text)

    def test_the_schema_refuses_what_is_wrong(self):
        self.write("wrong.xml", '<testsuites name="a" tests="1" failures="none" errors="0"/>\n')
        self.run_command("xmllint", "--noout", "--nonet", "--schema", SCHEMA, "wrong.xml", expect=3)


if __name__ == "__main__":
    tool.main()
