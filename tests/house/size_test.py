"""Files and functions stay small, in src, tests, bench, include and runtimes: 500 lines for a file, unless its first lines say why it is
longer; 60 for a function, unless it is a flat table: a switch or a list whose lines are alike."""
import ast
import os
import re
import sys
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))
MOST_LINES = 500
MOST_IN_FUNCTION = 60
REASON = "Long because"
# Functions that may be longer, and why.
LONG_FUNCTIONS = {
    ("tests/sweep/semantics.cc", "Semantics::step"): "one case for each word of the sweep's language",
    ("tests/sweep/semantics.cc", "Semantics::step_of_memory"): "likewise, for the words about blocks and locals",
    ("tests/sweep/semantics.cc", "Semantics::pending_among_the_living"): "likewise: what each word waits for",
    ("tests/sweep/interp_library.c", "written_by_library"): "one case for each library function",
}
HEAD = re.compile(r"^( *)(?!.*\b(?:namespace|class|struct|enum|union|if|for|while|switch|do|else)\b)[\w:<>~*&,\[\] ]+\(.*\)[\w ]*(?:->.*)? \{$")


def sources():
    for top in ("src", "tests", "bench", "include", "runtimes"):
        for directory, _, files in os.walk(os.path.join(ROOT, top)):
            for name in sorted(files):
                if name.endswith((".cc", ".h", ".py", ".c")) and "programs" not in directory and "libcalls" not in directory:
                    yield os.path.join(directory, name)


def lines_of(path):
    with open(path, encoding="utf-8") as text:
        return text.read().splitlines()


def functions(lines):
    """(first line, length) of each function, by indentation: the sources are formatted."""
    for number, line in enumerate(lines):
        head = HEAD.match(line)
        is_initialiser = line.strip().startswith(":") or (number and lines[number - 1].rstrip().endswith(","))
        if not head or is_initialiser:
            continue
        end = head.group(1) + "}"
        for last in range(number + 1, len(lines)):
            if lines[last].startswith(end):
                yield number, last - number + 1
                break


def python_functions(lines):
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.FunctionDef):
            yield node.lineno - 1, node.end_lineno - node.lineno + 1


def is_table(body):
    """Many of its lines are entries: cases of one switch, rows of a table of options."""
    entries = re.compile(r"^\s*(case\b|default:|PLAIT_|->)")
    return sum(bool(entries.match(line)) for line in body) * 4 > len(body)


class Sizes(unittest.TestCase):
    maxDiff = None

    def test_files(self):
        long = [f"{os.path.relpath(path, ROOT)}: {len(lines)}" for path in sources() for lines in [lines_of(path)]
                if len(lines) > MOST_LINES and not any(REASON in line for line in lines[:8])]
        self.assertEqual(long, [])

    def test_functions(self):
        long, seen, excused = [], 0, set()
        for path in sources():
            name = os.path.relpath(path, ROOT)
            lines = lines_of(path)
            found = python_functions(lines) if path.endswith(".py") else functions(lines)
            for first, length in found:
                seen += 1
                if length <= MOST_IN_FUNCTION or is_table(lines[first:first + length]):
                    continue
                head = lines[first].strip()
                allowed = {entry for entry in LONG_FUNCTIONS if entry[0] == name and entry[1] + "(" in head}
                excused |= allowed
                if not allowed:
                    long.append(f"{name}:{first + 1}: {length} lines: {head}")
        self.assertEqual(long, [])
        self.assertGreater(seen, 3000, "functions were not recognised")
        self.assertEqual(excused, set(LONG_FUNCTIONS), "some are not long any more: take them off the list")


if __name__ == "__main__":
    unittest.main()
