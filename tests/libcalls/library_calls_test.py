#!/usr/bin/env python3
"""What library functions read and write are accesses: every function of calls.c, every kind of target.

Each is checked by the default explorer with and without merging, by dpor, and by the exhaustive one, which predicts nothing. All must see the same
outcomes, and there are four of them where the written memory is nobody else's: two choices, and whether `later` was seen.
"""
import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

KINDS = ("private", "stack", "heap", "foreign", "shared")
EXPLORERS = (["--explore", "exhaustive"], [], ["--merge", "off"], ["--explore", "dpor"])


def outcomes(plait, program, work, words, options):
    command = [plait, "check", "--format", "json", "-q", "-j", "1", "--outcomes", "--keep-going", "-o", os.path.join(work, "-".join(words)),
               *options, program, "--", *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    except subprocess.TimeoutExpired:
        return "took more than a minute"
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return f"no JSON: {done.stdout}{done.stderr}"
    if answer["verdict"] != "safe":
        return f"{answer['verdict']}: {answer.get('bugs')} {answer.get('limits')}"
    return sorted(o["stdout"] for o in answer["outcomes"])


def check(plait, program, work, words):
    found = [outcomes(plait, program, work, words, options) for options in EXPLORERS]
    if isinstance(found[0], str):
        return f"{' '.join(words)}: {found[0]}"
    wanted = 2 if words[-1] == "shared" else 4
    if len(found[0]) < wanted:
        return f"{' '.join(words)}: {len(found[0])} outcomes: {found[0]}"
    for options, other in zip(EXPLORERS[1:], found[1:]):
        if other != found[0]:
            return f"{' '.join(words)}: exhaustive {found[0]}, {' '.join(options) or 'default'} {other}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plait", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    program = os.path.join(arguments.work, "calls")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "calls.c")
    subprocess.run([arguments.plait, "cc", "-std=gnu17", "-Wall", "-pthread", source, "-o", program, "-lm"], check=True)
    listed = [line.split() for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()]
    cases = [[name, kind] for what, name in listed if what == "write" for kind in KINDS]
    cases += [[name] for what, name in listed if what == "read"]
    cases = [words for words in cases if arguments.only in words[0]]
    with ThreadPoolExecutor(2) as pool:
        problems = [p for p in pool.map(lambda words: check(arguments.plait, program, arguments.work, words), cases) if p]
    print(f"{len(cases)} cases, {len(problems)} problems")
    for problem in problems:
        print("  " + problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
