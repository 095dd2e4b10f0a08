#!/usr/bin/env python3
"""Checks that the runs of `--explore dpor` show all read-value classes of the papers' programs under TSO and PSO, and none is made in vain.

oracles.txt says how many classes there are.
"""
import sys

import oracle

# More traces than a test has time for: the threads of PingPong do the same things in any order.
TOO_LARGE = {("pingpong", "-DTHREADS=4"), ("pingpong", "-DTHREADS=5")}


def judge(program, model, classes, *_):
    answer = program.check(model, "--races", "off", "--explore", "dpor", "--classes")
    problems = oracle.not_safe(answer)
    if answer["classes"] != int(classes):
        problems.append(f"classes: expected {classes}, got {answer['classes']}")
    if answer["interleavings"] < int(classes):
        problems.append(f"{answer['interleavings']} traces cannot show {classes} classes")
    if answer["blocked_executions"]:
        problems.append(f"{answer['blocked_executions']} runs in vain")
    return f"{answer['classes']} classes, {answer['interleavings']} traces, {answer['seconds']:.2f} s", problems


def main():
    arguments = oracle.parser_of(__doc__).parse_args()
    return oracle.run(arguments, "oracles.txt", judge, skipped=lambda name, flags, model: model == "sc" or (name, flags) in TOO_LARGE)


if __name__ == "__main__":
    sys.exit(main())
