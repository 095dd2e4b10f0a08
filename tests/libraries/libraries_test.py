"""Real concurrent libraries, unchanged, each with a small test that the search completes.

Usage: libraries_test.py PLAIT SOURCE_DIR WORK_DIR [PROGRAM...]. Programs that have a claim which holds in some schedules
only are also checked with -DWRONG: a check that explored too little would call it safe. The table that it prints is that of
docs/libraries.md."""
import json
import os
import subprocess
import sys

PLAIT, SOURCE, WORK = (os.path.abspath(a) for a in sys.argv[1:4])
CHOSEN = sys.argv[4:]
HERE = os.path.join(SOURCE, "tests/libraries")
# ck: its inline assembly is invisible, its form with compiler builtins is not.
CK = "-DCK_USE_CC_BUILTINS=1"
CXX17 = "-std=c++17"
FMT = CXX17 + " -DFMT_HEADER_ONLY"
SIGC = CXX17 + " -I/usr/include/sigc++-3.0 -I/usr/lib/x86_64-linux-gnu/sigc++-3.0/include -lsigc-3.0"

# program, library, flags, what --races off says, what --races on says
PROGRAMS = (
    ("asio_context.cc", "Asio 1.22 `io_context`, two threads post", CXX17, "safe", "safe"),
    ("asio_pool.cc", "Asio 1.22 `thread_pool`, a future", CXX17, "safe", "safe"),
    ("atomic_queue.cc", "`atomic_queue::AtomicQueue`", CXX17, "safe", "safe"),
    ("boost_asio_pool.cc", "Boost 1.74 `asio::thread_pool`, a strand", CXX17, "safe", "safe"),
    ("boost_intrusive_ptr.cc", "Boost 1.74 `intrusive_ptr`", "", "safe", "safe"),
    ("boost_queue.cc", "Boost 1.74 `lockfree::queue`, two producers", "", "safe", "race"),
    ("boost_queue_pop.cc", "Boost 1.74 `lockfree::queue`, two consumers", "", "safe", "race"),
    ("boost_signals.cc", "Boost 1.74 `signals2`", "", "safe", "safe"),
    ("boost_spsc_queue.cc", "Boost 1.74 `lockfree::spsc_queue`", "", "safe", "safe"),
    ("boost_stack.cc", "Boost 1.74 `lockfree::stack`", "", "safe", "safe"),
    ("cereal_archive.cc", "cereal 1.3.2, archives handed over", CXX17, "safe", "safe"),
    ("ck_ring.c", "Concurrency Kit 0.7.1 `ck_ring`, one producer, one consumer", CK, "safe", "race"),
    ("ck_sequence.c", "Concurrency Kit 0.7.1 `ck_sequence`", CK, "safe", "race"),
    ("ck_spinlock.c", "Concurrency Kit 0.7.1 `ck_spinlock_fas`", CK, "safe", "race"),
    ("ck_stack.c", "Concurrency Kit 0.7.1 `ck_stack`, two producers", CK, "safe", "race"),
    ("colony.cc", "`plf::colony` 7.10 behind a mutex", CXX17, "safe", "safe"),
    ("fmt_lines.cc", "fmt 9.1, its headers", CXX17, "safe", "safe"),
    ("httplib_pool.cc", "cpp-httplib 0.11 `ThreadPool`", CXX17, "safe", "safe"),
    ("json_shared.cc", "nlohmann `json` 3.11 behind a mutex", CXX17, "safe", "safe"),
    ("moodycamel_blocking.cc", "moodycamel `BlockingConcurrentQueue` 1.0.3", "", "safe", "safe"),
    ("moodycamel_queue.cc", "moodycamel `ConcurrentQueue` 1.0.3", "", "safe", "safe"),
    ("range_views.cc", "range-v3 0.12, views of a shared vector", CXX17, "safe", "safe"),
    ("readerwriterqueue.cc", "moodycamel `ReaderWriterQueue` 1.0.6", "", "safe", "safe"),
    ("rvaser_pool.cc", "rvaser's `thread_pool` 4.0, one worker, two jobs", CXX17, "safe", "safe"),
    ("spdlog_ostream.cc", "spdlog 1.10, two threads, one sink", FMT, "safe", "safe"),
    ("xenium_left_right.cc", "xenium `left_right`", CXX17, "safe", "safe"),
    ("xenium_queue.cc", "xenium `michael_scott_queue`, hazard pointers", CXX17, "safe", "safe"),
    ("xenium_vyukov.cc", "xenium `vyukov_bounded_queue`", CXX17, "safe", "safe"),
)

