#!/usr/bin/env python3
"""Checks that `--explore dpor` makes one run for each Mazurkiewicz trace of the papers' benchmark programs, and none in vain.

traces.txt says what is expected; the programs are in bench/programs/papers.
"""
import argparse
import json
import os
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plait", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--work", required=True)
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "traces.txt")
    passed = failed = 0
    for line in open(table, encoding="utf-8"):
        if not line.strip() or line.startswith("#"):
            continue
        name, flags, traces = line.split()
        program = os.path.join(arguments.work, name)
        defines = [] if flags == "-" else flags.split(",")
        subprocess.run([arguments.plait, "cc", *defines, "-Wno-unused-value", os.path.join(arguments.programs, name + ".c"),
                        "-o", program], check=True)
        command = [arguments.plait, "check", "--explore", "dpor", "--format", "json", "-q", "-o", program + "-out", program]
        answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=120).stdout)
        problems = []
        if answer["verdict"] != "safe" or not answer["complete"]:
            problems.append(f"verdict {answer['verdict']}, limits {answer['limits']}, bugs {answer['bugs']}")
        if answer["interleavings"] != int(traces):
            problems.append(f"traces: expected {traces}, got {answer['interleavings']}")
        if answer["blocked_executions"]:
            problems.append(f"{answer['blocked_executions']} runs in vain")
        print(f"{name} {flags}: {answer['interleavings']} traces, {answer['executions']} runs"
              f"{'' if not problems else '   FAILED: ' + '; '.join(problems)}")
        failed += bool(problems)
        passed += not problems
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
