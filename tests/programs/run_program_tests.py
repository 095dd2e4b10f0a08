#!/usr/bin/env python3
"""Whole-program tests: compile one program with Plait, check it, compare with what its comments say, replay its bugs.

The expectations stand in the program, in comment lines of their own:

  // CHECK: verdict=bug kind=deadlock line=@tag    what `plait check` must answer; verdict=safe|bug|inconclusive.
                                                   kind and line take alternatives (a|b); @tag means any line marked
                                                   "// @tag"; line=N a number. One CHECK line per program.
  // CHECK-FIXED: verdict=safe                     the same for the program compiled with -DFIXED (corrected version)
  // OUTCOMES: "a\\n" "b\\n"                         the exact set of standard outputs (several lines add up);
                                                   OUTCOMES-FIXED likewise. Implies --outcomes --keep-going.
  // INTERLEAVINGS: 20                             the exact number (INTERLEAVINGS-FIXED likewise)
  // NOTES: exit-with-threads                      the kinds of the notes, each once (NOTES-FIXED likewise); default: not compared
  // INPUTS: fixed                                 does the program take inputs? explored, fixed or none; default: not compared
  // ARGS: 3 "two words"                           arguments of the program; %S is the folder of this script
  // FLAGS: -D_GNU_SOURCE                          for the compiler
  // BUGS: 3                                       how many distinct bugs CHECK finds, at least (with --keep-going); default: not compared
  // OPTIONS: --races off                          for plait check
  // MEMORY-MODELS: tso (why not pso)              where the same must come out, OUTCOMES and INTERLEAVINGS left aside; default: tso pso
  // EXPLORE: random                               explorer; default: cumulative for the check, exhaustive for the self-check
  // EXPLORERS: all                                the same must come out of every complete explorer, and without merging
  // SELF-CHECK: off (why)                         no second run of every schedule

A program without CHECK is an error, and so is a program that uses FIXED without CHECK-FIXED, or an unknown directive.
Every test compiles with `plait cc`/`plait c++`, checks, replays every bug file that the check wrote (exit code 10: the
same failure again) and runs the check once more with --self-check, which runs every schedule twice and compares traces.
"""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

EXIT_CODES = {"safe": 0, "bug": 10, "inconclusive": 5}
LIMIT_SECONDS = 1200  # against hangs; a busy machine is slow
# Enough for every program here to be complete but the ones that say EXPLORE: random.
SELF_CHECK_RUNS = 20000
AUDIT_RUNS = 60  # random schedules behind each `safe`
DIRECTIVES = ("CHECK", "CHECK-FIXED", "OUTCOMES", "OUTCOMES-FIXED", "INTERLEAVINGS", "INTERLEAVINGS-FIXED", "NOTES", "NOTES-FIXED", "INPUTS", "ARGS",
              "BUGS", "FLAGS", "OPTIONS", "MEMORY-MODELS", "EXPLORE", "EXPLORERS", "SELF-CHECK")
VARIANTS = (["--merge", "off"], *(["--explore", name] for name in ("mcr", "dpor", "icb", "exhaustive")))


class Failure(Exception):
    pass


def directives_of(source, text):
    found = {}
    for line in text.splitlines():
        match = re.match(r"\s*//\s*([A-Z][A-Z-]+):\s*(.*)$", line)
        if not match:
            continue
        name, value = match.groups()
        if name not in DIRECTIVES:
            raise Failure(f"{source}: unknown directive {name}")
        if name in found and not name.startswith("OUTCOMES"):
            raise Failure(f"{source}: {name} twice")
        found[name] = (found.get(name, "") + " " + value).strip()
    if found.get("EXPLORERS", "all") != "all":
        raise Failure(f"{source}: EXPLORERS: all, or nothing")
    if "CHECK" not in found:
        raise Failure(f"{source}: no CHECK line, so there is nothing to expect")
    if ("CHECK-FIXED" in found) != bool(re.search(r"^\s*#\s*(ifdef|ifndef|if).*\bFIXED\b", text, re.M)):
        raise Failure(f"{source}: FIXED in the code and CHECK-FIXED go together")
    return found


