#!/usr/bin/env python3
"""Checks that the buggy versions of the papers' programs fail, by an assertion, and the fixed ones are safe.

verdicts.txt says what is expected; the programs are in bench/programs/papers.
"""
import sys

import oracle


def judge(program, verdict):
    answer = program.check("--races", "off")
    kinds = {bug["kind"] for bug in answer["bugs"]}
    right = answer["verdict"] == verdict and kinds <= {"assertion"} and (verdict == "bug" or answer["complete"])
    problems = [] if right else [f"expected {verdict}; {answer['bugs']}, {answer['limits']}"]
    return f"{answer['verdict']}, {answer['executions']} runs, {answer['seconds']:.2f} s", problems


if __name__ == "__main__":
    sys.exit(oracle.run(oracle.parser_of(__doc__).parse_args(), "verdicts.txt", judge, defines=["-DPROPERTY"]))
