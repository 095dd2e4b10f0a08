#!/usr/bin/env python3
"""Checks that the buggy versions of the papers' benchmark programs fail, by an assertion, and the fixed ones are safe.

verdicts.txt says what is expected; the programs are in bench/programs/papers.
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
    table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "verdicts.txt")
    passed = failed = 0
    for line in open(table, encoding="utf-8"):
        if not line.strip() or line.startswith("#"):
            continue
        name, flags, *verdicts, most_runs = line.split()
        program = os.path.join(arguments.work, name)
        defines = ["-DPROPERTY", "-Wno-unused-value"] + ([] if flags == "-" else flags.split(","))
        source = os.path.join(arguments.programs, name + ".c")
        subprocess.run([arguments.plait, "cc", *defines, source, "-o", program], check=True)
        for model, verdict in zip(("sc", "tso", "pso"), verdicts, strict=True):
            command = [arguments.plait, "check", "--memory-model", model, "--races", "off", "--format", "json", "-q", "-j", "1",
                       "-o", program + "-out", program]
            answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=120).stdout)
            kinds = {bug["kind"] for bug in answer["bugs"]}
            right = answer["verdict"] == verdict and kinds <= {"assertion"} and (verdict == "bug" or answer["complete"])
            if verdict == "bug" and most_runs != "-":
                right = right and answer["executions"] <= int(most_runs)
            print(f"{name} {flags} {model}: {answer['verdict']}, {answer['executions']} runs, {answer['seconds']:.2f} s"
                  + ("" if right else f"   FAILED: expected {verdict}; {answer['bugs']}, {answer['limits']}"), flush=True)
            passed += right
            failed += not right
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
