#!/usr/bin/env python3
"""Accesses outside of an object are found, whatever memory it lies in, and those inside are not: every shape of a source file, every explorer.

`shapes NAME INDEX` uses an array of four elements at an index that another thread publishes. 4 and -1 lie right outside, 1000 and -1000 far
outside (found where the access names the object), 3 lies inside.
"""
import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

VARIANTS = ([], ["--merge", "off"], ["-j", "2"], ["--memory-model", "tso"], ["--memory-model", "pso"], ["--keep-going"],
            *(["--explore", name] for name in ("mcr", "dpor", "icb", "exhaustive")))
LEVELS = ("-O0", "-O1", "-O2")


def answer(plait, program, work, words, options):
    jobs = [] if "-j" in options else ["-j", "1"]
    output = os.path.join(work, "-".join(words))
    command = [plait, "check", "--format", "json", "-q", *jobs, "-o", output, *options, program, "--", *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
        found = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return "took more than a minute"
    except ValueError:
        return f"no JSON: {done.stdout}{done.stderr}"
    kinds = sorted({bug["kind"] for bug in found["bugs"]})
    return " ".join([found["verdict"], *kinds])


def cases_of(names, _level):
    for name in names:
        wrong = "bug heap-overflow" if name.startswith("heap_") else "bug out-of-bounds"
        yield [name, "3"], "safe"
        for index in ("4", "-1") + (("1000", "-1000") if name.startswith("far_") else ()):
            yield [name, index], wrong


def main(cases_of, flags=(), options=(), often=lambda words: True):
    """`often`: with every variant at the default level, and not only with one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--plait", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true", help="the default level and explorer only")
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    cxx = arguments.source.endswith(".cc")
    jobs = []
    for level in ("-O1",) if arguments.quick else LEVELS:
        program = os.path.join(arguments.work, "shapes" + level)
        subprocess.run([arguments.plait, "c++" if cxx else "cc", "-std=c++20" if cxx else "-std=gnu17", "-Wall", "-Wextra", "-Werror", *flags, level,
                        "-pthread", arguments.source, "-o", program, "-lm"], check=True)
        names = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
        if not names:
            sys.exit("no shapes")
        for number, (words, expected) in enumerate(case for case in cases_of(names, level) if arguments.only in case[0][0]):
            variants = [[]] if arguments.quick else VARIANTS if level == "-O1" and often(words) else [VARIANTS[number % len(VARIANTS)]]
            jobs += [(program, level, words, expected, variant) for variant in variants]

    def run(job):
        program, level, words, expected, variant = job
        got = answer(arguments.plait, program, os.path.join(arguments.work, "out"), [*words], [*variant, *options])
        return None if got == expected else f"{level} {' '.join(words)} {' '.join(variant)}: {got}, not {expected}"

    with ThreadPoolExecutor(2) as pool:
        failures = [failure for failure in pool.map(run, jobs) if failure]
    print("\n".join(failures))
    print(f"{len(jobs)} checks, {len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main(cases_of, often=lambda words: words[1] in ("3", "4"))
