#!/usr/bin/env python3
"""Thread-state merging on the examples and the classic programs: nodes of the behaviour graphs with and without it.

  bench/merges.py --plait build/dist/bin/plait [--markdown docs/merging-table.md]

For each program: runs, histories (edges) and search states with --merge off and on, how many nodes were found to be one with another
(merged), and how many were not although all that can follow from them is the same (alike: stale registers and stack slots).
Then the counter of the papers with more and more increments per thread, with merging."""
import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLASSIC = [("readers", 8), ("lastzero", 6), ("indexer", 12), ("fib_bench", 3), ("fib_bench", 4), ("counter", 4), ("counter", 5), ("accounts", 5),
           ("sb_ring", 6), ("rvexample", 3), ("ticketlock", 4), ("treiber_stack", 2), ("treiber_stack", 3), ("ms_queue", 2), ("seqlock", 2),
           ("rwlock", 2), ("peterson", 2), ("bakery", 2), ("dekker", 2)]
COUNTER = (5, 10, 20, 40)


def check(plait, program, merge, limit):
    command = [plait, "check", "--format", "json", "-q", "--keep-going", "--races", "off", "--timeout", str(limit), "--merge", merge,
               "-o", str(program.parent / "out"), str(program)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)


def markdown(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|---" * len(head) + "|"] + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def counters(plait, work, limit):
    """Two threads, MAX unprotected increments each."""
    rows = []
    for most in COUNTER:
        program = pathlib.Path(work) / f"counter-max-{most}"
        subprocess.run([plait, "cc", f"-DMAX={most}", str(ROOT / "bench/programs/papers/counter.c"), "-o", str(program)], check=True)
        result = check(plait, program, "on", limit)
        mark = "" if result["complete"] else " (not complete)"
        rows.append([str(most), f"{result['executions']}{mark}", str(result["histories"]), str(result["states"]), f"{result['seconds']:.2f}"])
        print("MAX " + " | ".join(rows[-1]), flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plait", default=str(ROOT / "build/dist/bin/plait"))
    parser.add_argument("--markdown")
    parser.add_argument("--limit", type=int, default=20, help="seconds for each check")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as work:
        jobs = [(f"{name} {size}", ROOT / f"bench/programs/classic/{name}.c", [f"-DN={size}"]) for name, size in CLASSIC]
        jobs += [(path.name, path, []) for path in sorted((ROOT / "examples").glob("*.c*"))]
        for title, source, flags in jobs:
            program = pathlib.Path(work) / title.replace(" ", "-").replace(".", "-")
            compiler = "cc" if source.suffix == ".c" else "c++"
            subprocess.run([arguments.plait, compiler, *flags, str(source), "-o", str(program)], check=True)
            off, on = (check(arguments.plait, program, merge, arguments.limit) for merge in ("off", "on"))
            cells = [title]
            for result in (off, on):
                mark = "" if result["complete"] else " (not complete)"
                cells += [f"{result['executions']}{mark}", str(result["histories"]), str(result["states"])]
            rows.append(cells + [str(on["merged"]), str(on["alike"])])
            print(" | ".join(rows[-1]), flush=True)
        growth = counters(arguments.plait, work, arguments.limit)
    if arguments.markdown:
        head = ["program", "runs, off", "histories, off", "states, off", "runs, on", "histories, on", "states, on", "merged", "alike, not merged"]
        text = markdown(head, rows) + "\n" + markdown(["MAX", "runs", "histories", "states", "seconds"], growth)
        pathlib.Path(arguments.markdown).write_text(text)


if __name__ == "__main__":
    main()
