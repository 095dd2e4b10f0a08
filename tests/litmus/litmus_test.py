#!/usr/bin/env python3
"""Litmus shapes under SC, TSO and PSO: the outcomes that Plait finds are those of an independent model, neither more nor less.

  litmus_test.py --model                     the model against what was written down by hand, without Plait
  litmus_test.py --table                     prints the table of docs/litmus.md
  litmus_test.py --docs FILE                 that table is in FILE
  litmus_test.py --plait PLAIT --work DIR [--explorers LIST] [--models LIST] [--only NAME]
"""
import argparse
import json
import os
import subprocess
import sys

from emit import program_text
from model import outcomes_of
from program import by_hand
from shapes import SHAPES

MODELS = ("sc", "tso", "pso")


def problems_by_hand(shape):
    """Where the model differs from what was written down by hand."""
    found = {model: outcomes_of(shape, model) for model in MODELS}
    for asked in by_hand(shape.asked):
        for model in MODELS:
            if (asked in found[model]) != (model in shape.models.split()):
                yield f"{model}: {asked} is {'allowed' if asked in found[model] else 'not allowed'}"
    for model, expected in shape.sets.items():
        if found[model] != expected:
            yield f"{model}: by hand {sorted(expected)}, the model says {sorted(found[model])}"
    if not found["sc"] <= found["tso"] <= found["pso"]:
        yield "a weaker model allows less"


def check_model():
    failed = 0
    for shape in SHAPES:
        for problem in problems_by_hand(shape):
            failed += 1
            print(f"{shape.name}: {problem}")
    names = [shape.name for shape in SHAPES]
    if len(set(names)) != len(names):
        failed += 1
        print("two shapes of one name")
    by_hand_in_full = sum(bool(shape.sets) for shape in SHAPES)
    print(f"{len(SHAPES)} shapes, {by_hand_in_full} of them with all outcomes by hand, {failed} differences")
    return 1 if failed else 0


def table():
    lines = ["| shape | threads | SC | TSO | PSO | asked | allowed under |", "|---|---|---:|---:|---:|---|---|"]
    for shape in SHAPES:
        counts = " | ".join(str(len(outcomes_of(shape, model))) for model in MODELS)
        asked = next(iter(by_hand(shape.asked)), "")
        condition = ", ".join(f"{name}={value}" for name, value in zip(shape.columns(), asked.split(","))) if asked else ""
        allowed = (", ".join(shape.models.split()).upper() or "none") if asked else ""
        text = shape.text.strip().replace("|", "\\|").replace("  ", " ")
        start = "".join(f"{name}={value} at first; " for name, value in shape.start.items())
        lines.append(f"| {shape.name} | {start}`{text}` | {counts} | {condition} | {allowed} |")
    return "\n".join(lines) + "\n"


def options_of(explorer):
    return ["--explore"] + explorer.split("+")[:1] + [f"--{option}" for option in explorer.split("+")[1:]]


def ask(plait, program, work, shape, model, explorer):
    """What Plait says: the set of outcomes, or a text that says what went wrong."""
    command = [plait, "check", "--memory-model", model, *options_of(explorer), "--outcomes", "--format", "json",
               "--keep-going", "--races", "off", "-q", "-j", "1", "-o", os.path.join(work, "out"), program, "--", shape.name]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=1200, check=False)
    try:
        answer = json.loads(ran.stdout)
    except ValueError:
        return f"exit code {ran.returncode}: {ran.stdout}{ran.stderr}"
    if ran.returncode != 0 or not answer["complete"] or answer["bugs"]:
        return f"exit code {ran.returncode}, {answer['verdict']}, {answer['bugs']}, {answer['limits']}"
    return {outcome["stdout"].strip() for outcome in answer["outcomes"]}


def check_plait(arguments):
    os.makedirs(arguments.work, exist_ok=True)
    source, program = os.path.join(arguments.work, "shapes.c"), os.path.join(arguments.work, "shapes")
    with open(source, "w", encoding="utf-8") as out:
        out.write(program_text(SHAPES))
    subprocess.run([arguments.plait, "cc", "-std=gnu17", "-O1", "-pthread", source, "-o", program], check=True)
    shapes = [shape for shape in SHAPES if arguments.only in (None, shape.name)]
    checks = failed = 0
    for shape in shapes:
        for model in arguments.models.split(","):
            expected = outcomes_of(shape, model)
            for explorer in arguments.explorers.split(","):
                checks += 1
                got = ask(arguments.plait, program, arguments.work, shape, model, explorer)
                if got == expected:
                    continue
                failed += 1
                print(f"FAILED {shape.name} ({model}, {explorer}): {shape.text}\n  columns  {' '.join(shape.columns())}")
                if isinstance(got, str):
                    print(f"  {got}")
                else:
                    print(f"  missing  {' '.join(sorted(expected - got))}\n  too many {' '.join(sorted(got - expected))}")
                sys.stdout.flush()
    print(f"{len(shapes)} shapes, {checks} checks, {failed} failed")
    return 1 if failed or not checks else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--docs")
    parser.add_argument("--plait")
    parser.add_argument("--work")
    parser.add_argument("--explorers", default="cumulative,exhaustive")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--only")
    arguments = parser.parse_args()
    if arguments.model:
        return check_model()
    if arguments.table:
        print(table(), end="")
        return 0
    if arguments.docs:
        with open(arguments.docs, encoding="utf-8") as page:
            same = table() in page.read()
        print("the table is up to date" if same else "the table is old: litmus_test.py --table")
        return 0 if same else 1
    if not arguments.plait or not arguments.work:
        parser.error("--plait and --work are needed")
    return check_plait(arguments)


if __name__ == "__main__":
    sys.exit(main())
