"""Real concurrent libraries, unchanged, each with a small test that the search completes.

Usage: libraries_test.py PLAIT SOURCE_DIR WORK_DIR. Every program is also checked with -DWRONG, a claim that holds in some
schedules only: a check that explored too little would call it safe."""
import json
import os
import subprocess
import sys

PLAIT, SOURCE, WORK = (os.path.abspath(a) for a in sys.argv[1:4])
HERE = os.path.join(SOURCE, "tests/libraries")
# ck: its inline assembly is invisible, its form with compiler builtins is not.
CK = "-DCK_USE_CC_BUILTINS=1"

# program, library, flags, what --races on says
PROGRAMS = (
    ("boost_queue.cc", "Boost 1.74 `lockfree::queue`, two producers", "", "race"),
    ("boost_queue_pop.cc", "Boost 1.74 `lockfree::queue`, two consumers", "", "race"),
    ("boost_spsc_queue.cc", "Boost 1.74 `lockfree::spsc_queue`", "", "safe"),
    ("moodycamel_queue.cc", "moodycamel `ConcurrentQueue` 1.0.3", "", "safe"),
    ("readerwriterqueue.cc", "moodycamel `ReaderWriterQueue` 1.0.6", "", "safe"),
    ("ck_ring.c", "Concurrency Kit 0.7.1 `ck_ring`, one producer, one consumer", CK, "race"),
    ("ck_spinlock.c", "Concurrency Kit 0.7.1 `ck_spinlock_fas`", CK, "race"),
    ("ck_stack.c", "Concurrency Kit 0.7.1 `ck_stack`, two producers", CK, "race"),
    ("ck_sequence.c", "Concurrency Kit 0.7.1 `ck_sequence`", CK, "race"),
)


def check(program, races, flags):
    words = [PLAIT, "check", "--format", "json", "--timeout", "1200", "--races", races, "-o",
             os.path.join(WORK, program + "-" + races + ("-wrong" if "WRONG" in flags else ""))]
    if flags:
        words += ["--cflags", flags]
    ran = subprocess.run(words + [program], cwd=HERE, capture_output=True, text=True)
    if ran.returncode not in (0, 5, 10):
        raise SystemExit(f"{program}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return json.loads(ran.stdout)


def main():
    failures, rows = [], []
    for program, library, flags, races in PROGRAMS:
        answer = check(program, "off", flags)
        if answer["verdict"] != "safe" or not answer["complete"]:
            failures.append(f"{program}: {answer['verdict']}, {answer['bugs']}, {answer['limits']}")
        raced = check(program, "on", flags)
        kinds = [bug["kind"] for bug in raced["bugs"]] or [raced["verdict"]]
        if kinds != [races]:
            failures.append(f"{program}: with --races on {kinds}, expected {races}")
        wrong = check(program, "off", (flags + " -DWRONG").strip())
        if [bug["kind"] for bug in wrong["bugs"]] != ["assertion"]:
            failures.append(f"{program}: the wrong claim was not refuted: {wrong['verdict']}")
        rows.append((library, answer["verdict"], answer["executions"], answer["seconds"], races))
    print("| library | verdict (`--races off`) | runs | seconds | `--races on` |\n|---|---|---|---|---|")
    for library, verdict, executions, seconds, races in rows:
        print(f"| {library} | {verdict} | {executions} | {seconds:.2f} | {races} |")
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
