#!/usr/bin/env python3
"""What each reduction of the search brings: states and CPU time without one of them, with all, and with none.

  bench/reductions.py --plait build/dist/bin/plait [--limit SECONDS] [--markdown FILE]

A check that does not end within the limit has the states that it came to, and a `>`. The reductions are those of
src/explore/reductions.h; others (cones, equal futures, persistent sets) cannot be turned off."""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
REDUCTIONS = ["blockers", "passing", "symmetry"]
CLASSIC = [("readers", 12), ("writers", 8), ("lastzero", 12), ("indexer", 16), ("fib_bench", 4), ("counter", 6), ("accounts", 8),
           ("sb_ring", 8), ("sb_ring", 12), ("peterson", 3), ("dekker", 3), ("bakery", 3), ("rvexample", 4), ("ticketlock", 7),
           ("treiber_stack", 3), ("ms_queue", 3), ("seqlock", 3), ("rwlock", 3)]
WEAK = [("lastzero", 10), ("fib_bench", 4), ("sb_ring", 8)]
PAPERS = [("bubblesort", ["-DINPUT=4", "-DFIXED"]), ("pingpong", ["-DTHREADS=5"])]
ALIKE = [("workers", ["-DN=8"]), ("workers", ["-DN=12"]), ("pool", ["-DW=2", "-DJ=2"]), ("pool", ["-DW=2", "-DJ=4"]), ("pool", ["-DW=3", "-DJ=3"]),
         ("pool", ["-DW=3", "-DJ=4"])]


def programs(plait, work):
    """(title, program, memory model)"""
    jobs = [(f"{name} {size}", ROOT / f"bench/programs/classic/{name}.c", [f"-DN={size}"], "sc") for name, size in CLASSIC]
    jobs += [(f"{name} {size} (tso)", ROOT / f"bench/programs/classic/{name}.c", [f"-DN={size}"], "tso") for name, size in WEAK]
    jobs += [(" ".join([name, *flags]), ROOT / f"bench/programs/papers/{name}.c", flags, "sc") for name, flags in PAPERS]
    jobs += [(" ".join([name, *flags]), next((ROOT / "bench/programs/alike").glob(name + ".*")), flags, "sc") for name, flags in ALIKE]
    for title, source, flags, model in jobs:
        program = pathlib.Path(work) / title.replace(" ", "_")
        compiler = "c++" if source.suffix == ".cc" else "cc"
        subprocess.run([plait, compiler, "-O1", *flags, str(source), "-o", str(program)], check=True)
        yield title, program, model


def check(plait, program, model, without, limit):
    """States, with a mark if there would be more, and seconds of CPU time."""
    command = [plait, "check", "-j", "1", "--format", "json", "-q", "--races", "off", "--memory-model", model, "--timeout", str(limit), "-o",
               str(program.parent / "out"), str(program)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PLAIT_WITHOUT": ",".join(without)})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    answer = json.loads(done.stdout)
    return f"{'' if answer['complete'] else '> '}{answer['states']:,}", f"{seconds:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plait", default=str(ROOT / "build/dist/bin/plait"))
    parser.add_argument("--markdown")
    parser.add_argument("--limit", type=int, default=20, help="seconds for each check")
    arguments = parser.parse_args()
    ways = [("all", []), *[(f"without {name}", [name]) for name in REDUCTIONS], ("with none", REDUCTIONS)]
    head = ["program", *[f"{title}: {what}" for title, _ in ways for what in ("states", "s")]]
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    with tempfile.TemporaryDirectory() as work:
        for title, program, model in programs(arguments.plait, work):
            cells = [title]
            for _, without in ways:
                cells += check(arguments.plait, program, model, without, arguments.limit)
            lines.append("| " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    if arguments.markdown:
        pathlib.Path(arguments.markdown).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
