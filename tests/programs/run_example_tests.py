#!/usr/bin/env python3
"""Checks every file of examples/ from source, as a reader of the README does, and compares with examples.txt.

Each line of examples.txt: file, verdict, kind of the bug or "-", then options of plait (--...) and flags for --cflags. A file of examples/ that has no
line is an error. Bugs are replayed; each check must also pass --self-check.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys

EXIT_CODES = {"safe": 0, "bug": 10}


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=1200)


def check(plait, source, verdict, kind, words, work):
    options = [word for word in words if word.startswith("--")]
    flags = " ".join(word for word in words if word not in options)
    base = [plait, "check", "--format", "json", "-q", "-o", work, *options] + (["--cflags", flags] if flags else []) + [source]
    result = run(base)
    if result.returncode != EXIT_CODES[verdict]:
        return f"exit code {result.returncode}, expected {EXIT_CODES[verdict]}\n{result.stdout}{result.stderr}"
    answer = json.loads(result.stdout)
    if answer["verdict"] != verdict:
        return f"verdict {answer['verdict']}, expected {verdict}"
    for bug in answer["bugs"]:
        if bug["kind"] != kind:
            return f"kind {bug['kind']}, expected {kind}"
        replay = run([plait, "replay", bug["schedule"]])
        if replay.returncode != EXIT_CODES["bug"]:
            return f"replay: exit code {replay.returncode}\n{replay.stdout}{replay.stderr}"
    again = run(base[:2] + ["--self-check", "--explore", "exhaustive"] + base[2:])
    if again.returncode != EXIT_CODES[verdict]:
        return f"self-check: exit code {again.returncode}\n{again.stdout}{again.stderr}"
    print(f"{os.path.basename(source)} {' '.join(words)}: {verdict}, {answer['executions']} executions, {answer['seconds']:.2f} s")
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plait", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--examples", required=True)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    named, failed = set(), 0
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples.txt"), encoding="utf-8") as table:
        for number, line in enumerate(table):
            if line.startswith("#") or not line.strip():
                continue
            name, verdict, kind, *flags = line.split()
            named.add(name)
            work = os.path.join(os.path.abspath(arguments.work), str(number))
            problem = check(os.path.abspath(arguments.plait), os.path.join(arguments.examples, name), verdict, kind, flags, work)
            if problem:
                print(f"FAILED {name} {' '.join(flags)}: {problem}")
                failed += 1
    for name in sorted(os.listdir(arguments.examples)):
        if name.endswith((".c", ".cc")) and name not in named:
            print(f"FAILED {name}: no line in examples.txt")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
