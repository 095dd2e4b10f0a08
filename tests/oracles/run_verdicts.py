#!/usr/bin/env python3
"""Checks that the buggy versions of the papers' programs fail, by an assertion, and the fixed ones are safe.

verdicts.txt says what is expected under which memory model; the programs are in bench/programs/papers.
"""
import sys

import oracle


def judge(program, model, verdict, most_runs):
    answer = program.check(model, "--races", "off")
    problems = [] if verdict == "bug" else oracle.not_safe(answer)
    if answer["verdict"] != verdict or {bug["kind"] for bug in answer["bugs"]} - {"assertion"}:
        problems.append(f"expected {verdict}; {answer['bugs']}, {answer['limits']}")
    if verdict == "bug" and most_runs != "-" and answer["executions"] > int(most_runs):
        problems.append(f"expected at most {most_runs} runs")
    return f"{answer['verdict']}, {answer['executions']} runs, {answer['seconds']:.2f} s", problems


if __name__ == "__main__":
    sys.exit(oracle.run(oracle.parser_of(__doc__).parse_args(), "verdicts.txt", judge, defines=["-DPROPERTY"]))
