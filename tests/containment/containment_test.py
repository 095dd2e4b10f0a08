"""The containment corpus: programs that do something terrible, in some interleavings only. Whatever it is, the check ends,
tells it for what it is, and nothing else suffers: one worker or two, with and without --keep-going.

Usage: containment_test.py PLAIT SOURCE_DIR WORK_DIR SHARD SHARDS. In each program:
  // EXPECT: bug KIND            a bug of that kind (one of several: KIND|KIND)
  // EXPECT: inconclusive WORDS  a limit that begins so
  // EXPECT: safe                what it does is legal, or the system refuses it
  // OPTIONS: ...                of plait check
  // FLAGS: ...                  of the compiler"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

PLAIT, SOURCE, WORK = (os.path.abspath(word) for word in sys.argv[1:4])
SHARD, SHARDS = int(sys.argv[4]), int(sys.argv[5])
CORPUS = os.path.join(SOURCE, "tests/containment/programs")
EXIT_CODES = {"safe": 0, "bug": 10, "inconclusive": 5}
LEAST = 120  # programs, all shards together
LIMIT = 3000  # seconds, against hangs


def directive(text, name):
    found = re.search(rf"^// {name}: (.*)$", text, re.M)
    return found.group(1) if found else ""


def problems_of(answer, code, expected):
    verdict, _, words = expected.partition(" ")
    problems = []
    if answer["verdict"] != verdict:
        problems.append(f"verdict: expected {verdict}, got {answer['verdict']}")
    if code != EXIT_CODES[verdict]:
        problems.append(f"exit code: expected {EXIT_CODES[verdict]}, got {code}")
    if verdict == "bug":
        problems += [f"kind: expected {words}, got {bug['kind']}" for bug in answer["bugs"] if bug["kind"] not in words.split("|")]
    elif answer["bugs"]:
        problems.append("bugs: none expected")
    if verdict == "inconclusive" and not any(limit.startswith(words) for limit in answer["limits"]):
        problems.append(f"limits: expected {words}, got {answer['limits']}")
    return problems


def test(name):
    with open(os.path.join(CORPUS, name)) as file:
        text = file.read()
    expected = directive(text, "EXPECT")
    program = os.path.join(WORK, name.replace(".", "_"))
    cxx = name.endswith(".cc")
    subprocess.run([PLAIT, "c++" if cxx else "cc", "-std=c++20" if cxx else "-std=gnu17", "-Wno-everything", "-pthread",
                    "-I" + os.path.dirname(CORPUS), *shlex.split(directive(text, "FLAGS")), os.path.join(CORPUS, name), "-o", program, "-lm"],
                   check=True, timeout=LIMIT)
    problems = []
    for variant in (["-j", "1"], ["-j", "2"], ["-j", "1", "--keep-going"], ["-j", "2", "--keep-going"]):
        ran = subprocess.run([PLAIT, "check", "-q", "--format", "json", "-o", program + "-out", *variant, *shlex.split(directive(text, "OPTIONS")),
                              program], capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL, cwd=WORK)
        try:
            found = problems_of(json.loads(ran.stdout), ran.returncode, expected)
        except ValueError:
            found = [f"no JSON, exit code {ran.returncode}: {ran.stderr[-300:]}"]
        problems += [f"{name} {' '.join(variant)}: {problem}" for problem in found]
    left = subprocess.run(["pgrep", "-f", "^" + re.escape(program) + "$"], capture_output=True, text=True).stdout.split()
    if left:
        problems.append(f"{name}: processes are left behind: {left}")
    return problems


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    names = sorted(name for name in os.listdir(CORPUS) if name.endswith((".c", ".cc")))
    if len(names) < LEAST:
        sys.exit(f"only {len(names)} programs in {CORPUS}")
    failed = 0
    for name in names[SHARD::SHARDS]:
        problems = test(name)
        failed += bool(problems)
        print("\n".join(problems) or f"{name}: as expected", flush=True)
    print(f"{len(names[SHARD::SHARDS])} programs, 4 checks each, {failed} not as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
