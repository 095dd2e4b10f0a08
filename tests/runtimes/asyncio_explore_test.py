"""Python programs through the engine: all results are found, few runs are made in vain, the examples, plait check
script.py, and the pytest plugin.

Usage: asyncio_explore_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import json
import os
import subprocess
import sys
import textwrap
import unittest

import asyncio_test

PLAIT, ROOT, WORK = (os.path.abspath(word) for word in sys.argv[1:4])
EXAMPLES = os.path.join(ROOT, "runtimes/asyncio/examples")
MODULES = os.path.normpath(os.path.join(os.path.dirname(PLAIT), "../lib/plait/python"))
# What goes wrong, and the number of orders of the form that never fails.
FOUND = {"lost_update": ("the balance is", 33), "double_close": ("closed twice", 25), "deadlocked_queue": ("waits at", 110),
         "cancellation_leak": ("", 111)}
TESTS = """
import asyncio
import plait
import pytest


@pytest.fixture
def box():
    return [0]


async def add(box, lock):
    async with lock:
        seen = box[0]
        await asyncio.sleep(0)
        box[0] = seen + 1


class Nothing:
    async def __aenter__(self): pass
    async def __aexit__(self, *_): pass


@plait.check
async def test_careless(box):
    await asyncio.gather(add(box, Nothing()), add(box, Nothing()))
    assert box[0] == 2


@plait.check(options=["--timeout", "600"])
async def test_careful(box):
    lock = asyncio.Lock()
    await asyncio.gather(add(box, lock), add(box, lock))
    assert box[0] == 2
"""


def plait(*words):
    os.makedirs(WORK, exist_ok=True)
    return subprocess.run([PLAIT, *words], cwd=WORK, capture_output=True, text=True, timeout=3000)


def explored(*words):
    done = plait("explore", "-q", "-j", "1", "--keep-going", "--outcomes", "--format", "json", "--runtime", "asyncio", *words)
    assert done.returncode in (0, 10), done.stderr + done.stdout
    return json.loads(done.stdout)


class Explored(unittest.TestCase):
    def test_all_results(self):
        """Those that asyncio_test.py finds by walking through all orders, without relations."""
        for number, (name, (body, expected)) in enumerate(asyncio_test.PROGRAMS.items()):
            path = os.path.join(WORK, f"program{number}.py")
            os.makedirs(WORK, exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"import asyncio\nbox = [0]\n\n\nasync def main():\n{textwrap.indent(textwrap.dedent(body), '    ')}\n\nasyncio.run(main())\n")
            for way in ("dpor", "conflicts"):
                with self.subTest(name=name, way=way):
                    result = explored("--explore", way, path)
                    self.assertEqual(result["limits"], [])
                    found = {"complete " + one["stdout"].strip() for one in result["outcomes"]} | {"blocked " for _ in result["bugs"]}
                    self.assertEqual(found, expected)

    def test_examples(self):
        for name, (part, orders) in FOUND.items():
            with self.subTest(name=name):
                done = plait("check", "-q", os.path.join(EXAMPLES, name + ".py"))
                self.assertEqual(done.returncode, 10, done.stderr)
                self.assertIn(part, done.stdout)
                mended = plait("check", "-q", "--format", "json", os.path.join(EXAMPLES, name + "_mended.py"))
                self.assertEqual(mended.returncode, 0, mended.stderr)
                result = json.loads(mended.stdout)
                self.assertEqual((result["interleavings"], result["blocked_executions"]), (orders, 0))

    def test_check_knows_what_belongs_to_it(self):
        refused = plait("check", "--memory-model", "tso", os.path.join(EXAMPLES, "lost_update.py"))
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--memory-model", refused.stderr)
        missing = plait("check", "nothing.py")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("nothing.py", missing.stderr)


class Pytest(unittest.TestCase):
    def test_plugin(self):
        """From the source tree, and as installed."""
        os.makedirs(WORK, exist_ok=True)
        with open(os.path.join(WORK, "test_deposits.py"), "w", encoding="utf-8") as file:
            file.write(TESTS)
        for modules in (MODULES, os.path.join(ROOT, "runtimes/asyncio")):
            with self.subTest(modules=modules):
                environment = {**os.environ, "PYTHONPATH": modules, "PLAIT_COMMAND": PLAIT}
                done = subprocess.run([asyncio_test.PYTHON, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "plait_pytest", "test_deposits.py"],
                                      cwd=WORK, env=environment, capture_output=True, text=True, timeout=3000)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn("1 failed, 1 passed", done.stdout)
                for part in ("assert box[0] == 2", "starts, up to", "add.2"):
                    self.assertIn(part, done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