class Expectation:
    def __init__(self, source, text, line):
        words = dict(word.split("=", 1) for word in line.split())
        unknown = set(words) - {"verdict", "kind", "line"}
        if unknown or words.get("verdict") not in EXIT_CODES:
            raise Failure(f"{source}: bad expectation: {line}")
        self.verdict = words["verdict"]
        self.kinds = words["kind"].split("|") if "kind" in words else None
        self.lines = None
        if "line" in words:
            self.lines = [number for word in words["line"].split("|") for number in lines_named(source, text, word)]


def lines_named(source, text, word):
    if not word.startswith("@"):
        return [int(word)]
    numbers = [i for i, line in enumerate(text.splitlines(), 1) if re.search(r"//.*" + word + r"\b", line) and "CHECK" not in line]
    if not numbers:
        raise Failure(f"{source}: no line is marked {word}")
    return numbers


def strings_in(text):
    """The quoted C strings of a directive, unescaped."""
    return {json.loads(quoted) for quoted in re.findall(r'"(?:[^"\\]|\\.)*"', text)}


def run(command, **options):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, **options)
    except subprocess.TimeoutExpired:
        raise Failure(f"took more than {LIMIT_SECONDS} s: {shlex.join(command)}") from None


def describe(command, result):
    return f"  {shlex.join(command)}\n  exit code {result.returncode}\n{result.stdout}{result.stderr}"


