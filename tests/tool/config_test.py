"""plait.toml: defaults for the options of plait check."""
import json
import os

import tool
from tool import ToolTest

PROGRAM = """#include <assert.h>
#include <pthread.h>
int x;
void* work(void* a) { x = x + AMOUNT; return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  assert(x != 2 * AMOUNT);
}
"""


class ProjectFile(ToolTest):
    def setUp(self):
        self.write("p.c", PROGRAM)

    def check(self, *words, expect=10, cwd=None):
        return self.plait("check", *words, expect=expect, cwd=cwd)

    def error(self, toml):
        self.write("plait.toml", toml)
        ran = self.check("p.c", expect=2)
        self.assertEqual(ran.stderr.count("\n"), 1, ran.stderr)
        return ran.stderr

    def test_gives_defaults_and_the_command_line_wins(self):
        self.write("plait.toml", '[check]\ncflags = ["-DAMOUNT=3", "-DTEXT=\\"two words\\""]\nformat = "json"\n'
                                 'races = "off"\nexplore = "exhaustive"\nkeep-going = true\njobs = 1\noutput-dir = "here"\n')
        answer = json.loads(self.check("p.c").stdout)
        self.assertEqual(answer["explore"], "exhaustive")
        self.assertTrue(answer["complete"], "keep-going")
        self.assertEqual(answer["bugs"][0]["schedule"], "here/bug-1.json")
        answer = json.loads(self.check("--explore", "cumulative", "p.c").stdout)
        self.assertEqual(answer["explore"], "cumulative")
        self.assertIn("bug 1:", self.check("--format=text", "-j2", "p.c").stdout)

    def test_is_found_above_and_can_be_named_or_left_out(self):
        self.write("plait.toml", '[check]\ncflags = "-DAMOUNT=1"\nformat = "json"\nraces = false\n')
        self.write("deep/er/p.c", PROGRAM)
        json.loads(self.check("p.c", cwd=self.path("deep/er")).stdout)
        self.write("other.toml", '[check]\nquiet = true\nraces = "off"\n')
        ran = self.check("--config", "other.toml", "--cflags", "-DAMOUNT=1", "p.c")
        self.assertNotIn("explored:", ran.stdout)
        ran = self.check("--no-config", "--races", "off", "--cflags", "-DAMOUNT=1", "p.c")
        self.assertIn("explored:", ran.stdout)
        self.assertIn("none.toml", self.check("--config", "none.toml", "p.c", expect=2).stderr)

    def test_lists_of_kinds(self):
        self.write("plait.toml", '[check]\ncheck = ["deadlock", "race"]\nignore = ["race"]\ncflags = "-DAMOUNT=1"\nformat = "json"\n')
        self.assertEqual(json.loads(self.check("p.c", expect=0).stdout)["checked"], ["deadlock"])
        self.assertIn("assertion", json.loads(self.check("--check", "standard", "p.c").stdout)["checked"])

    def test_mistakes_are_named_with_their_line(self):
        self.assertIn("plait.toml:2: 'timout' is no option of plait check", self.error("[check]\ntimout = 3\n"))
        self.assertIn("plait.toml:3: keep-going is true or false", self.error("[check]\n\nkeep-going = 1\n"))
        self.assertIn("plait.toml:1: 'timeout' is not known: options stand in the table [check]", self.error("timeout = 3\n"))
        self.assertIn("plait.toml:2:", self.error("[check]\ntimeout = = 3\n"))
        self.assertIn("check is a list of strings", self.error("[check]\ncheck = [1]\n"))
        self.assertIn("'rac' is no kind of bug", self.error('[check]\nignore = ["rac"]\n'))
        self.assertIn("plait.toml:2: timeout takes one SECONDS", self.error("[check]\ntimeout = [3]\n"))
        self.assertIn("--explore", self.error('[check]\nexplore = "sideways"\n'))

    def test_only_check_reads_it(self):
        self.write("plait.toml", "nonsense")
        self.plait("--version")
        self.plait("check", "--help")
        os.remove(self.path("plait.toml"))


if __name__ == "__main__":
    tool.main()
