#!/usr/bin/env python3
"""Compares what all explorers say about C and C++ programs, without knowing what is right.

  differential.py --plait build/dist/bin/plait FILE...        .c and .cc files, or programs compiled by the wrapper
  differential.py ... --model tso --timeout 20 FILE -- ARGS

Each program is compiled once and checked with every explorer, with and without merging, with one and two workers, under
each memory model. Compared: the bugs by kind and line (races only between explorers that know them), the outcomes, with
--keep-going; and without it, whether there is a bug at all. Answers that are not complete say nothing about what they
have not found: of them only what nobody else has found counts as a difference. Comment lines FLAGS, ARGS and OPTIONS of
the whole-program tests are understood. Exit code 1 if any program has a difference.
"""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

QUESTIONS = (
    ["--explore", "cumulative", "-j", "1"],
    ["--explore", "cumulative", "-j", "2"],
    ["--explore", "cumulative", "--merge", "off", "-j", "1"],
    ["--explore", "mcr", "-j", "1"],
    ["--explore", "dpor", "-j", "1"],
    ["--explore", "icb", "-j", "1"],
    ["--explore", "exhaustive", "-j", "2"],
    ["--explore", "exhaustive", "--sleep-sets", "-j", "1"],
)
# A deadlock is reported at one of the threads that wait, a livelock at one of the loops: the line may differ.
WITHOUT_LINE = {"deadlock", "livelock"}
# How an end is called may depend on how it was noticed.
SAME = {"infinite-loop": "livelock"}


class Answer:
    """What one command said, or why it did not."""

    def __init__(self, question, done):
        self.name = " ".join(question)
        self.cumulative = "cumulative" in question
        try:
            result = json.loads(done.stdout)
        except json.JSONDecodeError:
            result = {"verdict": f"no answer, exit code {done.returncode}"}
        self.verdict = result["verdict"]
        self.complete = result.get("complete", False)
        self.limits = result.get("limits", [])
        self.bugs = {self.bug(b) for b in result.get("bugs", [])}
        self.outcomes = {o["stdout"] for o in result.get("outcomes", [])}

    @staticmethod
    def bug(bug):
        kind = SAME.get(bug["kind"], bug["kind"])
        return kind if kind in WITHOUT_LINE else f"{kind} at line {bug.get('line')}"

    def bugs_compared(self, other):
        """Races are known to cumulative only."""
        races = self.cumulative and other.cumulative
        return {b for b in self.bugs if races or not b.startswith("race")}


def directives(source):
    found = {}
    if source.endswith((".c", ".cc", ".cpp")):
        with open(source, encoding="utf-8") as text:
            for line in text:
                match = re.match(r"\s*//\s*(FLAGS|ARGS|OPTIONS|MEMORY-MODELS):\s*(.*)$", line)
                if match:
                    found[match[1]] = match[2]
    return found


def compiled(plait, source, flags, directory):
    if not source.endswith((".c", ".cc", ".cpp")):
        return os.path.abspath(source)
    program = os.path.join(directory, "program")
    compiler = ["cc", "-std=gnu17"] if source.endswith(".c") else ["c++", "-std=c++20"]
    subprocess.run([plait, *compiler, "-O1", "-pthread", *flags, source, "-o", program, "-lm"], check=True)
    return program


def ask(arguments, program, options, args, model, question, keep_going):
    command = [arguments.plait, "check", *question, "--memory-model", model, "--format", "json", "-q", "--no-config", "--no-minimise",
               "--timeout", str(arguments.timeout), "-o", os.path.join(os.path.dirname(program), "out"), *options]
    if keep_going:
        command += ["--keep-going", "--outcomes"]
    command += [program, "--", *args]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=arguments.timeout * 3 + 10)
    except subprocess.TimeoutExpired:
        done = subprocess.CompletedProcess(command, -1, "", "")
    return Answer(question + ([] if keep_going else ["(first bug)"]), done)


