#!/usr/bin/env python3
"""Checks that `--explore mcr` knows exactly the read-value classes of the papers' programs, with at most 1.2 runs each.

oracles.txt says how many classes there are under which memory model; --most-classes leaves out the largest programs.
"""
import sys

import oracle


def judge(program, model, classes, _):
    answer = program.check(model, "--explore", "mcr", "--classes", "--races", "off")
    problems = oracle.not_safe(answer)
    if answer["classes"] != int(classes):
        problems.append(f"classes: expected {classes}, got {answer['classes']}")
    if answer["executions"] > 1.2 * int(classes):
        problems.append(f"{answer['executions']} runs for {classes} classes")
    solver = answer["solver"]
    if solver["slowest"] > 0.1:
        problems.append(f"a query took {solver['slowest']:.3f} s")
    return (f"{classes} classes, {answer['executions']} runs, {solver['queries']} queries, "
            f"{1e3 * solver['seconds']:.1f} ms"), problems


def main():
    parser = oracle.parser_of(__doc__)
    parser.add_argument("--most-classes", type=int, default=3000)
    arguments = parser.parse_args()
    return oracle.run(arguments, "oracles.txt", judge,
                      wanted=lambda classes: int(classes) <= arguments.most_classes)


if __name__ == "__main__":
    sys.exit(main())
