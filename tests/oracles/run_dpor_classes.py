#!/usr/bin/env python3
"""Checks that the runs of `--explore dpor` show all read-value classes of the papers' programs under TSO and PSO, and none is made in vain.

oracles.txt says how many classes there are.
"""
import os
import sys

import oracle
from rows import rows

# More traces than a test has time for: the threads of PingPong do the same things in any order.
TOO_LARGE = {("pingpong", "-DTHREADS=4"), ("pingpong", "-DTHREADS=5")}


def problems_of(answer, classes):
    yield from oracle.not_safe(answer)
    if answer["classes"] != classes:
        yield f"classes: expected {classes}, got {answer['classes']}"
    if answer["interleavings"] < classes:
        yield f"{answer['interleavings']} traces cannot show {classes} classes"
    if answer["blocked_executions"]:
        yield f"{answer['blocked_executions']} runs in vain"


def main():
    arguments = oracle.parser_of(__doc__).parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    passed = failed = 0
    for row in rows():
        models = [model for model in ("tso", "pso") if model in row.classes]
        if not models or (row.name, row.flags) in TOO_LARGE:
            continue
        program = oracle.Program(arguments, row.name, row.flags.split(",") if row.flags != "-" else [])
        for model in models:
            answer = program.check("--explore", "dpor", "--memory-model", model, "--classes")
            problems = list(problems_of(answer, row.classes[model]))
            print(f"{row.name} {row.flags} {model}: {answer['classes']} classes, {answer['interleavings']} traces, "
                  f"{answer['seconds']:.2f} s{'   FAILED: ' + '; '.join(problems) if problems else ''}", flush=True)
            failed += bool(problems)
            passed += not problems
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