def misses(one, other):
    """What `one` should have found, since `other` has."""
    if not one.complete:
        return []
    found = []
    bugs = other.bugs_compared(one) - one.bugs_compared(other)
    if bugs:
        found.append(f"{one.name}: complete, but misses {sorted(bugs)} ({other.name})")
    if other.outcomes - one.outcomes:
        found.append(f"{one.name}: complete, but misses outcomes {sorted(other.outcomes - one.outcomes)[:3]} ({other.name})")
    return found


def differences(answers, firsts):
    found = []
    for one in answers:
        if one.verdict.startswith("no answer"):
            found.append(f"{one.name}: {one.verdict}")
        for other in answers:
            for text in misses(one, other):
                # One witness is enough.
                if not any(text.split(" (")[0] == f.split(" (")[0] for f in found):
                    found.append(text)
        # Nobody else sees it, although somebody else has seen everything.
        for other in answers:
            surplus = one.bugs_compared(other) - other.bugs_compared(one)
            if surplus and other.complete and not one.complete:
                found.append(f"{one.name}: {sorted(surplus)}, which {other.name} does not know, complete")
                break
    for first in firsts:
        known = [a for a in answers if first.name.startswith(a.name)][0]
        races_only = bool(known.bugs) and all(b.startswith("race") for b in known.bugs)
        if known.complete and first.verdict != ("bug" if known.bugs else "safe"):
            found.append(f"{first.name}: {first.verdict}, but {known.name} finds {sorted(known.bugs)}" + (" (races only)" if races_only else ""))
        if known.complete and first.bugs - known.bugs:
            found.append(f"{first.name}: {sorted(first.bugs - known.bugs)}, with --keep-going not found")
    return found


def compare(arguments, source, args):
    said = directives(source)
    options = shlex.split(said.get("OPTIONS", ""))
    models = arguments.model.split(",")
    if "--memory-model" in options:  # the program asks for one
        place = options.index("--memory-model")
        models = [options[place + 1]]
        del options[place:place + 2]
    args = args or shlex.split(said.get("ARGS", "").replace("%S", os.path.dirname(os.path.abspath(source))))
    directory = tempfile.mkdtemp(prefix="plait-differential-")
    count = 0
    try:
        program = compiled(arguments.plait, source, shlex.split(said.get("FLAGS", "")) + shlex.split(arguments.cflags), directory)
        for model in models:
            answers = [ask(arguments, program, options, args, model, q, True) for q in QUESTIONS]
            firsts = [ask(arguments, program, options, args, model, q, False) for q in (QUESTIONS[0], QUESTIONS[4])]
            found = differences(answers, firsts)
            incomplete = sum(not a.complete for a in answers)
            print(f"{source} {model}: {'DIFFERS' if found else 'agree'}, {sorted(set().union(*(a.bugs for a in answers)))}, "
                  f"{max(len(a.outcomes) for a in answers)} outcomes" + (f", {incomplete} not complete" if incomplete else ""), flush=True)
            for text in found:
                print(f"    {text}")
            if arguments.verbose:
                for a in answers + firsts:
                    print(f"    {a.name}: {a.verdict} {sorted(a.bugs)} {len(a.outcomes)} outcomes {a.limits}")
            count += bool(found)
    except subprocess.CalledProcessError as error:
        print(f"{source}: does not compile: {error}")
        count += 1
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    return count


def main():
    words = sys.argv[1:]
    args = words[words.index("--") + 1:] if "--" in words else []
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plait", default="plait")
    parser.add_argument("--model", default="sc,tso,pso")
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--cflags", default="")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args(words[:words.index("--")] if "--" in words else words)
    arguments.plait = shutil.which(arguments.plait) or os.path.abspath(arguments.plait)
    different = sum(compare(arguments, source, args) > 0 for source in arguments.files)
    print(f"{len(arguments.files)} programs, {different} with differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
