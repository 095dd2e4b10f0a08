#!/usr/bin/env python3
"""Ordinary C++, as people write it in tests: every program must be predicted, and be answered in a few runs.

Usage: corpus_test.py --plait PLAIT --work WORK SOURCE... The expectations stand in the programs' comments, in the words of
tests/programs/run_program_tests.py; MERGED: and no thread is opaque. A program that is not predicted from few runs (every interleaving is run instead, or the
search is not complete) fails, whatever its verdict; so does one that needs more than a few seconds of search, counted in
runs and states, which do not depend on the machine."""
import argparse
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../programs"))
from run_program_tests import EXIT_CODES, Expectation, Failure, Test, describe, run  # noqa: E402

MOST_RUNS = 1000
MOST_STATES = 1000000


class CorpusTest(Test):
    def check(self, program, suffix, model=None, variant=()):
        expected = Expectation(self.source, self.text, self.directives["CHECK" + suffix])
        command = [self.plait, "check", "--format", "json", "--max-executions", str(10 * MOST_RUNS), "-o", program + "-out",
                   *self.words("OPTIONS"), program, "--", *self.words("ARGS")]
        result = run(command)
        try:
            answer = json.loads(result.stdout)
        except ValueError:
            raise Failure("no JSON:\n" + describe(command, result)) from None
        problems = []
        if "cannot be predicted" in result.stderr:
            problems.append("it is not predicted")
        if "// MERGED\n" in self.text and answer["opaque"]:
            problems.append(f"something is opaque: {answer['opaque']}")
        if answer["verdict"] != expected.verdict or result.returncode != EXIT_CODES[expected.verdict]:
            problems.append(f"verdict: expected {expected.verdict}, got {answer['verdict']}")
        if expected.verdict == "safe" and (answer["limits"] or not answer["complete"]):
            problems.append(f"not complete: {answer['limits']}")
        if answer["executions"] > MOST_RUNS or answer["states"] > MOST_STATES:
            problems.append(f"too much work: {answer['executions']} runs, {answer['states']} states")
        for bug in answer["bugs"]:
            if expected.kinds and bug["kind"] not in expected.kinds:
                problems.append(f"kind: expected {'|'.join(expected.kinds)}, got {bug['kind']}")
            if expected.lines and bug["line"] not in expected.lines:
                problems.append(f"line: expected {expected.lines}, got {bug['file']}:{bug['line']}")
        if problems:
            raise Failure("\n".join(problems) + "\n" + describe(command, result))
        print(f"  {answer['verdict']}, {answer['executions']} runs, {answer['states']} states, {answer['seconds']:.2f} s")

    def run(self):
        for suffix in ("", "-FIXED") if "CHECK-FIXED" in self.directives else ("",):
            self.check(self.compile(bool(suffix)), suffix)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plait", required=True, help="the command under test")
    parser.add_argument("--work", required=True, help="folder for programs and results; emptied first")
    parser.add_argument("sources", nargs="+")
    arguments = parser.parse_args()
    failed = []
    for source in arguments.sources:
        work = os.path.join(os.path.abspath(arguments.work), os.path.basename(source))
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        print(os.path.basename(source), flush=True)
        try:
            CorpusTest(os.path.abspath(arguments.plait), os.path.abspath(source), work).run()
        except Failure as failure:
            print(f"FAILED {source}: {failure}")
            failed.append(os.path.basename(source))
        shutil.rmtree(work, ignore_errors=True)
    print(f"{len(arguments.sources) - len(failed)} of {len(arguments.sources)} as expected", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
