#!/usr/bin/env python3
"""Checks that the cumulative explorer finds exactly the read-value classes of the papers' benchmark programs, with few runs.

oracles.txt says what is expected; the programs are in bench/programs/papers.
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
    table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracles.txt")
    passed = failed = 0
    for line in open(table, encoding="utf-8"):
        if not line.strip() or line.startswith("#"):
            continue
        name, flags, classes, most_runs = line.split()
        program = os.path.join(arguments.work, name)
        defines = [] if flags == "-" else flags.split(",")
        compiler = [arguments.plait, "cc", *defines, "-Wno-unused-value", os.path.join(arguments.programs, name + ".c"), "-o", program]
        subprocess.run(compiler, check=True)
        command = [arguments.plait, "check", "--classes", "--races", "off", "--format", "json", "-q", "-j", "1",
                   "-o", program + "-out", program]
        answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=120).stdout)
        # --classes needs no runs of its own, so this is also the number that plain checking needs.
        problems = []
        if answer["verdict"] != "safe" or not answer["complete"]:
            problems.append(f"verdict {answer['verdict']}, limits {answer['limits']}, bugs {answer['bugs']}")
        if answer["classes"] != int(classes):
            problems.append(f"classes: expected {classes}, got {answer['classes']}")
        if most_runs != "-" and answer["executions"] > int(most_runs):
            problems.append(f"runs: expected at most {most_runs}, got {answer['executions']}")
        print(f"{name} {flags}: {answer['classes']} classes, {answer['executions']} runs, {answer['histories']} histories, "
              f"{answer['states']} states{'' if not problems else '   FAILED: ' + '; '.join(problems)}")
        failed += bool(problems)
        passed += not problems
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
