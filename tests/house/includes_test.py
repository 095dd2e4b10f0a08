"""Which folder of src may include which: the table of docs/architecture.md says so, and this test holds the code to it."""
import os
import re
import sys
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))
INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z_]+)/([a-z_./]+)"', re.MULTILINE)
ROW = re.compile(r"^\| `src/([a-z]+)` \|[^|]*\| ([^|]*) \|$", re.MULTILINE)


def allowed():
    """Folder -> the folders that it may include."""
    with open(os.path.join(ROOT, "docs/architecture.md"), encoding="utf-8") as page:
        rows = ROW.findall(page.read())
    return {folder: set(re.findall(r"`([a-z]+)`", text)) for folder, text in rows}


def folders():
    return sorted(name for name in os.listdir(os.path.join(ROOT, "src")) if os.path.isdir(os.path.join(ROOT, "src", name)))


def sources_of(folder):
    for directory, _, files in os.walk(os.path.join(ROOT, "src", folder)):
        for name in files:
            if name.endswith((".h", ".cc", ".c", ".S", ".def")):
                yield os.path.join(directory, name)


def includes_of(folder):
    """(file, included folder, included file)"""
    for path in sources_of(folder):
        with open(path, encoding="utf-8") as text:
            for other, file in INCLUDE.findall(text.read()):
                yield os.path.relpath(path, ROOT), other, file


class Includes(unittest.TestCase):
    def test_every_folder_has_a_row(self):
        have_code = [folder for folder in folders() if any(True for _ in includes_of(folder))]
        self.assertEqual([folder for folder in have_code if folder not in allowed()], [])
        self.assertEqual([folder for folder in allowed() if folder not in folders()], [])

    def test_includes_follow_the_table(self):
        table = allowed()
        self.assertGreater(len(table), 10, "the table was not found")
        wrong = []
        seen = 0
        for folder in folders():
            for path, other, file in includes_of(folder):
                if other not in folders():
                    continue
                seen += 1
                if other != folder and other not in table.get(folder, ()):
                    wrong.append(f"{path} includes {other}/{file}")
        self.assertEqual(wrong, [])
        self.assertGreater(seen, 300, "the includes were not found")

    def test_the_pass_knows_no_more_of_the_runtime_than_its_abi(self):
        self.assertEqual({file for _, other, file in includes_of("instrument") if other == "runtime"}, {"abi.h"})

    def test_there_is_no_circle(self):
        table = allowed()

        def reaches(folder, target, visited):
            for other in table[folder]:
                if other == target or (other not in visited and reaches(other, target, visited | {other})):
                    return True
            return False

        self.assertEqual([folder for folder in table if reaches(folder, folder, {folder})], [])

    def test_only_the_machine_tells_memory_models_apart(self):
        """A model is a value that others ask (src/machine/memory_model.h). Its name is for users."""
        compares = re.compile(r"[!=]= *MemoryModel::|case MemoryModel::")
        wrong = []
        for folder in folders():
            for path in sources_of(folder):
                with open(path, encoding="utf-8") as text:
                    if compares.search(text.read()):
                        wrong.append(os.path.relpath(path, ROOT))
        self.assertEqual(wrong, ["src/report/names.cc"])


if __name__ == "__main__":
    unittest.main()
