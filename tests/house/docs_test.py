"""The documentation agrees with the tree and the command: links, paths, options, JSON fields, version, widths.

Usage: docs_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

PLAIT, ROOT, WORK = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
COMMANDS = ("check", "tests", "worker", "cluster", "explore", "replay", "show", "deps", "doctor", "completion", "man")
# Options of other programs that the documentation names.
OF_OTHERS = {"--build", "--target", "--test-dir", "--port", "--security-opt", "--recursive",  # cmake, ctest, examples, docker, git
             "--requirepass", "--bind", "--appendonly", "--save",  # redis-server
             "--sc", "--rf", "--optimal", "--disable-estimation",  # GenMC, Nidhugg
             "--full", "--none",  # rw
             "--version", "--help"}
# What a check prints depends on what it was asked; together these show every field. {} is the program.
JSON_CHECKS = ([], ["--outcomes"], ["--audit", "2"], ["--memory-model", "tso", "--compare", "sc"], ["--gtest"])
# Says its tests' names, as GoogleTest does.
PROGRAM = r"""
#include <stdio.h>
#include <string.h>
int main(int count, char** words) {
  if (count > 1 && strcmp(words[1], "--gtest_list_tests") == 0) puts("Suite.\n  Test");
}
"""


def pages():
    found = glob.glob(os.path.join(ROOT, "*.md"))
    for folder in ("docs", "src", "tests", "bench", "examples", "runtimes"):
        found += glob.glob(os.path.join(ROOT, folder, "**/*.md"), recursive=True)
    return sorted(os.path.relpath(path, ROOT) for path in found)


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text):
    """As GitHub makes them from headings."""
    headings = re.findall(r"^#+ (.*)$", without_code(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def options_of_scripts():
    """What the scripts that the documentation tells to run take."""
    found = set()
    for path in glob.glob(os.path.join(ROOT, "bench/*.py")) + glob.glob(os.path.join(ROOT, "tests/**/*.py"), recursive=True):
        found |= set(re.findall(r"add_argument\(\"(--[a-z-]+)\"", text_of(os.path.relpath(path, ROOT))))
    return found


def options_of_worlds():
    """Of plait_sim.h and its examples."""
    found = set()
    for path in [os.path.join(ROOT, "include/plait_sim.h"), *glob.glob(os.path.join(ROOT, "runtimes/sim/examples/*.cc"))]:
        found |= set(re.findall(r"\"(--[a-z-]+)\"", text_of(os.path.relpath(path, ROOT))))
    return found


class Docs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.texts = {path: text_of(path) for path in pages()}
        cls.options = {}
        for command in COMMANDS:
            text = subprocess.run([PLAIT, command, "--help"], capture_output=True, text=True, check=True).stdout
            cls.options[command] = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text.split("\nExamples")[0]))

    def test_there_is_something_to_read(self):
        self.assertGreater(len(self.texts), 20)
        self.assertIn("README.md", self.texts)

    def test_links_lead_somewhere(self):
        broken, seen = [], 0
        for path, text in self.texts.items():
            for target in re.findall(r"\]\(([^)\s]+)\)", without_code(text)):
                if re.match(r"[a-z]+:", target):
                    continue
                seen += 1
                file, _, anchor = target.partition("#")
                there = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
                if not os.path.exists(os.path.join(ROOT, there)):
                    broken.append(f"{path}: {target}")
                elif anchor and anchor not in anchors(text_of(there)):
                    broken.append(f"{path}: {target} (no such heading)")
        self.assertEqual(broken, [])
        self.assertGreater(seen, 50)

    def test_options_exist(self):
        known = set().union(*self.options.values()) | OF_OTHERS | options_of_scripts() | options_of_worlds()
        unknown = [f"{path}: {option}" for path, text in self.texts.items()
                   for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", text) if option not in known]
        self.assertEqual(sorted(set(unknown)), [])

    def test_every_option_is_documented(self):
        usage = self.texts["docs/usage.md"]
        self.assertEqual([option for option in sorted(self.options["check"] - {"--help"}) if f"`{option}" not in usage
                          and f", {option}" not in usage], [])

    def test_kinds_of_bugs_are_those_of_the_command(self):
        text = subprocess.run([PLAIT, "man", "check"], capture_output=True, text=True, check=True).stdout.replace("\\-", "-")
        choices = re.search(r"^One of: (assertion, .*)\.$", text, re.MULTILINE)
        self.assertTrue(choices, "the kinds were not found")
        known = set(choices[1].split(", ")) - {"standard", "all"}
        section = re.search(r"^### Kinds of bugs$(.*?)^## ", self.texts["docs/usage.md"], re.MULTILINE | re.DOTALL)[1]
        documented = {kind for cell in re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE) for kind in re.findall(r"`([a-z-]+)`", cell)}
        self.assertEqual(documented ^ known, set())

    def test_paths_in_the_documentation_exist(self):
        missing = []
        for path, text in self.texts.items():
            for name in re.findall(r"`((?:src|tests|docs|bench|examples|cmake|include|setup)/[\w./*-]+)`", text):
                if "NAME" not in name and not glob.glob(os.path.join(ROOT, name)):
                    missing.append(f"{path}: {name}")
        self.assertEqual(missing, [])

    def test_comments_point_to_pages_that_exist(self):
        missing = []
        for path in glob.glob(os.path.join(ROOT, "src/**/*.*"), recursive=True) + glob.glob(os.path.join(ROOT, "include/*")):
            if path.endswith((".h", ".cc", ".S", ".py", ".def")):
                text = text_of(os.path.relpath(path, ROOT))
                missing += [f"{path}: {page}" for page in re.findall(r"[\w/-]*\w+\.md\b", text)
                            if not any(os.path.exists(os.path.join(ROOT, folder, page)) for folder in ("", "docs"))]
                self.assertNotIn("DESIGN", text, path)
        self.assertEqual(missing, [])

    def test_every_folder_says_what_it_owns(self):
        for folder in sorted(os.listdir(os.path.join(ROOT, "src"))):
            if not os.path.isdir(os.path.join(ROOT, "src", folder)):
                continue
            page = f"src/{folder}/README.md"
            self.assertIn(page, self.texts)
            self.assertTrue(self.texts[page].startswith(f"# {folder}\n"), page)
            for name in re.findall(r"`(\w+\.(?:h|cc|def|py|S)|\w+\.h/\.\w+)`", self.texts[page]):
                for file in [name.split("/")[0]] + ([re.sub(r"\.h/", "", name)] if "/" in name else []):
                    self.assertTrue(os.path.exists(os.path.join(ROOT, "src", folder, file)), f"{page}: {file}")

    def json_of(self, options):
        ran = subprocess.run([PLAIT, "check", "--format", "json", "-q", *options, "./program"], cwd=WORK, capture_output=True,
                             text=True, timeout=1200)
        self.assertIn(ran.returncode, (0, 10), ran.stderr)
        return json.loads(ran.stdout)

    def test_the_table_of_json_fields_is_complete(self):
        section = re.search(r"^## JSON$(.*?)^## ", self.texts["docs/usage.md"], re.MULTILINE | re.DOTALL)[1]
        documented = {name for cell in re.findall(r"^\| ([^|]*) \|", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", cell)}
        shutil.rmtree(WORK, ignore_errors=True)
        os.makedirs(WORK)
        with open(os.path.join(WORK, "program.c"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        subprocess.run([PLAIT, "cc", "program.c", "-o", "program"], cwd=WORK, check=True)
        printed = set().union(*(self.json_of(options) for options in JSON_CHECKS))
        self.assertEqual(documented ^ printed, {"cluster"})  # needs a server: tests/cluster

    def test_the_version_is_the_newest_of_the_changelog(self):
        version = subprocess.run([PLAIT, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        self.assertEqual(re.search(r"^## (\d+\.\d+\.\d+)", self.texts["CHANGELOG.md"], re.MULTILINE)[1], version)
        for path, text in self.texts.items():
            for other in re.findall(r"plait_(\d+\.\d+\.\d+)_", text):
                self.assertEqual(other, version, path)

    def test_lines_are_at_most_120_columns_wide(self):
        """But for tables, code and figures, which cannot be wrapped."""
        wide = [f"{path}: {line[:60]}" for path, text in self.texts.items() for line in without_code(text).split("\n")
                if len(line) > 120 and not line.startswith(("|", "!["))]
        self.assertEqual(wide, [])


if __name__ == "__main__":
    unittest.main()
