"""What the scripts of this folder share: each row of a table names a program, its flags and what is expected of it."""
import argparse
import json
import os
import subprocess

MODELS = ("sc", "tso", "pso")


class Program:
    """One of bench/programs/papers, compiled with the flags of its row."""

    def __init__(self, arguments, name, flags):
        self.plait, self.binary = arguments.plait, os.path.join(arguments.work, name)
        subprocess.run([self.plait, "cc", *flags, "-Wno-unused-value", os.path.join(arguments.programs, name + ".c"),
                        "-o", self.binary], check=True)

    def check(self, model, *options, audit=10):
        command = [self.plait, "check", "--memory-model", model, "--format", "json", "-q", "-j", "1", "--audit", str(audit),
                   "-o", self.binary + "-out", *options, self.binary]
        return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=1200).stdout)


def not_safe(answer):
    """The first problem of a program that should be safe, as a list."""
    if answer["verdict"] == "safe" and answer["complete"]:
        return []
    return [f"verdict {answer['verdict']}, limits {answer['limits']}, bugs {answer['bugs']}"]


def parser_of(description):
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--plait", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--work", required=True)
    return parser


def rows(table):
    """Name, flags and the other columns of each row."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), table), encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, flags, *expected = line.split()
                yield name, flags, expected


def run(arguments, table, judge, defines=(), models=MODELS, more_flags=(), wanted=lambda expected: True,
        skipped=lambda name, flags, model: False):
    """The first columns say what is expected under each of the memory models, "-" if nothing. judge(program, model, expected,
    *other columns) gives a text and a list of problems, for all that is `wanted` and not `skipped`."""
    os.makedirs(arguments.work, exist_ok=True)
    passed = failed = 0
    for name, flags, columns in rows(table):
        program = Program(arguments, name, [*more_flags, *defines, *(flags.split(",") if flags != "-" else [])])
        for model, expected in zip(models, columns):
            if expected == "-" or not wanted(expected) or skipped(name, flags, model):
                continue
            text, problems = judge(program, model, expected, *columns[len(models):])
            print(f"{name} {flags} {model}: {text}{'   FAILED: ' + '; '.join(problems) if problems else ''}", flush=True)
            failed += bool(problems)
            passed += not problems
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0
