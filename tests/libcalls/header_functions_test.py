#!/usr/bin/env python3
"""No function of the threading headers is forgotten: each stands in header_functions.txt, and what that says is true.

The headers are preprocessed, so a new libc's functions are noticed. A function that `works` or is `refused` is defined by the runtime; one that
is refused is called, and the check must end with its name.
"""
import argparse
import json
import os
import re
import subprocess
import sys

HEADERS = ("pthread.h", "threads.h", "semaphore.h", "sched.h", "signal.h", "unistd.h")
PARTS = r"/(pthread|threads|semaphore|sched|signal|unistd)\.h$|/bits/(sched|cpu-set|sigthread|unistd_ext|getopt_posix|signal_ext|sigaction|semaphore)\.h$"
CLASSES = ("works", "redirected", "refused", "alias", "harmless", "opaque")
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..", "src")


def declarations(compiler):
    """Function -> does its declaration give it another symbol?"""
    text = "#define _GNU_SOURCE\n" + "".join(f"#include <{header}>\n" for header in HEADERS)
    output = subprocess.run([compiler, "-E", "-x", "c", "-"], input=text, capture_output=True, text=True, check=True).stdout
    part, kept = "", []
    for line in output.splitlines():
        marker = re.match(r'# \d+ "([^"]+)"', line)
        if marker:
            part = marker.group(1)
        elif re.search(PARTS, part):
            kept.append(line)
    found = {}
    for declaration in " ".join(kept).split(";"):
        plain = re.sub(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)", "", declaration)
        name = re.search(r"extern\b[^{}()]*?\(?\s*\*?\(?(\w+)\)?\s*\(", re.sub(r"__asm__\s*\([^)]*\)", "", plain))
        if name:
            found[name.group(1)] = "__asm__" in plain
    return found


def table():
    rows = {}
    with open(os.path.join(HERE, "header_functions.txt"), encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#") and line.strip():
                name, kind = line.split()
                rows[name] = kind
    return rows


def defined_symbols(runtime):
    listing = subprocess.run(["nm", "--defined-only", runtime], capture_output=True, text=True, check=True).stdout
    return {words[2] for words in map(str.split, listing.splitlines()) if len(words) == 3 and words[1] in "TW"}


def redirected():
    with open(os.path.join(SOURCE, "instrument", "redirect.def"), encoding="utf-8") as file:
        return set(re.findall(r"^PLAIT_REDIRECT\((\w+)\)", file.read(), re.M))


def known():
    with open(os.path.join(SOURCE, "instrument", "known_calls.def"), encoding="utf-8") as file:
        text = file.read()
    return {kind: set(re.findall(rf"\b{kind}\((\w+)\)", text)) for kind in ("PLAIT_STAND_IN", "PLAIT_PURE", "PLAIT_UNSEEN")}


def check_table(rows, declared, symbols, calls):
    problems = [f"{name} is declared and not in the table" for name in sorted(set(declared) - set(rows))]
    problems += [f"{name}: unknown class {kind}" for name, kind in rows.items() if kind not in CLASSES]
    stand_ins = {name for name in calls["PLAIT_STAND_IN"] if name not in symbols}
    problems += [f"{name} is listed as a stand-in, and the runtime has none" for name in sorted(stand_ins)]
    pure = {name for name in calls["PLAIT_PURE"] if name in symbols}
    problems += [f"{name} is listed as pure, and the runtime has a stand-in" for name in sorted(pure)]
    unseen = calls["PLAIT_UNSEEN"] & (symbols | redirected() | calls["PLAIT_STAND_IN"] | calls["PLAIT_PURE"])
    problems += [f"{name} is listed as unseen, and is not" for name in sorted(unseen)]
    for name, kind in rows.items():
        if name not in declared:
            continue  # an older or a newer libc
        here = name in symbols
        if kind in ("works", "refused") and not here:
            problems.append(f"{name} {kind}: the runtime does not define it")
        if kind in ("harmless", "opaque", "redirected", "alias") and here:
            problems.append(f"{name} {kind}: the runtime defines it")
        if kind == "redirected" and name not in redirected():
            problems.append(f"{name}: not in redirect.def")
        if kind == "alias" and not declared[name]:
            problems.append(f"{name}: has a symbol of its own")
        trusted = name in calls["PLAIT_PURE"] or re.match("pthread_|sem_|mtx_|cnd_|thrd_|tss_", name)
        if kind == "opaque" and trusted:
            problems.append(f"{name}: trusted by the pass, so it cannot be opaque")
    return problems


def check_refused(plait, names, work):
    """Each is called through a pointer of a type that fits none of them."""
    source = os.path.join(work, "refused.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <pthread.h>\n#include <string.h>\nstatic const char* name;\n")
        for name in names:
            file.write(f'void plait_test_{name}(long, long, long) __asm__("{name}");\n')
        file.write("static void* calls(void* unused) {\n")
        for name in names:
            file.write(f'  if (!strcmp(name, "{name}")) plait_test_{name}(1, 1, 1);\n')
        file.write("  return unused;\n}\nint main(int argc, char** argv) {\n  name = argc > 1 ? argv[1] : \"\";\n  pthread_t thread;\n"
                   "  pthread_create(&thread, NULL, calls, NULL);\n  pthread_join(thread, NULL);\n  return 0;\n}\n")
    program = os.path.join(work, "refused")
    subprocess.run([plait, "cc", "-pthread", source, "-o", program], check=True)
    problems = []
    for name in names:
        command = [plait, "check", "--format", "json", "-q", "-o", os.path.join(work, "out"), program, "--", name]
        done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
        if done.returncode != 5 or f"{name}" not in json.dumps(json.loads(done.stdout)["limits"]):
            problems.append(f"{name} is not refused by name: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plait", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--work", required=True)
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    rows, declared, symbols = table(), declarations(arguments.compiler), defined_symbols(arguments.runtime)
    problems = check_table(rows, declared, symbols, known())
    refused = [name for name, kind in rows.items() if kind == "refused" and name in symbols]
    problems += check_refused(arguments.plait, refused, arguments.work)
    print(f"{len(declared)} functions declared, {len(refused)} refused ones called, {len(problems)} problems")
    for problem in problems:
        print("  " + problem)
    return 1 if problems or len(declared) < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
