"""What the tests of the tool share: one command, one directory per test class.

Usage of each test: NAME_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import os
import shutil
import subprocess
import sys
import unittest

PLAIT, SOURCE, WORK = (os.path.abspath(a) for a in sys.argv[1:4])


class ToolTest(unittest.TestCase):
    """Each class has an empty directory of its own."""

    @classmethod
    def setUpClass(cls):
        cls.directory = os.path.join(WORK, cls.__name__)
        shutil.rmtree(cls.directory, ignore_errors=True)
        os.makedirs(cls.directory)

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as out:
            out.write(text)

    def read(self, name):
        with open(self.path(name)) as text:
            return text.read()

    def run_command(self, *words, expect=0, cwd=None, env=None, stdin=subprocess.DEVNULL, **more):
        environment = {**os.environ, "PLAIT_COMMAND": PLAIT, **(env or {})}
        ran = subprocess.run(words, cwd=cwd or self.directory, env=environment, capture_output=True, text=True,
                             stdin=stdin, timeout=1200, **more)
        self.assertEqual(ran.returncode, expect, f"{words}\n{ran.stdout}\n{ran.stderr}")
        return ran

    def plait(self, *words, expect=0, **more):
        return self.run_command(PLAIT, *words, expect=expect, **more)


def main():
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
