"""What is made from the options table: help, manual pages, shell completion; and plait doctor."""
import re

import tool
from tool import PLAIT, ToolTest

COMMANDS = ("check", "tests", "replay", "show", "deps", "doctor", "completion", "man")


class Manual(ToolTest):
    def options(self, command):
        return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", self.plait(command, "--help").stdout.split("\nExamples")[0]))

    def test_help_fits_a_terminal_and_has_groups(self):
        text = self.plait("check", "--help").stdout
        for group in ("What to explore:", "Limits:", "The program:", "Output:", "Project file:"):
            self.assertIn("\n" + group, text)
        self.assertLessEqual(max(map(len, text.split("\n"))), 112)
        self.assertEqual(text.count("--help "), 1)

    def test_manual_pages_have_every_option(self):
        for command in COMMANDS:
            page = self.plait("man", command).stdout
            self.write("page.1", page)
            ran = self.run_command("groff", "-man", "-ww", "-Tutf8", "-P-c", "page.1")
            self.assertEqual(ran.stderr, "")
            plain = re.sub(r".\x08", "", ran.stdout)
            for option in self.options(command):
                self.assertIn(option, plain, command)
        overview = self.run_command("sh", "-c", f"'{PLAIT}' man | groff -man -Tutf8 -P-c").stdout
        self.assertIn("plait-check(1)", re.sub(r".\x08", "", overview))
        self.assertIn("no command 'nonsense'", self.plait("man", "nonsense", expect=2).stderr)

    def complete_bash(self, *words):
        script = (f"source <('{PLAIT}' completion bash)\n"
                  f"COMP_WORDS=({' '.join(repr(w) for w in words)})\nCOMP_CWORD={len(words) - 1}\n_plait\n"
                  'printf "%s\\n" "${COMPREPLY[@]}"\n')
        return self.run_command("bash", "-c", script).stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete_bash("plait", "re"), ["replay"])
        self.assertEqual(self.complete_bash("plait", "check", "--explore", "exh"), ["exhaustive"])
        self.assertEqual(self.complete_bash("plait", "check", "--max-e"), ["--max-executions", "--max-events"])
        self.assertEqual(self.complete_bash("plait", "show", "-f", ""), ["text", "html", "json"])
        self.assertEqual(self.complete_bash("plait", "completion", "z"), ["zsh"])
        self.write("a file.cc", "")
        self.write("bug-1.json", "")
        self.assertEqual(self.complete_bash("plait", "replay", "bug"), ["bug-1.json"])
        self.assertTrue(self.options("check") <= set(self.complete_bash("plait", "check", "--")))

    def test_fish(self):
        self.write("plait.fish", self.plait("completion", "fish").stdout)

        def complete(line):
            ran = self.run_command("fish", "--no-config", "-c", f"source plait.fish; complete -C '{line}'",
                                   env={"HOME": self.directory})
            self.assertEqual(ran.stderr, "")
            return [answer.split("\t")[0] for answer in ran.stdout.split("\n") if answer]

        self.assertEqual(complete("plait re"), ["replay"])
        self.assertEqual(complete("plait check --explore exh"), ["exhaustive"])
        self.assertTrue(self.options("check") <= set(complete("plait check --")))

    def test_zsh(self):
        self.write("functions/_plait", self.plait("completion", "zsh").stdout)
        self.run_command("zsh", "-n", "functions/_plait")
        # The completion system itself, in a terminal of its own.
        self.write("drive.zsh", """
zmodload zsh/zpty
zpty z zsh -f -i
expect() {
  local line text=''
  while zpty -r -t z line || { sleep 0.1; (( ++tries < 80 )) }; do text+=$line; [[ $text == *$1* ]] && return 0; done
  print -r -- "no $1 in: $text"
  return 1
}
typeset -i tries=0
zpty -w z "PS1='ready> '; fpath=($PWD/functions \\$fpath); autoload -Uz compinit; compinit -u -D; print com''pinit-done"
expect compinit-done || exit 1
zpty -w -n z $'plait check --explore exha\\t'
expect exhaustive || exit 1
zpty -w -n z $'\\C-uplait doc\\t'
expect doctor || exit 1
zpty -d z
""")
        self.run_command("zsh", "-f", "drive.zsh", env={"TERM": "dumb"})

    def test_doctor(self):
        text = self.plait("doctor").stdout
        self.assertIn("everything that is needed is here", text)
        self.assertIn("its bug was found", text)
        ran = self.plait("doctor", expect=2, env={"PLAIT_CLANG": "/nonexistent/clang"})
        self.assertIn("apt-get install clang-19", ran.stdout)
        self.assertIn("1 problem", ran.stdout)


if __name__ == "__main__":
    tool.main()
