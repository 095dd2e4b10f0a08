"""Stories of programs with known bugs: golden files, a screen of 50 lines, and the words that lead to the fix.

Usage: stories_test.py PLAIT SOURCE_DIR WORK_DIR. PLAIT_UPDATE_GOLDEN=1 rewrites the golden files: look at each."""
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gallery  # noqa: E402
from stories import HERE, Story, programs  # noqa: E402

PLAIT, SOURCE, WORK = (os.path.abspath(a) for a in sys.argv[1:4])
SCREEN = 50


class Stories(unittest.TestCase):
    stories = {}

    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        os.makedirs(WORK)
        for program in programs():
            cls.stories[program] = Story(PLAIT, program, os.path.join(WORK, program))

    def test_there_are_twenty(self):
        self.assertGreaterEqual(len(self.stories), 20)

    def test_golden(self):
        for program, story in self.stories.items():
            with self.subTest(program):
                self.assertEqual(story.status, 10, story.text + story.errors)
                path = os.path.join(HERE, "golden", program + ".txt")
                if os.environ.get("PLAIT_UPDATE_GOLDEN"):
                    with open(path, "w") as out:
                        out.write(story.text)
                with open(path) as text:
                    self.assertEqual(story.text, text.read())

    def test_fits_on_a_screen(self):
        for program, story in self.stories.items():
            with self.subTest(program):
                self.assertLessEqual(story.text.count("\n"), SCREEN, story.text)

    def test_says_what_to_change(self):
        for program, story in self.stories.items():
            with self.subTest(program):
                self.assertTrue(story.says and story.fix, f"{program} does not say what its story must say")
                flat = " ".join(story.text.split())
                for words in story.says:
                    self.assertIn(words, flat)

    def test_no_address_is_told(self):
        for program, story in self.stories.items():
            with self.subTest(program):
                self.assertNotRegex(story.text, r"0x[0-9a-f]{5}|bebebe|\b4294967295\b|\bT255\b|\+0x")

    def test_shown_from_the_file_it_is_the_same(self):
        for program, story in self.stories.items():
            with self.subTest(program):
                shown = subprocess.run([PLAIT, "show", story.file], capture_output=True, text=True).stdout
                self.assertIn(shown.splitlines()[0], story.text)

    def test_the_gallery_is_up_to_date(self):
        path = os.path.join(SOURCE, "docs", "gallery.md")
        if os.environ.get("PLAIT_UPDATE_GOLDEN"):
            with open(path, "w") as out:
                out.write(gallery.page(self.stories))
        with open(path) as text:
            self.assertEqual(text.read(), gallery.page(self.stories))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
