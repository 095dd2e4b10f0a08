"""Files and functions stay small: 500 lines for a file, unless its first lines say why it is longer; 60 for a function,
unless it is a flat table: a switch or a list whose lines are alike."""
import os
import re
import sys
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))
MOST_LINES = 500
MOST_IN_FUNCTION = 60
REASON = "Long because"
HEAD = re.compile(r"^( *)(?!.*\b(?:namespace|class|struct|enum|union|if|for|while|switch|do|else)\b)[\w:<>~*&,\[\] ]+\(.*\)[\w ]*(?:->.*)? \{$")


def sources():
    for top in ("src", "tests", "bench"):
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
        long, seen = [], 0
        for path in sources():
            if not path.endswith((".cc", ".h")) or not path.startswith(os.path.join(ROOT, "src")):
                continue
            lines = lines_of(path)
            for first, length in functions(lines):
                seen += 1
                if length > MOST_IN_FUNCTION and not is_table(lines[first:first + length]):
                    long.append(f"{os.path.relpath(path, ROOT)}:{first + 1}: {length} lines: {lines[first].strip()}")
        self.assertEqual(long, [])
        self.assertGreater(seen, 1500, "functions were not recognised")


if __name__ == "__main__":
    unittest.main()
