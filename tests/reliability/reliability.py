"""What the tests of reliability share: tests/tool/tool.py, and looking at processes.

Usage of each test: NAME_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.abspath(sys.argv[2]), "tests/tool"))
# pylint: disable=wrong-import-position,unused-import
from tool import PLAIT, SOURCE, WORK, ToolTest as ReliabilityTest, main  # noqa: E402,F401


def children_of(pid):
    children = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(path) as text:
                children += [int(word) for word in text.read().split()]
        except OSError:
            pass  # the thread has ended
    return children


def workers_of(pid):
    """Child processes that have become the program under test: a fork of the engine is still the engine."""
    workers = []
    for child in children_of(pid):
        try:
            if os.readlink(f"/proc/{child}/exe") != os.readlink(f"/proc/{pid}/exe"):
                workers.append(child)
        except OSError:
            pass
    return workers
