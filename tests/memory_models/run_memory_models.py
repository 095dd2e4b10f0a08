#!/usr/bin/env python3
"""Checks the programs of this folder with each memory order under each memory model and with several explorers; replays the bugs. verdicts.txt
says what must come out."""
import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = ("sc", "tso", "pso")
SAMPLING = ("random", "pct")  # never complete
SAMPLES = ["--max-executions", "4000"]
MOST_RUNS = {"microscope": 3}  # of the default, until its bug is found


def rows():
    for line in open(os.path.join(HERE, "verdicts.txt"), encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            name, flags, *verdicts = line.split("#")[0].split()
            yield name, flags, dict(zip(MODELS, verdicts, strict=True))


def check(plait, program, model, explorer, verdict, needs_buffers):
    """What is wrong, or None; and what to print."""
    output = f"{program}-{model}-{explorer}"
    if verdict == "safe" and explorer in SAMPLING:
        verdict = "inconclusive"
    command = [plait, "check", "--explore", explorer, "--memory-model", model, "--races", "off", "--format", "json", "-q",
               "-j", "1", "-o", output, *(SAMPLES if explorer in SAMPLING else []), program]
    answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=1200).stdout)
    seen = f"{model} {explorer} {answer['verdict']} ({answer['executions']} runs)"
    if answer["verdict"] != verdict or answer["memory_model"] != model or (verdict == "safe" and not answer["complete"]):
        return f"{model} {explorer}: expected {verdict}, got {answer['verdict']}, {answer['bugs']}, {answer['limits']}", seen
    most = next((most for name, most in MOST_RUNS.items() if program.endswith(name)), None)
    if explorer == "cumulative" and verdict == "bug" and most is not None and answer["executions"] > most:
        return f"{model}: expected at most {most} runs, got {answer['executions']}", seen
    for bug in answer["bugs"]:
        if bug["kind"] != "assertion":
            return f"{model} {explorer}: expected a failed assertion, got {bug}", seen
        again = subprocess.run([plait, "replay", bug["schedule"]], stdout=subprocess.DEVNULL, check=False, timeout=1200)
        if again.returncode != 10:
            return f"{model} {explorer}: the bug does not come again: {bug['schedule']}", seen
        # Programs of verdicts.txt that are safe under SC fail only because of a store that others saw late, and are told so.
        with open(bug["schedule"], encoding="utf-8") as text:
            if needs_buffers and not json.load(text)["reordering"]:
                return f"{model} {explorer}: nothing says which store was delayed: {bug['schedule']}", seen
    return None, seen


def run_row(arguments, number, row):
    name, flags, verdicts = row
    plait = arguments.plait
    program = os.path.join(arguments.work, f"{number}-{name}")
    defines = ["-D" + flag for flag in flags.split(",")]
    subprocess.run([plait, "cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-pthread", *defines, os.path.join(HERE, name + ".c"),
                    "-o", program], check=True)
    results = [check(plait, program, model, explorer, verdict, verdicts["sc"] == "safe")
               for model, verdict in verdicts.items() for explorer in arguments.explorers.split(",")]
    problems = [problem for problem, _ in results if problem]
    line = f"{name} {flags}: " + ", ".join(seen for _, seen in results)
    return len(results), problems, line + "".join("\n   FAILED: " + problem for problem in problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plait", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--explorers", default="cumulative")
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    failed = passed = 0
    with ThreadPoolExecutor(2) as pool:
        for checks, problems, line in pool.map(lambda item: run_row(arguments, *item), enumerate(rows())):
            print(line, flush=True)
            failed += len(problems)
            passed += checks - len(problems)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
