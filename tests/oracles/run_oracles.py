#!/usr/bin/env python3
"""Checks that the cumulative explorer finds exactly the read-value classes of the papers' benchmark programs, with few runs.

oracles.txt says what is expected under which memory model; the programs are in bench/programs/papers.
"""
import argparse
import json
import os
import subprocess
import sys

from rows import MODELS, rows


def problems_of(answer, classes, most_runs):
    # --classes needs no runs of its own, so this is also the number that plain checking needs.
    if answer["verdict"] != "safe" or not answer["complete"]:
        yield f"verdict {answer['verdict']}, limits {answer['limits']}, bugs {answer['bugs']}"
    if answer["classes"] != classes:
        yield f"classes: expected {classes}, got {answer['classes']}"
    if most_runs is not None and answer["executions"] > most_runs:
        yield f"runs: expected at most {most_runs}, got {answer['executions']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plait", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--memory-models", default=",".join(MODELS))
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    passed = failed = 0
    for row in rows():
        wanted = [model for model in arguments.memory_models.split(",") if model in row.classes]
        if not wanted:
            continue
        program = os.path.join(arguments.work, row.name)
        defines = [] if row.flags == "-" else row.flags.split(",")
        compiler = [arguments.plait, "cc", *defines, "-Wno-unused-value", os.path.join(arguments.programs, row.name + ".c"), "-o", program]
        subprocess.run(compiler, check=True)
        for model in wanted:
            command = [arguments.plait, "check", "--memory-model", model, "--classes", "--races", "off", "--format", "json", "-q", "-j", "1",
                       "-o", program + "-out", program]
            answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=120).stdout)
            problems = list(problems_of(answer, row.classes[model], row.most_runs if model == "sc" else None))
            print(f"{row.name} {row.flags} {model}: {answer['classes']} classes, {answer['executions']} runs, {answer['histories']} histories, "
                  f"{answer['states']} states, {answer['seconds']:.2f} s{'' if not problems else '   FAILED: ' + '; '.join(problems)}", flush=True)
            failed += bool(problems)
            passed += not problems
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