# Code that Debian has compiled: the answer must name it. Program, library, flags, what is said.
COMPILED = (
    ("sigc_signal.cc", "libsigc++ 3.4", SIGC, "library: libsigc-3.0.so.0"),
    ("tbb_queue.cc", "TBB 2021.8 `concurrent_queue`", CXX17 + " -ltbb", "dlopen is not supported"),
)


def compile_program(program, flags):
    binary = os.path.join(WORK, program.rsplit(".", 1)[0] + ("-wrong" if "WRONG" in flags else ""))
    compiler = "cc" if program.endswith(".c") else "c++"
    words = [PLAIT, compiler, *[flag for flag in flags.split() if not flag.startswith("-l")], program, "-o", binary,
             *[flag for flag in flags.split() if flag.startswith("-l")]]
    ran = subprocess.run(words, cwd=HERE, capture_output=True, text=True)
    if ran.returncode != 0:
        raise SystemExit(f"{program} cannot be compiled: {ran.stdout}{ran.stderr}")
    return binary


def check(binary, races):
    words = [PLAIT, "check", "--format", "json", "--timeout", "1200", "--races", races, "-o", binary + "-out", binary]
    ran = subprocess.run(words, cwd=HERE, capture_output=True, text=True)
    if ran.returncode not in (0, 5, 10):
        raise SystemExit(f"{binary}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return json.loads(ran.stdout)


def kinds_of(answer):
    return [bug["kind"] for bug in answer["bugs"]] or [answer["verdict"]]


def check_predicted(program, library, flags, verdict, races, failures):
    binary = compile_program(program, flags)
    answer = check(binary, "off")
    if kinds_of(answer) != [verdict] or answer["limits"]:
        failures.append(f"{program}: {answer['verdict']}, {answer['bugs']}, {answer['limits']}")
    if any(one["cost"].startswith("every") for one in answer["opaque"]):
        failures.append(f"{program}: not predicted, {answer['opaque']}")
    raced = check(binary, "on")
    if kinds_of(raced) != [races]:
        failures.append(f"{program}: with --races on {kinds_of(raced)}, {raced['limits']}, expected {races}")
    with open(os.path.join(HERE, program)) as source:
        if "#ifdef WRONG" in source.read():
            wrong = check(compile_program(program, flags + " -DWRONG"), "off")
            if kinds_of(wrong) != ["assertion"]:
                failures.append(f"{program}: the wrong claim was not refuted: {wrong['verdict']}")
    print(f"| {library} | {verdict} | {answer['executions']} | {answer['states']} | {answer['seconds']:.2f} | {races} |", flush=True)


def check_compiled(program, library, flags, name, failures):
    answer = check(compile_program(program, flags), "on")
    said = [limit for limit in answer["limits"] if name in limit]
    if answer["verdict"] != "inconclusive" or not said:
        failures.append(f"{program}: {answer['verdict']}, {answer['bugs']}, {answer['limits']}: {name} is not named")
    print(f"| {library} | {answer['verdict']} | {said[0] if said else ''} |", flush=True)


def main():
    failures = []
    os.makedirs(WORK, exist_ok=True)
    if unknown := set(CHOSEN) - {row[0] for row in (*PROGRAMS, *COMPILED)}:
        raise SystemExit(f"no row for {unknown}")
    print("| library | `--races off` | runs | states | seconds | `--races on` |\n|---|---|---|---|---|---|")
    for row in PROGRAMS:
        if not CHOSEN or row[0] in CHOSEN:
            check_predicted(*row, failures)
    for row in COMPILED:
        if not CHOSEN or row[0] in CHOSEN:
            check_compiled(*row, failures)
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
