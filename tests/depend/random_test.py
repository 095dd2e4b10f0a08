#!/usr/bin/env python3
"""mcr with what the compiler knows of dependences, on random programs: classes and outcomes are those without, and
nothing is said not to depend that does. (Every run of a seed is compared with all that the seed predicts of it: the
events that happen anyway, their places and values. What does not come true ends prediction, and the answer says so.)

  random_test.py --plait PLAIT --work DIR [--programs N] [--many N] [--seed S]
"""
import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_programs  # noqa: E402


RUNS = [0]


def check(plait, work, binary, number, *options):
    command = [plait, "check", "-q", "-j", "1", "--format", "json", "--races", "off", "--outcomes", "--keep-going", "-o", os.path.join(work, "out"),
               *options, binary, "--", str(number)]
    answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    found = json.loads(answer.stdout)
    RUNS[0] += found["executions"]
    return {"verdict": found["verdict"], "outcomes": sorted(outcome["stdout"] for outcome in found["outcomes"]), "classes": found["classes"],
            "limits": found["limits"], "not predicted": [entry for entry in found["opaque"] if "merged" not in entry["cost"]]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plait", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--programs", type=int, default=16)
    parser.add_argument("--many", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    source, binary = (os.path.join(arguments.work, name) for name in ("programs.c", "programs"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(random_programs.source(arguments.programs, arguments.seed))
    wrong = 0
    for level in ("-O0", "-O2"):
        subprocess.run([arguments.plait, "cc", level, source, "-o", binary], check=True)
        for number in range(arguments.programs):
            model = ("sc", "tso", "pso")[number % 3]
            solver = "z3" if number % 8 == 0 else "native"
            extra = ["--classes"] if number % 2 else []
            common = ["--explore", "mcr", "--memory-model", model, "--solver", solver, *extra]
            expected = check(arguments.plait, arguments.work, binary, number, "--memory-model", model, *extra)
            for dependence in ("none", "static", "static+"):
                found = check(arguments.plait, arguments.work, binary, number, *common, "--dependence", dependence)
                if found != expected:
                    wrong += 1
                    print(f"program {number} {level} {model} {solver} {dependence}:\n  {expected}\n  {found}")
    # Many more, each with one setting only: every run is compared with what was predicted of it.
    with open(source, "w", encoding="utf-8") as file:
        file.write(random_programs.source(arguments.many, arguments.seed + 1))
    subprocess.run([arguments.plait, "cc", "-O1", source, "-o", binary], check=True)
    RUNS[0] = 0
    for number in range(arguments.many):
        model, dependence = ("sc", "tso", "pso")[number % 3], ("static", "static+")[number // 3 % 2]
        found = check(arguments.plait, arguments.work, binary, number, "--memory-model", model, "--explore", "mcr", "--dependence", dependence)
        if found["limits"] or found["not predicted"]:
            wrong += 1
            print(f"program {number} -O1 {model} {dependence}:\n  {found}")
    print(f"{2 * arguments.programs} programs in all ways, {arguments.many} in one, of which {RUNS[0]} runs were compared; {wrong} wrong")
    return 1 if wrong or RUNS[0] < 3 * arguments.many else 0


if __name__ == "__main__":
    sys.exit(main())
