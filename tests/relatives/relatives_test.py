#!/usr/bin/env python3
"""Small programs that try to hide something, each with its verdict, asked in several ways.

A file of programs begins with what stands in front of each of them; then, for each:

  == name: verdict [kind|kind] [loops]   what `plait check` must answer, and which kinds of bugs (inconclusive: of limits) it may
                                         name; loops: it goes on for ever where states are not taken for equal, and is not asked so
  the program

C programs are compiled one by one. C++ programs are compiled as one, each in a namespace of its own: an argument says
which main is meant.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

WAYS = ([], ["--merge", "off"], ["--explore", "dpor"], ["--memory-model", "tso"])
CXX_WAYS = ([], ["--explore", "dpor"], ["--memory-model", "tso"])
RUNS = 3000
# Explorers that do not take states for equal follow loops that wait to a bound (docs/unsupported.md).
BOUNDED = ("--merge", "--explore")
BOUNDS = ("max-executions", "max-events", "waiting loop")


def read(path):
    with open(path, encoding="utf-8") as file:
        prelude, *parts = re.split(r"^== ", file.read(), flags=re.M)
    programs = []
    for part in parts:
        head, code = part.split("\n", 1)
        match = re.fullmatch(r"(\w+): (safe|bug|inconclusive)(?: (?!loops)([a-z|-]+))?( loops)?", head)
        if not match:
            raise SystemExit(f"{path}: bad line: == {head}")
        programs.append((*match.groups(), code))
    if len({name for name, *_ in programs}) != len(programs) or not programs:
        raise SystemExit(f"{path}: names must differ")
    return prelude, programs


def compile_one(plait, work, name, code, cxx):
    source = os.path.join(work, name + (".cc" if cxx else ".c"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(code)
    program = os.path.join(work, name)
    result = subprocess.run([plait, "c++" if cxx else "cc", "-std=c++20" if cxx else "-std=gnu17", "-w", "-pthread", source, "-o", program, "-lm"],
                            capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(f"{name} does not compile:\n{result.stderr}")
    return program


def compile_all(plait, work, path):
    """(name, verdict, kinds, loops, command) of each program."""
    prelude, programs = read(path)
    if not path.endswith(".cc.txt"):
        return [(*head, [compile_one(plait, work, head[0], prelude + code, False)]) for *head, code in programs]
    text = prelude
    for name, *_, code in programs:
        text += f"namespace in_{name} {{\n{code.replace('int main()', 'int run()')}\n}}\n"
    text += "int main(int, char** arguments) {\n  const std::string name = arguments[1];\n"
    text += "".join(f'  if (name == "{name}") return in_{name}::run();\n' for name, *_ in programs) + "  return 1;\n}\n"
    program = compile_one(plait, work, "all", text, True)
    return [(*head, [program, "--", head[0]]) for *head, _ in programs]


def ask(plait, work, item, way):
    name, verdict, kinds, _, command = item
    output = os.path.join(work, "-".join(["out", name, *way]))
    line = [plait, "check", "--format", "json", "-q", "-j", "1", "--no-config", "--no-minimise", "--max-executions", str(RUNS), "-o", output, *way]
    result = subprocess.run([*line, *command], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    try:
        answer = json.loads(result.stdout)
    except ValueError:
        return f"{name} {' '.join(way)}: no JSON: {result.stdout}{result.stderr}"
    found = {bug["kind"] for bug in answer["bugs"]} or {limit.split(":")[0] for limit in answer.get("limits", [])}
    if answer["verdict"] == verdict and (not kinds or found <= set(kinds.split("|"))):
        return None
    limits = answer.get("limits", [])
    if answer["verdict"] == "inconclusive" and way and way[0] in BOUNDED and limits and all(limit.startswith(BOUNDS) for limit in limits):
        return None
    return f"{name} {' '.join(way)}: expected {verdict} {kinds or ''}, got {answer['verdict']} {' '.join(sorted(found))} {limits}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plait", required=True, help="the command under test")
    parser.add_argument("--work", required=True, help="folder for programs and results; emptied first")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("programs", help="a file of programs: *.c.txt or *.cc.txt")
    arguments = parser.parse_args()
    work = os.path.abspath(arguments.work)
    plait = os.path.abspath(arguments.plait)
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    items = compile_all(plait, work, os.path.abspath(arguments.programs))
    ways = CXX_WAYS if arguments.programs.endswith(".cc.txt") else WAYS
    checks = [(item, way) for item in items for way in ways if not (item[3] and way and way[0] in BOUNDED)]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        wrong = [answer for answer in pool.map(lambda one: ask(plait, work, *one), checks) if answer]
    for line in wrong:
        print(line)
    print(f"{len(items)} programs, {len(checks)} checks, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
