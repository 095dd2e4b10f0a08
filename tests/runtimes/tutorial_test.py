"""The tutorial's program compiles, and its commands print what it says.

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
    def test_all_of_it(self):
        shutil.rmtree(WORK, ignore_errors=True)
        os.makedirs(WORK)
        with open(os.path.join(ROOT, "docs/runtime-tutorial.md"), encoding="utf-8") as file:
            text = file.read()
        program = re.search(r"`(\w+\.cc)`:\n\n```cpp\n(.*?)```", text, re.DOTALL)
        with open(os.path.join(WORK, program[1]), "w", encoding="utf-8") as file:
            file.write(program[2])
        environment = {**os.environ, "PATH": os.path.dirname(PLAIT) + ":" + os.environ["PATH"], "NO_COLOR": "1",
                       "CPLUS_INCLUDE_PATH": os.path.join(ROOT, "include")}
        commands = 0
        for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, *expected = part.rstrip("\n").split("\n")
                if command.startswith("c++ "):
                    command = command.replace("c++ ", "clang++-19 ", 1)
                done = subprocess.run(command, shell=True, cwd=WORK, env=environment, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, text=True, timeout=3000)
                self.assertTrue(fits(expected, done.stdout), f"{command}\n{done.stdout}")
                commands += 1
        self.assertEqual(commands, 5)


if __name__ == "__main__":
    unittest.main()
