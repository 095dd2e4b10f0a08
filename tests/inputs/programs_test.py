#!/usr/bin/env python3
"""Small programs with inputs: a check of all inputs finds what checks of each value find, in few classes.

  programs_test.py PLAIT SOURCE FOLDER [--only NAME] [--flags -O2]

Behind PROGRAM(name) stands "// input = values; ...; classes N": the values that brute force tries, and the most classes
that a check may need."""
import argparse
import concurrent.futures
import itertools
import json
import os
import re
import subprocess
import sys

HEAD = re.compile(r"^PROGRAM\((\w+)\) \{  // (.*); classes (\d+)$")


def values_of(text):
    for part in text.split(","):
        ends = part.split("..")
        if len(ends) == 2:
            yield from range(int(ends[0]), int(ends[1]) + 1)
        else:
            yield int(part, 0)


class Program:
    def __init__(self, name, inputs, classes):
        self.name, self.classes = name, classes
        pairs = [one.split("=") for one in inputs.split(";")]
        self.inputs = {key.strip(): list(values_of(values)) for key, values in pairs}


def programs_in(source):
    found = []
    with open(source, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.startswith("PROGRAM("):
                continue
            head = HEAD.match(line.rstrip())
            if not head:
                raise SystemExit(f"{source}:{number}: what are its inputs?")
            found.append(Program(head[1], head[2], int(head[3])))
    return found


def built(plait, source, programs, folder, flags):
    """All of them in one program: its argument says which one runs."""
    os.makedirs(folder, exist_ok=True)
    main = os.path.join(folder, "main" + os.path.splitext(source)[1])
    with open(main, "w", encoding="utf-8") as file:
        file.write(f'#include "{os.path.abspath(source)}"\nint main(int count, char** words) {{\n')
        for program in programs:
            file.write(f'  if (!strcmp(words[1], "{program.name}")) {program.name}();\n')
        file.write("  return count > 9;\n}\n")
    binary = os.path.join(folder, "program")
    compiler = [plait, "c++", "-std=c++20"] if source.endswith(".cc") else [plait, "cc"]
    subprocess.run([*compiler, "-w", *flags, main, "-o", binary], check=True)
    return binary


def run(plait, binary, name, options, folder):
    command = [plait, "check", binary, "--format", "json", "-q", "--keep-going", "--no-config", "-j", "1", "--timeout",
               "120", "-o", folder, *options, "--", name]
    done = subprocess.run(command, capture_output=True, text=True)
    # A program that ends early does not ask for all of its inputs.
    if done.returncode not in (0, 5, 10) and "takes no such input" not in done.stderr:
        raise SystemExit(f"{' '.join(command)}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout) if done.stdout else None


def bugs_of(result):
    return {(bug["kind"], os.path.basename(bug["file"]), bug["line"]) for bug in result["bugs"]}


def brute_force(plait, binary, program, folder):
    bugs = set()
    for values in itertools.product(*program.inputs.values()):
        given = [f"--input={key}={value}" for key, value in zip(program.inputs, values)]
        while (result := run(plait, binary, program.name, ["--inputs", "fixed", *given], folder)) is None:
            given.pop()  # they stand in the order in which they are asked for
        bugs |= bugs_of(result)
    return bugs


def compare(plait, binary, program, folder):
    folder = os.path.join(folder, program.name)
    explored = run(plait, binary, program.name, [], folder)
    problems = []
    if not explored["complete"]:
        problems.append(f"not complete: {explored['limits']}")
    expected = brute_force(plait, binary, program, folder)
    if bugs_of(explored) != expected:
        problems.append(f"explored: {sorted(bugs_of(explored))}, brute force: {sorted(expected)}")
    if explored["input_classes"] > program.classes:
        problems.append(f"{explored['input_classes']} classes, not {program.classes}")
    return [f"{program.name}: {problem}" for problem in problems]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plait")
    parser.add_argument("source")
    parser.add_argument("folder")
    parser.add_argument("--only", default="")
    parser.add_argument("--flags", nargs="*", default=[])
    arguments = parser.parse_args()
    plait = os.path.abspath(arguments.plait)
    programs = [program for program in programs_in(arguments.source) if arguments.only in program.name]
    binary = built(plait, arguments.source, programs, arguments.folder, [f"-{flag}" for flag in arguments.flags])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda program: compare(plait, binary, program, arguments.folder), programs)
        problems = [problem for one in found for problem in one]
    print("\n".join(problems) or f"{len(programs)} programs: explored inputs are what brute force finds")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
