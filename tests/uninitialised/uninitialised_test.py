#!/usr/bin/env python3
"""Memory without a value that decides something is found, wherever it lies, and nothing else is: every shape of a source file, every explorer.

`shapes NAME 1` gives every value, `shapes NAME 0` leaves one out; shapes called fine_... are correct either way.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bounds"))
from bounds_test import main  # noqa: E402


# Without optimisation, what goes through a local that has an initialiser counts as written (docs/uninitialised.md).
OPTIMISED = ("heap_atomic_load", "heap_sum", "heap_long_sum", "local_longer_array")


def cases_of(names, level):
    for name in names:
        if level == "-O0" and name in OPTIMISED:
            continue
        yield [name, "1"], "safe"
        yield [name, "0"], "safe" if name.startswith("fine_") else "bug uninitialised-read"


if __name__ == "__main__":
    main(cases_of, ["-D_GNU_SOURCE", "-Wno-uninitialized", "-Wno-sometimes-uninitialized", "-Wno-format-truncation"], ["--races", "off"])
