"""The sources are formatted: clang-format 19 and .clang-format."""
import os
import shutil
import subprocess
import sys
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))
FORMAT = "clang-format-19"
# Programs that are tested: their lines are expectations.
PROGRAMS = ("tests/programs", "tests/libcalls", "tests/libraries", "tests/litmus", "tests/bounds", "examples",
            "bench/programs", "tests/sweep/interp.c", "tests/oracles", "tests/runtime/programs", "tests/memory_models")


def sources():
    for top in ("src", "include", "tests", "bench"):
        for directory, _, files in os.walk(os.path.join(ROOT, top)):
            for name in sorted(files):
                path = os.path.relpath(os.path.join(directory, name), ROOT)
                if name.endswith((".cc", ".h", ".c")) and not path.startswith(PROGRAMS):
                    yield path


class Format(unittest.TestCase):
    def test_all_sources(self):
        self.assertTrue(shutil.which(FORMAT), f"{FORMAT} is missing")
        paths = list(sources())
        self.assertGreater(len(paths), 300)
        ran = subprocess.run([FORMAT, "--dry-run", "-Werror", *paths], cwd=ROOT, capture_output=True, text=True, check=False)
        wrong = sorted({line.split(":")[0] for line in ran.stderr.splitlines() if "[-Wclang-format-violations]" in line})
        self.assertEqual(wrong, [], f"{FORMAT} -i would change these")
        self.assertEqual(ran.returncode, 0, ran.stderr)


if __name__ == "__main__":
    unittest.main()
