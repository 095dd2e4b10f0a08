#!/usr/bin/env python3
"""Every function of libstdc++.so has a row in standard_library.def, every row a function, and what is said to be instrumented
is in libplait_standard.a.

Usage: standard_library_test.py src/instrument LIBPLAIT_STANDARD"""
import collections
import os
import re
import subprocess
import sys

FOLDER, ARCHIVE = sys.argv[1:3]
# Not C++'s own names: tests/libcalls, and known_calls.cc's kPrefixes.
OTHER_LANGUAGES = ("__cxa_", "__gxx_", "__dynamic_cast", "__once_proxy", "atomic_flag_", "_ZTh", "_ZTv", "_ZTc", "_ZTw", "_ZGT")


def symbols(*command):
    for line in subprocess.run(("nm", "--defined-only", *command), capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "TWiV" and not words[2].startswith("_ZT" if words[1] == "V" else "_ZTV"):
            yield words[2].split("@")[0]


def library():
    asked = subprocess.run(["clang++-19", "-print-file-name=libstdc++.so"], capture_output=True, text=True, check=True)
    return os.path.realpath(asked.stdout.strip())


def main():
    with open(os.path.join(FOLDER, "standard_library.def"), encoding="utf-8") as file:
        rows = re.findall(r'^PLAIT_STANDARD\((\w+), "([^"]+)"\)', file.read(), re.M)
    with open(os.path.join(FOLDER, "redirect.def"), encoding="utf-8") as file:
        redirected = set(re.findall(r"^PLAIT_REDIRECT\((\w+)\)", file.read(), re.M))
    own = set(symbols(ARCHIVE))
    failures, used, counts = [], set(), collections.Counter()
    functions = sorted(set(symbols("-D", library())))
    for function in functions:
        row = max((row for row in rows if function.startswith(row[1])), key=lambda row: len(row[1]), default=None)
        if function.startswith(OTHER_LANGUAGES):
            continue
        if not row:
            failures.append(f"{function} has no row")
            continue
        used.add(row)
        counts[row[0]] += 1
        if row[0] == "Instrumented" and function not in own and function not in redirected:
            failures.append(f"{function} is said to be instrumented, and is not in {os.path.basename(ARCHIVE)}")
    failures += [f"no function begins with {row[1]}" for row in rows if row not in used]
    print(len(functions), "functions:", ", ".join(f"{number} {what.lower()}" for what, number in sorted(counts.items())))
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
