#!/usr/bin/env python3
"""Explored inputs against brute force: what a check of all inputs answers must be what checks of each of them answer.

Random programs with inputs from 0 to 3. For each one the assertions that fail and, for half of them, the outputs of
complete runs, over all schedules: once with --inputs explore, and with --input for every combination of values. Memory models, explorers,
merging and the number of jobs change from program to program.

  random_test.py PLAIT [--programs 40] [--seed 1]
"""
import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

import random_programs

VARIANTS = (
    [], [], [], ["--explore", "cumulative"], ["--merge", "off"], ["-j", "1"], ["-j", "2"], ["--memory-model", "tso"], ["--memory-model", "pso"],
    ["--explore", "cumulative", "--memory-model", "tso"],
    ["--explore", "mpc"], ["--explore", "mpc", "--strategy", "s1"],
    ["--explore", "mcr"], ["--explore", "dpor"], ["--memory-model", "tso", "--merge", "off"], [])
BATCH = 20
MOST_EXECUTIONS = 20000


def answer(plait, program, number, options, folder):
    command = [plait, "check", program, "--format", "json", "-q", "--keep-going", "--races", "off", "--no-config", "-o",
               os.path.join(folder, "out"), "--max-executions", str(MOST_EXECUTIONS), *options, "--", f"{number:02}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 5, 10):
        raise SystemExit(f"{' '.join(command)}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    result = json.loads(done.stdout)
    bugs = {(bug["kind"], bug["line"]) for bug in result["bugs"]}
    complete = result["complete"]
    return complete, bugs, {outcome["stdout"] for outcome in result["outcomes"] or []}, result


def compare(plait, binary, program, options, folder):
    """None: a limit was reached."""
    explored = answer(plait, binary, program.number, options, folder)
    if not explored[0]:
        limits = explored[3]["limits"]
        if any(limit.startswith(("max-executions", "max-events")) for limit in limits):
            return None
        return f"not complete: {limits}"
    bugs, outcomes, names = set(), set(), program.names()
    for values in itertools.product(range(random_programs.RANGE + 1), repeat=len(names)):
        given = [word for name, value in zip(names, values) for word in ("--input", f"{name}={value}")]
        fixed = answer(plait, binary, program.number, [*options, "--inputs", "fixed", *given], folder)
        if not fixed[0]:
            return None
        bugs |= fixed[1]
        outcomes |= fixed[2]
    if (bugs, outcomes) != explored[1:3]:
        return (f"explored: {sorted(explored[1])} {sorted(explored[2])}\nbrute force: {sorted(bugs)} {sorted(outcomes)}")
    return ""


def run_batch(plait, seed, count, folder, tally):
    chance = random.Random(seed)
    programs = [random_programs.Program(chance, n) for n in range(count)]
    path, binary = os.path.join(folder, "programs.c"), os.path.join(folder, "programs")
    with open(path, "w", encoding="utf-8") as file:
        file.write(random_programs.source(programs))
    include = os.path.dirname(path)
    subprocess.run([plait, "cc", "-w", f"-I{include}", path, "-o", binary], check=True)
    for program in programs:
        # What is printed makes classes smaller: half of the programs do without.
        options = chance.choice(VARIANTS) + (["--outcomes"] if chance.random() < 0.5 else [])
        problem = compare(plait, binary, program, options, folder)
        tally["limited" if problem is None else "compared"] += 1
        if problem:
            kept = os.path.join(tempfile.gettempdir(), f"plait-random-inputs-{seed}.c")
            with open(kept, "w", encoding="utf-8") as file:
                file.write(random_programs.source(programs))
            print(f"seed {seed}, program {program.number} {' '.join(options)} ({kept}):\n{problem}\n{program.text()}")
            tally["wrong"] += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plait")
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tally = {"compared": 0, "limited": 0, "wrong": 0}
    done = 0
    while done < arguments.programs:
        count = min(BATCH, arguments.programs - done)
        with tempfile.TemporaryDirectory() as folder:
            run_batch(arguments.plait, arguments.seed + done, count, folder, tally)
        done += count
    print(f"{tally['compared']} programs compared, {tally['limited']} beyond the limit of runs, {tally['wrong']} wrong")
    # A generator that makes nothing to compare would test nothing.
    sys.exit(1 if tally["wrong"] or tally["compared"] < arguments.programs // 2 else 0)


if __name__ == "__main__":
    main()
