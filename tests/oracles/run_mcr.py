#!/usr/bin/env python3
"""Checks that `--explore mcr` knows exactly the read-value classes of the papers' programs, with no more runs than 1.2 per class.

oracles.txt says how many classes there are; --most-classes leaves out the largest programs.
"""
import argparse
import json
import os
import subprocess
import sys

from rows import rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plait", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--most-classes", type=int, default=3000)
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    passed = failed = 0
    for row in rows():
        name, flags, classes = row.name, row.flags, row.classes["sc"]
        if classes > arguments.most_classes:
            continue
        program = os.path.join(arguments.work, name)
        defines = [] if flags == "-" else flags.split(",")
        subprocess.run([arguments.plait, "cc", *defines, "-Wno-unused-value", os.path.join(arguments.programs, name + ".c"),
                        "-o", program], check=True)
        command = [arguments.plait, "check", "--explore", "mcr", "--classes", "--races", "off", "--format", "json", "-q", "-j", "1",
                   "-o", program + "-out", program]
        answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=120).stdout)
        problems = []
        if answer["verdict"] != "safe" or not answer["complete"]:
            problems.append(f"verdict {answer['verdict']}, limits {answer['limits']}, bugs {answer['bugs']}")
        if answer["classes"] != classes:
            problems.append(f"classes: expected {classes}, got {answer['classes']}")
        if answer["executions"] > 1.2 * classes:
            problems.append(f"{answer['executions']} runs for {classes} classes")
        solver = answer["solver"]
        if solver["slowest"] > 0.1:
            problems.append(f"a query took {solver['slowest']:.3f} s")
        print(f"{name} {flags}: {classes} classes, {answer['executions']} runs, {solver['queries']} queries, "
              f"{1e3 * solver['seconds']:.1f} ms{'' if not problems else '   FAILED: ' + '; '.join(problems)}")
        failed += bool(problems)
        passed += not problems
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
