"""What the page says about why it fails: races, circles, the values that led there; many threads and long runs.

Usage: why_test.py PLAIT SOURCE_DIR WORK_DIR. Screenshots are left in WORK_DIR."""
import json
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

PLAIT, SOURCE, WORK = (os.path.abspath(a) for a in sys.argv[1:4])
PROGRAMS = os.path.join(SOURCE, "tests", "stories", "programs")


class Why(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        os.makedirs(WORK)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, program):
        out, page = os.path.join(WORK, program), os.path.join(WORK, program + ".html")
        if not os.path.exists(page):
            ran = subprocess.run([PLAIT, "check", "-q", "-j1", "-o", out, program], cwd=PROGRAMS, capture_output=True, text=True)
            self.assertEqual(ran.returncode, 10, ran.stdout + ran.stderr)
            subprocess.run([PLAIT, "show", out + "/bug-1.json", "-f", "html", "-o", page], check=True)
        self.browser.problems.clear()
        self.browser.open(page)
        self.browser.screenshot(os.path.join(WORK, program + ".png"))

    def tearDown(self):
        self.assertEqual(self.browser.problems, [])

    def js(self, code):
        return self.browser.js(code)

    def text(self, selector):
        return self.js(f"document.querySelector({json.dumps(selector)}).textContent")

    def test_a_race_opens_on_its_two_accesses(self):
        self.open("race_member.cc")
        self.assertEqual(self.js("view.now"), self.js("race[1]"))
        self.assertEqual(self.js("document.querySelectorAll('.row.fails').length"), 2)
        self.assertEqual(self.js("document.querySelectorAll('.row.fails.later').length"), 0)
        self.assertEqual(self.js("document.querySelectorAll('path.race-edge').length > 0"), True)
        self.assertIn("only T1 holds conn.mutex; main holds no lock", self.text("#why"))
        self.assertIn("conn.open", self.text("#detail"))
        self.assertIn("called from main", self.text("#detail"))
        self.assertIn("races: ", self.text("#threads"))
        self.assertIn("holds conn.mutex", self.text("#threads"))

    def test_a_call_of_the_library_is_one_row(self):
        self.open("lost_score.cc")
        self.assertIn("operator[] on scores (9 steps)", self.js("[...document.querySelectorAll('.fold')].map((f) => f.textContent).join('; ')"))
        rows = self.js("view.rows.length")
        self.js("document.querySelector('.row[data-fold] .fold').click()")
        self.assertGreater(self.js("view.rows.length"), rows)
        self.assertEqual(self.js("events.some((e, i) => e.r && view.rowOf.get(i) === undefined)"), False)

    def test_a_circle_is_drawn(self):
        self.open("philosophers.c")
        self.assertEqual(self.js("document.querySelectorAll('.cycle circle').length"), 4)
        self.assertEqual(self.js("document.querySelectorAll('.cycle path').length"), 4)
        self.assertIn("T4 waits for fork_of[0], T1", self.js("document.querySelector('.cycle').getAttribute('aria-label')"))

    def test_values_that_led_to_the_failure(self):
        self.open("pipeline.cc")
        self.open("null_after_check.cc")
        first = self.js("slice[0].to")
        self.browser.key("s")
        self.assertNotEqual(self.js("view.now"), first)
        self.assertTrue(self.js("slice.some((edge) => edge.from === view.now || edge.to === view.now)"))
        self.assertTrue(self.js("document.querySelectorAll('path.slice').length > 0"))
        self.browser.key("b")
        self.assertEqual(self.js("view.now"), first)
        self.browser.key("g")
        self.assertEqual(self.js("view.now"), self.js("slice[0].from"))

    def test_lanes_can_be_narrow(self):
        self.open("philosophers.c")
        wide = self.js("laneWidth(2)")
        self.js("document.querySelectorAll('#names button')[2].click()")
        self.assertLess(self.js("laneWidth(2)"), wide)
        self.assertEqual(self.js("document.querySelectorAll('#names button')[2].getAttribute('aria-pressed')"), "true")
        self.assertEqual(self.js("document.querySelectorAll('.chip.narrow').length > 0"), True)
        self.js("select(events.findIndex((e) => e.t === 2))")
        self.browser.key("h")
        self.assertEqual(self.js("laneWidth(2)"), wide)

    def test_a_map_of_a_long_run(self):
        self.open("race_member.cc")
        self.assertTrue(self.js("byId('minimap').hidden"))
        self.open("barrier_reuse.cc")
        self.js("setAll(true)")
        self.assertFalse(self.js("byId('minimap').hidden"))
        self.js("byId('scroll').scrollTop = 0")
        self.js("byId('minimap').dispatchEvent(new PointerEvent('pointerdown', {clientX: 5, bubbles: true,"
                " clientY: byId('minimap').getBoundingClientRect().bottom - 2}))")
        self.assertGreater(self.js("byId('scroll').scrollTop"), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
