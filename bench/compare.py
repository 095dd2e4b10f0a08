#!/usr/bin/env python3
"""Two builds of Plait side by side: is the new one slower?

  bench/compare.py --before OLD/dist/bin/plait --after build/dist/bin/plait [--markdown FILE]

Each program is compiled by each build and checked with -j1. The builds take turns, so that whatever else the machine
does meets both; of each, the least CPU time counts. A ratio below 1 means that the second build is faster. Rows where
the builds answer differently, or one does not finish, have no ratio and are counted apart. Only the standard library
is used."""
import argparse
import math
import os
import re
import sys
import tempfile
from dataclasses import dataclass, field

from tools import Plait, measured, run

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")
BUILDS = ("before", "after")

CLASSIC = {"readers": 12, "writers": 8, "lastzero": 8, "indexer": 12, "fib_bench": 4, "counter": 5, "accounts": 6,
           "sb_ring": 8, "peterson": 2, "dekker": 2, "bakery": 2, "rvexample": 3, "ticketlock": 5, "treiber_stack": 3,
           "ms_queue": 2, "seqlock": 2, "rwlock": 2}
CXX = ["map", "shared_ptr", "vector", "string", "condition_variable", "promise", "async", "shared_mutex"]
# The same number of executions by both: what one costs.
RUNS = [("counter22.c", ["--explore", "exhaustive"]),
        ("store200.cc", ["--explore", "exhaustive", "--max-executions", "50000"]),
        ("counter22.c", ["--explore", "random", "--max-executions", "50000"]),
        ("store200.cc", ["--explore", "random", "--max-executions", "20000"]),
        ("counter22.c", ["--explore", "random", "--max-executions", "50000", "--memory-model", "tso"]),
        ("store200.cc", ["--explore", "random", "--max-executions", "20000", "--memory-model", "pso"])]


@dataclass
class Row:
    group: str
    name: str
    source: str
    flags: list  # of the compiler
    options: list = field(default_factory=list)  # of the check; none: only compile
    binary: str = ""
    best: dict = field(default_factory=dict)  # by build

    def ratio(self):
        before, after = (self.best.get(build) for build in BUILDS)
        if not before or not after or "timeout" in (before.verdict, after.verdict) or before.verdict != after.verdict:
            return None
        scale = before.runs / after.runs if self.group == "an execution" and before.runs and after.runs else 1
        return scale * after.cpu / before.cpu if before.cpu > 0 else None


def all_rows():
    whole = ["--keep-going"]
    for name in sorted(os.listdir(os.path.join(ROOT, "examples"))):
        yield Row("examples", name, os.path.join(ROOT, "examples", name), [], whole)
    for name, size in CLASSIC.items():
        yield Row("classic", f"{name} {size}", os.path.join(HERE, "programs", "classic", name + ".c"), [f"-DN={size}"], whole)
    for name in CXX:
        yield Row("C++", name + ".cc", os.path.join(ROOT, "tests", "programs", "cxx", name + ".cc"), [], whole)
    for name, options in RUNS:
        shown = " ".join(word for word in options if not word.startswith("--m"))
        yield Row("an execution", f"{name} {shown}", os.path.join(HERE, "programs", name), [], options)
    yield Row("compiling", "headers.cc", os.path.join(HERE, "programs", "headers.cc"), ["-c"])


def compile_with(plait, row, directory):
    """The binary and what the compiler did; no binary if it failed: an old build may not know what a program uses."""
    compiler = "cc" if row.source.endswith(".c") else "c++"
    binary = os.path.join(directory, re.sub(r"\W+", "_", f"{row.group} {row.name}"))
    ran = run([plait, compiler, *row.flags, "-w", row.source, "-o", binary], 120)
    return (binary, ran) if ran.code == 0 else (None, ran)


def measure(row, plait, directory, timeout):
    """One measurement by one build."""
    if not row.options:
        return compiled(compile_with(plait, row, directory)[1])
    return Plait("plait", plait, ["-j", "1", *row.options], directory).check(row, timeout)


def compiled(ran):
    return measured(ran, "compiled" if ran.code == 0 else "error")


def compare(row, plaits, directories, repeat, timeout):
    binaries = {}
    for build in BUILDS:
        binaries[build], ran = compile_with(plaits[build], row, directories[build])
        if not binaries[build]:
            row.best[build] = compiled(ran)
    if None in binaries.values():
        return
    for turn in range(repeat):
        for build in BUILDS if turn % 2 == 0 else reversed(BUILDS):
            row.binary = binaries[build]
            answer = measure(row, plaits[build], directories[build], timeout)
            best = row.best.get(build)
            if best is None or answer.cpu < best.cpu:
                row.best[build] = answer
        if any(answer.cpu > 10 for answer in row.best.values()):
            break


def shown(answer):
    if answer is None:
        return "-", "-", "-"
    return answer.verdict, f"{answer.runs:,}" if answer.runs is not None else "-", f"{answer.cpu:.3f}"


def table(rows):
    lines = ["| | program | verdict | executions | CPU s | verdict | executions | CPU s | ratio |",
             "|---|---|---|---:|---:|---|---:|---:|---:|"]
    for row in rows:
        ratio = row.ratio()
        cells = [row.group, row.name, *shown(row.best.get("before")), *shown(row.best.get("after")),
                 f"{ratio:.2f}" if ratio else "-"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def summary(rows):
    lines = ["", "| | rows | geometric mean | worst | no ratio |", "|---|---:|---:|---:|---:|"]
    for group in [*dict.fromkeys(row.group for row in rows), "all"]:
        ratios = [(row.ratio(), row.name) for row in rows if group in (row.group, "all")]
        known = [one for one in ratios if one[0]]
        worst = max(known, default=(float("nan"), "-"))
        lines.append(f"| {group} | {len(known)} | {mean([ratio for ratio, _ in known]):.2f} | {worst[0]:.2f} ({worst[1]}) "
                     f"| {len(ratios) - len(known)} |")
    return lines


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", help="names or groups, or parts of them (default: all)")
    parser.add_argument("--before", required=True, metavar="PLAIT", help="the command of the old build")
    parser.add_argument("--after", required=True, metavar="PLAIT", help="the command of the new one")
    parser.add_argument("--repeat", type=int, default=5, help="turns; the best of each build counts (5)")
    parser.add_argument("--timeout", type=float, default=60, metavar="SECONDS", help="of CPU time, for each check (60)")
    parser.add_argument("--markdown", metavar="FILE", help="write the tables there, too")
    parser.add_argument("--list", action="store_true", help="print the rows")
    return parser.parse_args()


def main():
    arguments = parse()
    rows = [row for row in all_rows()
            if not arguments.programs or any(word in f"{row.group} {row.name}" for word in arguments.programs)]
    if arguments.list:
        for row in rows:
            print(f"{row.group}: {row.name}")
        return 0
    plaits = {build: os.path.abspath(getattr(arguments, build)) for build in BUILDS}
    for plait in plaits.values():
        if not os.access(plait, os.X_OK):
            sys.exit(f"{plait} is not there")
    with tempfile.TemporaryDirectory(prefix="plait-compare-") as work:
        directories = {build: os.path.join(work, build) for build in BUILDS}
        for directory in directories.values():
            os.mkdir(directory)
        for row in rows:
            compare(row, plaits, directories, arguments.repeat, arguments.timeout)
            print(table([row])[-1], flush=True)
    lines = table(rows) + summary(rows)
    print("\n".join(["", *lines[len(rows) + 2:]]))
    if arguments.markdown:
        with open(arguments.markdown, "w", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
