#!/usr/bin/env python3
"""Checks that the cumulative explorer finds exactly the read-value classes of the papers' programs, with few runs.

oracles.txt says what is expected under which memory model; the programs are in bench/programs/papers.
"""
import sys

import oracle


def judge(program, model, classes, most_runs):
    # --classes needs no runs of its own, so this is also the number that plain checking needs.
    answer = program.check(model, "--classes", "--races", "off")
    problems = oracle.not_safe(answer)
    if answer["classes"] != int(classes):
        problems.append(f"classes: expected {classes}, got {answer['classes']}")
    if model == "sc" and most_runs != "-" and answer["executions"] > int(most_runs):
        problems.append(f"runs: expected at most {most_runs}, got {answer['executions']}")
    return (f"{answer['classes']} classes, {answer['executions']} runs, {answer['histories']} histories, "
            f"{answer['states']} states"), problems


if __name__ == "__main__":
    sys.exit(oracle.run(oracle.parser_of(__doc__).parse_args(), "oracles.txt", judge))
