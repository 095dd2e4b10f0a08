#!/usr/bin/env python3
"""Checks how many combinations of paths the programs of MPC's paper have, and how few runs find all of them.

paths.txt says what is expected; the programs are in bench/programs/papers.
"""
import sys

import oracle


def judge(program, model, paths, most_runs, least_by_s1):
    answer = program.check(model, "--paths", "--races", "off", audit=0)
    problems = oracle.not_safe(answer)
    if answer["explore"] != "paths" or answer["paths"] != int(paths):
        problems.append(f"paths: expected {paths}, got {answer['paths']} ({answer['explore']})")
    if most_runs != "-" and answer["executions"] > int(most_runs):
        problems.append(f"runs: expected at most {most_runs}, got {answer['executions']}")
    text = f"{answer['paths']} paths, {answer['executions']} runs, {answer['states']} states"
    for strategy, expected in (("s1", least_by_s1), ("s2", paths)):
        if least_by_s1 == "-":
            continue
        found = program.check(model, "--explore", "mpc", "--strategy", strategy, "--races", "off",
                              audit=0)
        problems += oracle.not_safe(found)
        if found["paths"] != int(expected):
            problems.append(f"{strategy}: expected {expected} paths, got {found['paths']}")
        text += f"; {strategy}: {found['paths']} paths, {found['executions']} runs"
    return text, problems


if __name__ == "__main__":
    sys.exit(oracle.run(oracle.parser_of(__doc__).parse_args(), "paths.txt", judge, models=("sc",), more_flags=["-fplait-inputs"]))
