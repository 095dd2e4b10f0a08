#!/usr/bin/env python3
"""Whole-program benchmark: the classic programs of this field, and those of the papers, checked by Plait and others.

For each program and size it runs Plait's default (cumulative), Plait's exhaustive exploration with sleep sets, and GenMC
and Nidhugg if the environment names them:

    GENMC=/path/to/genmc NIDHUGG=/path/to/nidhuggc bench/table.py --markdown docs/classic-programs.md

Peers that the environment does not name answer from --recorded FILE, which --record FILE has written.
bench/programs/classic has the programs, written once for all tools. Only the standard library is used.
"""
import argparse
import datetime
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

import markdown
import recorded
from tools import GenMC, Nidhugg, Plait, run

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
ORACLES = os.path.join(HERE, "..", "tests", "oracles", "oracles.txt")

# Sizes: one that is quick for everybody, then larger ones up to where somebody needs long.
CLASSIC = {
    "readers": [8, 12, 16],
    "writers": [4, 8, 12],
    "lastzero": [4, 8, 12],
    "indexer": [11, 12, 14, 16],
    "fib_bench": [3, 4, 5, 6],
    "counter": [3, 4, 5, 6],
    "accounts": [4, 6, 7, 8],
    "sb_ring": [4, 8, 12],
    "peterson": [1, 2, 3],
    "dekker": [1, 2, 3],
    "bakery": [2, 3],
    "rvexample": [2, 3, 4],
    "ticketlock": [3, 5, 7],
    "treiber_stack": [2, 3],
    "ms_queue": [1, 2, 3],
    "seqlock": [1, 2, 3],
    "rwlock": [1, 2, 3],
}


@dataclass
class Row:
    group: str
    name: str
    size: str  # what the table shows
    source: str
    plait_flags: list
    peer_flags: list
    binary: str = ""
    compile_cpu: float = 0.0
    answers: dict = field(default_factory=dict)


def classic_rows(sizes):
    for name, standard in CLASSIC.items():
        for size in sizes or standard:
            flags = [f"-DN={size}"]
            yield Row("classic", name, str(size), os.path.join(PROGRAMS, "classic", name + ".c"), flags, flags)


def paper_rows():
    """The programs that the suite knows the classes of. Races are intended in them: here they get atomics instead."""
    for line in open(ORACLES, encoding="utf-8"):
        if not line.strip() or line.startswith("#"):
            continue
        name, flags = line.split()[:2]
        flags = [] if flags == "-" else flags.split(",")
        shown = " ".join(flag.removeprefix("-D") for flag in flags)
        source = os.path.join(PROGRAMS, "papers", name + ".c")
        yield Row("papers", name, shown, source, [*flags, "-DATOMIC"], [*flags, "-DATOMIC", "-w"])


def compile_program(row, plait, work):
    row.binary = os.path.join(work, re.sub(r"\W+", "_", f"{row.group} {row.name} {row.size}"))
    ran = run([plait, "cc", *row.plait_flags, "-w", row.source, "-o", row.binary], 120)
    if ran.code != 0:
        sys.exit(f"cannot compile {row.source}:\n{ran.output}")
    row.compile_cpu = ran.cpu


def check(row, tool, timeout, repeats):
    """The best of several for what is quick: everything else is somebody else's work on the machine."""
    best = tool.check(row, timeout)
    for _ in range(repeats - 1):
        if best is None or not best.done or best.cpu > 1:
            break
        again = tool.check(row, timeout)
        if again.done and again.cpu < best.cpu:
            best = again
    return best


def ask(row, tool, timeout, repeats):
    answer = check(row, tool, timeout, repeats)
    if answer is None:  # nothing recorded
        return
    row.answers[tool.name] = answer
    print(line_of(row, tool.name, answer), flush=True)


def line_of(row, name, answer):
    parts = [f"{row.name} {row.size}".ljust(24), name.ljust(12), answer.verdict.ljust(13), f"{answer.wall:8.2f} s wall",
             f"{answer.cpu:8.2f} s CPU", f"{answer.megabytes:7.0f} MB"]
    if answer.runs is not None:
        parts.append(f"{answer.runs:,} runs")
    if answer.blocked:
        parts.append(f"{answer.blocked:,} blocked")
    if answer.states:
        parts.append(f"{answer.states:,} states")
    if answer.note:
        parts.append(answer.note.replace("\n", " "))
    return "  ".join(parts)


