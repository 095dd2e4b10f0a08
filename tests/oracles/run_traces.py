#!/usr/bin/env python3
"""Checks that `--explore dpor` makes one run for each Mazurkiewicz trace of the papers' programs, and none in vain.

traces.txt says what is expected; the programs are in bench/programs/papers.
"""
import sys

import oracle


def judge(program, model, traces):
    answer = program.check(model, "--races", "off", "--explore", "dpor")
    problems = oracle.not_safe(answer)
    if answer["interleavings"] != int(traces):
        problems.append(f"traces: expected {traces}, got {answer['interleavings']}")
    if answer["blocked_executions"]:
        problems.append(f"{answer['blocked_executions']} runs in vain")
    return f"{answer['interleavings']} traces, {answer['executions']} runs", problems


if __name__ == "__main__":
    sys.exit(oracle.run(oracle.parser_of(__doc__).parse_args(), "traces.txt", judge, models=["sc"]))
