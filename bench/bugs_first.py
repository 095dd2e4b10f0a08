#!/usr/bin/env python3
"""How soon is the first bug found? The default explorer beside the others, on programs that have a bug.

  bench/bugs_first.py --plait build/dist/bin/plait [--timeout 20] [--markdown FILE] [NAME...]

Each program is checked until its first bug by each explorer, with -j1. Runs are the executions up to there, CPU time is
that of the whole command, with the confirmation and the shortening of the bug, which all have to do. `random` and `pct`
depend on luck: of three seeds the middle one counts. Only the standard library is used."""
import argparse
import os
import re
import sys
import tempfile
from dataclasses import dataclass, field

from tools import Plait, run

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")
EXPLORERS = {"default": [], "random": ["random"], "pct": ["pct"], "icb": ["icb"], "dpor": ["dpor"]}
SEEDS = (1, 2, 3)
FACTOR = 2  # how much worse than the best one the default may be

# Where the bug is one of the schedule, and no other option is needed.
EXAMPLES = ["bank.cc", "dining.cc", "double_checked.cc", "lock_order.c", "lockfree_stack.cc", "lost_wakeup.c"]
STORIES = ["aba.cc", "barrier_reuse.cc", "deadlock_order.cc", "deadlock_three.cc", "double_free.cc", "lost_score.cc",
           "lost_update.cc", "lost_wakeup.cc", "null_after_check.cc", "one_signal_two_waiters.cc", "philosophers.c",
           "pipeline.cc", "pool_stop.cc"]
LARGER = {"reorder.c": 8, "twostage.c": 8, "wronglock.c": 7, "philosophers.c": 9, "sigma.c": 12, "pool.c": 5,
          "fib_sum.c": 7, "indexer.c": 6}


@dataclass
class Row:
    group: str
    name: str
    source: str
    flags: list = field(default_factory=list)
    binary: str = ""
    answers: dict = field(default_factory=dict)

    def best(self):
        return min((a.cpu for a in self.answers.values() if a.verdict == "bug"), default=None)

    def ratio(self):
        mine, best = self.answers.get("default"), self.best()
        return mine.cpu / best if mine and mine.verdict == "bug" and best else None


def all_rows():
    own = os.path.join(HERE, "programs", "bugs")
    for name in sorted(os.listdir(own)):
        if name.endswith(".c"):
            yield Row("classic", name, os.path.join(own, name))
            if name in LARGER:
                size = LARGER[name]
                yield Row("classic", f"{name} {size}", os.path.join(own, name), [f"-DN={size}"])
    for name in EXAMPLES:
        yield Row("examples", name, os.path.join(ROOT, "examples", name))
    for name in STORIES:
        yield Row("stories", name, os.path.join(ROOT, "tests", "stories", "programs", name))


def compile_row(plait, row, directory):
    compiler = "cc" if row.source.endswith(".c") else "c++"
    row.binary = os.path.join(directory, re.sub(r"\W+", "_", f"{row.group} {row.name}"))
    ran = run([plait, compiler, "-O1", "-w", *row.flags, row.source, "-o", row.binary], 120)
    if ran.code != 0:
        sys.exit(f"{row.name}: {ran.output}")


def find(row, plait, explorer, directory, timeout):
    """One explorer's answer; the middle one of several seeds where it draws."""
    options = ["-j", "1", "--races", "off"]
    if not EXPLORERS[explorer]:
        return Plait("plait", plait, options, directory).check(row, timeout)
    options += ["--explore", *EXPLORERS[explorer]]
    if explorer not in ("random", "pct"):
        return Plait("plait", plait, options, directory).check(row, timeout)
    answers = [Plait("plait", plait, [*options, "--seed", str(seed)], directory).check(row, timeout) for seed in SEEDS]
    return sorted(answers, key=lambda answer: (answer.verdict != "bug", answer.cpu))[len(answers) // 2]


def cell(answer):
    if answer.verdict != "bug":
        return f"{answer.verdict} ({answer.runs:,})" if answer.runs is not None else answer.verdict
    return f"{answer.runs:,} / {answer.cpu:.2f}"


def table(rows):
    lines = ["| | program | " + " | ".join(EXPLORERS) + " | default : best |",
             "|---|---|" + "---:|" * (len(EXPLORERS) + 1)]
    for row in rows:
        ratio = row.ratio()
        cells = [cell(row.answers[explorer]) for explorer in EXPLORERS]
        lines.append(f"| {row.group} | {row.name} | " + " | ".join(cells) + f" | {f'{ratio:.1f}' if ratio else '-'} |")
    return lines


def summary(rows):
    good = sum(1 for row in rows if row.ratio() and row.ratio() <= FACTOR)
    lines = ["", f"The default is the best, or within {FACTOR} times of the best: {good} of {len(rows)} programs.", "",
             "| explorer | found | within " + str(FACTOR) + " times of the best |", "|---|---:|---:|"]
    for explorer in EXPLORERS:
        found = [row for row in rows if row.answers[explorer].verdict == "bug"]
        near = [row for row in found if row.answers[explorer].cpu <= FACTOR * row.best()]
        lines.append(f"| {explorer} | {len(found)} | {len(near)} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plait", required=True)
    parser.add_argument("--timeout", type=float, default=20, help="CPU seconds for one search (default: 20)")
    parser.add_argument("--markdown", help="write the table there, too")
    parser.add_argument("names", nargs="*", help="only these programs")
    options = parser.parse_args()
    rows = [row for row in all_rows() if not options.names or row.name in options.names]
    if not rows:
        sys.exit("no such program")
    with tempfile.TemporaryDirectory() as directory:
        for row in rows:
            compile_row(options.plait, row, directory)
            for explorer in EXPLORERS:
                row.answers[explorer] = find(row, options.plait, explorer, directory, options.timeout)
            print(table([row])[-1], flush=True)
    text = "\n".join(table(rows) + summary(rows)) + "\n"
    print("\n" + "\n".join(summary(rows)))
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
