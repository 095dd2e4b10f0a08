"""The tutorials' programs work, and their commands print what they say.

Usage: tutorial_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import os
import re
import shutil
import subprocess
import sys
import unittest

PLAIT, ROOT, WORK = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))


def fits(expected, printed):
    """Lines as they are; '...' alone stands for any lines, and inside a line for any text."""
    pattern = ""
    for line in expected:
        pattern += r"(.*\n)*" if line.strip() == "..." else re.escape(line.rstrip()).replace(re.escape("..."), ".*") + r" *\n"
    return re.fullmatch(pattern, printed) is not None


class Tutorial(unittest.TestCase):
    def commands_of(self, page, expected_commands):
        work = os.path.join(WORK, page)
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        with open(os.path.join(ROOT, "docs", page + ".md"), encoding="utf-8") as file:
            text = file.read()
        program = re.search(r"`(\w+\.(?:cc|py))`:\n\n```\w+\n(.*?)```", text, re.DOTALL)
        with open(os.path.join(work, program[1]), "w", encoding="utf-8") as file:
            file.write(program[2])
        environment = {**os.environ, "PATH": os.path.dirname(PLAIT) + ":" + os.environ["PATH"], "NO_COLOR": "1",
                       "CPLUS_INCLUDE_PATH": os.path.join(ROOT, "include"), "PYTHONPATH": os.path.join(ROOT, "runtimes/python")}
        commands = 0
        for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, *expected = part.rstrip("\n").split("\n")
                if command.startswith("c++ "):
                    command = command.replace("c++ ", "clang++-19 ", 1)
                done = subprocess.run(command, shell=True, cwd=work, env=environment, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, text=True, timeout=3000)
                self.assertTrue(fits(expected, done.stdout), f"{command}\n{done.stdout}")
                commands += 1
        self.assertEqual(commands, expected_commands)

    def test_runtimes_in_cxx(self):
        self.commands_of("runtime-tutorial", 5)

    def test_runtimes_in_python(self):
        self.commands_of("runtime-tutorial-python", 4)

    def test_message_passing(self):
        self.commands_of("sim", 5)


if __name__ == "__main__":
    unittest.main()