def tools_of(arguments, work):
    jobs = ["-j", str(arguments.jobs)]
    tools = [] if arguments.no_plait else [Plait("cumulative", arguments.plait, jobs, work)]
    if not arguments.no_exhaustive and not arguments.no_plait:
        tools.append(Plait("sleep sets", arguments.plait, ["--explore", "exhaustive", "--sleep-sets", *jobs], work))
    old = recorded.load(arguments.recorded) if arguments.recorded else {}
    if os.environ.get("GENMC"):
        tools.append(GenMC(os.environ["GENMC"], arguments.memory))
    elif "GenMC" in old:
        tools.append(recorded.Recorded("GenMC", old["GenMC"]))
    if os.environ.get("NIDHUGG"):
        tools.append(Nidhugg(os.environ["NIDHUGG"], arguments.nidhugg_modes.split(","), arguments.memory))
    elif "Nidhugg" in old:
        tools.append(recorded.Recorded("Nidhugg", old["Nidhugg"]))
    return tools


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", help="names, or parts of names (default: all)")
    parser.add_argument("--plait", default=os.path.join(HERE, "..", "build", "dist", "bin", "plait"))
    parser.add_argument("--group", choices=["classic", "papers", "all"], default="classic")
    parser.add_argument("--sizes", help="comma-separated, in place of each program's own (classic programs only)")
    parser.add_argument("--timeout", type=float, default=60, metavar="SECONDS",
                        help="of CPU time, for each tool on each program (60)")
    parser.add_argument("--peer-timeout", type=float, metavar="SECONDS", help="for GenMC and Nidhugg (as --timeout)")
    parser.add_argument("--repeat", type=int, default=3,
                        help="the best of this many, for checks of less than a second (3)")
    parser.add_argument("-j", "--jobs", type=int, default=1,
                        help="worker processes of Plait (1: the peers use one core)")
    parser.add_argument("--memory", type=int, default=8192, metavar="MB", help="bound for the peers (8192)")
    parser.add_argument("--no-exhaustive", action="store_true")
    parser.add_argument("--nidhugg-modes", default="optimal,rf,source", help="the best one counts (optimal,rf,source)")
    parser.add_argument("--record", metavar="FILE", help="add the peers' answers to this file")
    parser.add_argument("--recorded", metavar="FILE", help="where peers that are not here have answered before")
    parser.add_argument("--no-plait", action="store_true", help="run the peers only, to record them")
    parser.add_argument("--markdown", metavar="FILE", help="write the table there")
    parser.add_argument("--list", action="store_true", help="print the programs and their sizes")
    return parser.parse_args()


def main():
    arguments = parse()
    sizes = [int(size) for size in arguments.sizes.split(",")] if arguments.sizes else None
    rows = []
    if arguments.group in ("classic", "all"):
        rows += classic_rows(sizes)
    if arguments.group in ("papers", "all"):
        rows += paper_rows()
    rows = [row for row in rows if not arguments.programs or any(word in row.name for word in arguments.programs)]
    if arguments.list:
        for row in rows:
            print(row.group, row.name, row.size)
        return 0
    if not rows:
        sys.exit("no such program; --list shows them")
    if not os.access(arguments.plait, os.X_OK):
        sys.exit(f"{arguments.plait} is not there: build it, or name it with --plait")
    peer_timeout = arguments.peer_timeout or arguments.timeout
    disagreements = []
    nothing = Row("classic", "nothing", "", os.path.join(PROGRAMS, "classic", "nothing.c"), [], [])
    with tempfile.TemporaryDirectory(prefix="plait-table-") as work:
        tools = tools_of(arguments, work)
        if not tools:
            sys.exit("nothing to run: GENMC and NIDHUGG name the peers")
        compile_program(nothing, arguments.plait, work)
        for tool in tools:
            ask(nothing, tool, 60, 3)
        for row in rows:
            compile_program(row, arguments.plait, work)
            for tool in tools:
                ask(row, tool, arguments.timeout if isinstance(tool, Plait) else peer_timeout, arguments.repeat)
            if len({answer.verdict for answer in row.answers.values() if answer.done}) > 1:
                disagreements.append(f"{row.name} {row.size}")
        if arguments.record:
            peers = [tool for tool in tools if isinstance(tool, (GenMC, Nidhugg))]
            today = datetime.date.today().isoformat()
            recorded.save(arguments.record, peers, [nothing, *rows], markdown.machine(), today, peer_timeout)
        if arguments.markdown:
            text = markdown.document(rows, tools, nothing, arguments, disagreements, describe_revision())
            with open(arguments.markdown, "w", encoding="utf-8") as out:
                out.write(text)
    for row in disagreements:
        print(f"THE TOOLS DISAGREE on {row}")
    wrong = [row for row in rows if any(tool.wrong(row) for tool in tools if isinstance(tool, Plait))]
    for row in wrong:
        print(f"WRONG: {row.name} {row.size} is not found safe")
    return 1 if disagreements or wrong else 0


def describe_revision():
    command = ["git", "-C", HERE, "describe", "--always", "--dirty"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown revision"


if __name__ == "__main__":
    sys.exit(main())
