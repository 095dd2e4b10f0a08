"""What keeps results from being predicted is named: place and variable, not numbers."""
import json

import tool
from tool import ToolTest

UNSEEN = """#include <pthread.h>
#include <time.h>
#include <wchar.h>
static wchar_t stamp[32];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void note(int year) {
  const struct tm day = {.tm_year = year, .tm_mday = 1};
  pthread_mutex_lock(&mutex);
  wcsftime(stamp, 32, L"%Y", &day);
  pthread_mutex_unlock(&mutex);
}
static void* other(void* unused) {
  note(101);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  note(102);
  pthread_join(thread, 0);
  return 0;
}
"""


class Opaque(ToolTest):
    def test_place_and_variable(self):
        self.write("notes.c", UNSEEN)
        ran = self.plait("check", "--races", "off", "--format", "json", "notes.c")
        [opaque] = [one for one in json.loads(ran.stdout)["opaque"] if one["cost"].startswith("every order of what conflicts")]
        self.assertIn("notes.c:9 (note", opaque["why"])
        self.assertIn("stamp", opaque["why"])
        self.assertNotIn("0x", opaque["why"])
        self.assertIn(opaque["why"], ran.stderr)

    def test_nothing(self):
        self.write("plain.c", "int main(void) { return 0; }\n")
        self.assertEqual(json.loads(self.plait("check", "--format", "json", "plain.c").stdout)["opaque"], [])


if __name__ == "__main__":
    tool.main()
