"""What keeps results from being predicted is named: place and variable, not numbers."""
import json

import tool
from tool import ToolTest

SHARED_STREAM = """#include <mutex>
#include <sstream>
#include <thread>
std::stringstream journal;
std::mutex mutex;
void note(int value) {
  std::lock_guard guard(mutex);
  journal << value;
}
int main() {
  std::thread a(note, 1);
  note(2);
  a.join();
}
"""


class Opaque(ToolTest):
    def test_place_and_variable(self):
        self.write("notes.cc", SHARED_STREAM)
        ran = self.plait("check", "--races", "off", "--format", "json", "notes.cc")
        [opaque] = [one for one in json.loads(ran.stdout)["opaque"] if one["cost"].startswith("every interleaving")]
        self.assertIn("notes.cc:8 (note", opaque["why"])
        self.assertIn("journal", opaque["why"])
        self.assertNotIn("0x", opaque["why"])
        self.assertIn(opaque["why"], ran.stderr)

    def test_nothing(self):
        self.write("plain.c", "int main(void) { return 0; }\n")
        self.assertEqual(json.loads(self.plait("check", "--format", "json", "plain.c").stdout)["opaque"], [])


if __name__ == "__main__":
    tool.main()