class Test:
    def __init__(self, plait, source, work):
        self.plait = plait
        self.source = source
        self.work = work
        with open(source, encoding="utf-8") as file:
            self.text = file.read()
        self.directives = directives_of(source, self.text)

    def words(self, name):
        folder = os.path.dirname(os.path.abspath(__file__))
        return [word.replace("%S", folder) for word in shlex.split(self.directives.get(name, ""))]

    def compile(self, fixed):
        program = os.path.join(self.work, "fixed" if fixed else "program")
        cxx = self.source.endswith(".cc")
        # -O1 is the wrapper's own default; warnings are errors so that the programs stay clean.
        command = [self.plait, "c++" if cxx else "cc", "-std=c++20" if cxx else "-std=gnu17", "-Wall", "-Wextra", "-Werror",
                   "-pthread", *self.words("FLAGS"), *(["-DFIXED"] if fixed else []), self.source, "-o", program]
        result = run(command)
        if result.returncode:
            raise Failure("does not compile:\n" + describe(command, result))
        return program

    def check_command(self, program, output, extra):
        command = [self.plait, "check", "--format", "json", "-q", "--audit", str(AUDIT_RUNS), "-o", output, *self.words("OPTIONS"), *extra]
        if "EXPLORE" in self.directives:
            command += ["--explore", self.directives["EXPLORE"].split()[0]]
        return [*command, program, "--", *self.words("ARGS")]

    def check(self, program, suffix, model=None, variant=()):
        expected = Expectation(self.source, self.text, self.directives["CHECK" + suffix])
        output = program + "-out"
        outcomes = self.directives.get("OUTCOMES" + suffix) if not model else None
        extra = ["--outcomes", "--keep-going"] if outcomes else ["--memory-model", model] if model else []
        extra += variant
        command = self.check_command(program, output, extra)
        result = run(command)
        try:
            answer = json.loads(result.stdout)
        except ValueError:
            raise Failure("no JSON:\n" + describe(command, result)) from None
        problems = []

        def compare(what, wanted, got):
            if wanted != got:
                problems.append(f"{what}: expected {wanted}, got {got}")

        compare("verdict", expected.verdict, answer.get("verdict"))
        compare("exit code", EXIT_CODES[expected.verdict], result.returncode)
        if model:
            compare("memory model", model, answer.get("memory_model"))
        compare("bugs listed", expected.verdict == "bug", bool(answer.get("bugs")))
        for bug in answer.get("bugs", []):
            if expected.kinds and bug["kind"] not in expected.kinds:
                problems.append(f"kind: expected {'|'.join(expected.kinds)}, got {bug['kind']}")
            if expected.lines and (bug["line"] not in expected.lines or os.path.basename(bug["file"]) != os.path.basename(self.source)):
                problems.append(f"line: expected {expected.lines}, got {bug['file']}:{bug['line']}")
        if "BUGS" in self.directives and not suffix and len(answer.get("bugs", [])) < int(self.directives["BUGS"]):
            problems.append(f"bugs: expected {self.directives['BUGS']}, got {len(answer.get('bugs', []))}")
        if outcomes:
            compare("outcomes", sorted(strings_in(outcomes)), sorted(o["stdout"] for o in answer.get("outcomes", [])))
        if "INTERLEAVINGS" + suffix in self.directives and not model and not variant:
            compare("interleavings", int(self.directives["INTERLEAVINGS" + suffix]), answer.get("interleavings"))
        if "INPUTS" in self.directives:
            compare("inputs", self.directives["INPUTS"], answer.get("inputs"))
        if "NOTES" + suffix in self.directives:
            wanted = self.directives["NOTES" + suffix].split()
            compare("notes", sorted(wanted), sorted({note["kind"] for note in answer.get("notes", [])}))
        if problems:
            raise Failure("\n".join(problems) + "\n" + describe(command, result))
        print(f"  {' '.join([model] if model else variant)} {expected.verdict}, {answer.get('executions')} executions, {answer.get('seconds'):.2f} s")
        return answer

    def replay(self, answer):
        for bug in answer.get("bugs", []):
            command = [self.plait, "replay", bug["schedule"]]
            result = run(command)
            if result.returncode != EXIT_CODES["bug"]:
                raise Failure("the bug does not come again:\n" + describe(command, result))
            print(f"  replayed {bug['kind']}")

    def self_check(self, program, verdict):
        if self.directives.get("SELF-CHECK", "").startswith("off"):
            return
        extra = ["--self-check", "--keep-going"]
        if "--max-executions" not in self.words("OPTIONS"):
            extra += ["--max-executions", str(SELF_CHECK_RUNS)]
        # Every schedule twice makes sense where every schedule is run; so both explorers must agree on the verdict, too.
        if "EXPLORE" not in self.directives:
            extra += ["--explore", "exhaustive"]
        command = self.check_command(program, program + "-self", extra)
        result = run(command)
        try:
            answer = json.loads(result.stdout)
        except ValueError:
            raise Failure("self-check gave no JSON:\n" + describe(command, result)) from None
        # Not all schedules of a large program are run twice: then, and only then, the verdict may be weaker.
        limits = answer.get("limits", [])
        cut_off = answer["verdict"] == "inconclusive" and all(limit.startswith("max-executions") for limit in limits)
        if (answer["verdict"] != verdict and not cut_off) or any(limit.startswith("divergence") for limit in limits):
            raise Failure("self-check failed:\n" + describe(command, result))
        if not answer.get("executions"):
            raise Failure("self-check ran nothing:\n" + describe(command, result))
        print(f"  self-check: {answer['executions']} executions")

    def run_variant(self, suffix):
        print(f"{os.path.basename(self.source)}{' (fixed)' if suffix else ''}")
        program = self.compile(bool(suffix))
        answer = self.check(program, suffix)
        self.replay(answer)
        self.self_check(program, answer["verdict"])
        for model in self.directives.get("MEMORY-MODELS", "tso pso").split("(")[0].split():
            self.replay(self.check(program, suffix, model))
        if "EXPLORERS" in self.directives:
            for variant in VARIANTS:
                self.check(program, suffix, variant=variant)

    def run(self):
        self.run_variant("")
        if "CHECK-FIXED" in self.directives:
            self.run_variant("-FIXED")


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
        try:
            Test(os.path.abspath(arguments.plait), os.path.abspath(source), work).run()
        except Failure as failure:
            print(f"FAILED {source}: {failure}")
            failed.append(source)
    if failed:
        print(f"{len(failed)} of {len(arguments.sources)} failed: {' '.join(os.path.basename(f) for f in failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
