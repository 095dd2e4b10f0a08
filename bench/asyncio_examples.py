#!/usr/bin/env python3
"""Prints the table of docs/asyncio.md: in which run the bugs of runtimes/asyncio/examples are found, in how many seconds
of CPU time (Plait, Python's starts, all runs, minimising), and how many orders the mended programs have.

Usage: bench/asyncio_examples.py [PLAIT]"""
import json
import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLES = os.path.join(ROOT, "runtimes/asyncio/examples")


def checked(plait, script, out):
    def used():
        of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return of_children.ru_utime + of_children.ru_stime
    before = used()
    done = subprocess.run([plait, "check", "-q", "--format", "json", "-o", out, os.path.join(EXAMPLES, script)], stdout=subprocess.PIPE, check=False)
    return json.loads(done.stdout), used() - before


def main():
    plait = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build/dist/bin/plait")
    print("| | found in run | seconds of CPU | orders of the form that never fails |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as out:
        for script in sorted(os.listdir(EXAMPLES)):
            if script.endswith("_mended.py") or not script.endswith(".py"):
                continue
            broken, seconds = checked(plait, script, out)
            mended, _ = checked(plait, script.replace(".py", "_mended.py"), out)
            assert broken["verdict"] == "bug" and mended["verdict"] == "safe", script
            print(f"| `{script}` | {broken['executions']} | {seconds:.2f} | {mended['executions']} |")


if __name__ == "__main__":
    main()
