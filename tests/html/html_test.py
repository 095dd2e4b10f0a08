"""The HTML report in a real browser: what it shows, clicks, keys, themes, accessibility, 2,000 events.

Usage: html_test.py PLAIT SOURCE_DIR WORK_DIR. Screenshots are left in WORK_DIR."""
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

PLAIT, SOURCE, WORK = sys.argv[1:4]

LONG = """#include <assert.h>
#include <pthread.h>
int turn, total;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void* work(void* arg) {
  for (int i = 0; i < 210; ++i) {
    pthread_mutex_lock(&m);
    total = total + 1;
    turn = (int)(long)arg;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, (void*)1);
  pthread_create(&b, 0, work, (void*)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(turn == 0);
}
"""

STORE_BUFFERING = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void* left(void* none) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return none;
}
static void* right(void* none) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return none;
}
int main(void) {
  pthread_t l, r;
  pthread_create(&l, 0, left, 0);
  pthread_create(&r, 0, right, 0);
  pthread_join(l, 0);
  pthread_join(r, 0);
  assert(a == 1 || b == 1);
}
"""


def report(source, name, *options):
    out = os.path.join(WORK, name)
    ran = subprocess.run([PLAIT, "check", "-q", "-o", out, *options, source], cwd=SOURCE, capture_output=True, text=True)
    assert ran.returncode == 10, ran.stdout + ran.stderr
    page = os.path.join(WORK, name + ".html")
    subprocess.run([PLAIT, "show", out + "/bug-1.json", "-f", "html", "-o", page], check=True)
    return page


class HtmlReport(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        os.makedirs(WORK)
        cls.bank = report("examples/bank.cc", "bank")
        cls.locks = report("examples/lock_order.c", "locks")
        with open(os.path.join(WORK, "long.c"), "w") as out:
            out.write(LONG)
        cls.long = report(os.path.join(WORK, "long.c"), "long", "--explore", "random", "--max-executions", "20")
        with open(os.path.join(WORK, "sb.c"), "w") as out:
            out.write(STORE_BUFFERING)
        cls.tso = report(os.path.join(WORK, "sb.c"), "sb", "--memory-model", "tso")
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        self.browser.problems.clear()

    def tearDown(self):
        self.assertEqual(self.browser.problems, [])

    def current(self):
        return self.browser.js("view.now")

    def text(self, selector):
        return self.browser.js(f"document.querySelector({json.dumps(selector)}).textContent")

    def selected(self):
        return self.browser.js("[...document.querySelectorAll('[aria-selected=true]')].map((e) => e.dataset.step)")

    def test_is_self_contained(self):
        for page in (self.bank, self.locks, self.long):
            with open(page) as text:
                html = text.read()
            addresses = set(re.findall(r"https?://[^\s\"'<)]+", html)) - {"http://www.w3.org/2000/svg"}
            self.assertEqual(addresses, set())
            self.assertNotRegex(html, r"<(link|img|iframe)\b|<script[^>]+src=|@import|url\((?!#)")
        self.browser.open(self.bank)
        self.assertEqual([u for u in self.browser.requests if not u.startswith(("file:", "about:"))], [])

    def test_starts_at_the_failure(self):
        b = self.browser
        b.open(self.bank)
        self.assertEqual(self.text("#kind"), "assertion")
        self.assertIn("account.balance() == 120", self.text("h1"))
        self.assertEqual(self.current(), b.js("failingStep"))
        self.assertIn("read account.balance_ = 20", self.text(".row.fails"))
        self.assertIn("fails here: assertion failed", self.text("#detail"))
        self.assertIn("int balance() const", self.text("#source .now"))
        self.assertIn("plait replay", self.text("#replay"))

    def test_keys_step_and_play(self):
        b = self.browser
        b.open(self.bank)
        steps = b.js("steps()")
        b.key("Home")
        self.assertEqual(self.current(), steps[0])
        for expected in steps[1:]:
            b.key("ArrowDown")
            self.assertEqual(self.current(), expected)
            self.assertEqual(self.selected(), [str(expected)])
        b.key("ArrowDown")
        self.assertEqual(self.current(), steps[-1], "the last step has no next one")
        b.key("k")
        self.assertEqual(self.current(), steps[-2])
        b.key("Home")
        b.key("n")
        self.assertNotEqual(b.js("events[view.now].t"), b.js(f"events[{steps[0]}].t"), "n goes to the next switch")
        thread = b.js("events[view.now].t")
        b.key("ArrowRight")
        self.assertEqual(b.js("events[view.now].t"), thread, "right stays in the thread")
        b.key("Home")
        b.key(" ")
        self.assertEqual(b.js("document.getElementById('play').getAttribute('aria-pressed')"), "true")
        deadline = time.monotonic() + 600
        while steps.index(self.current()) < 1 and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertGreaterEqual(steps.index(self.current()), 1, "playing goes on by itself")
        b.key(" ")
        at = self.current()
        time.sleep(0.9)
        self.assertEqual(self.current(), at, "paused")

    def test_clicks_slider_and_hover(self):
        b = self.browser
        b.open(self.bank)
        target = b.js("steps()[1]")
        b.click(f"#step-{target} .chip")
        self.assertEqual(self.current(), target)
        b.click("#next")
        self.assertEqual(self.current(), b.js("steps()[2]"))
        b.click("#first")
        self.assertEqual(self.current(), b.js("steps()[0]"))
        b.js("(() => { const s = document.getElementById('slider'); s.value = 3; s.dispatchEvent(new Event('input')); })()")
        self.assertEqual(self.current(), b.js("steps()[3]"))
        b.hover(".row.fails .chip")
        self.assertFalse(b.js("document.getElementById('tip').hidden"))
        self.assertIn("account.balance_ = 20", self.text("#tip"))
        self.assertIn("reads the value written by", self.text("#tip"))
        b.click("#help")
        self.assertFalse(b.js("document.getElementById('keys').hidden"))
        b.screenshot(os.path.join(WORK, "bank-hover.png"))

    def test_values_follow_the_steps(self):
        b = self.browser
        b.open(self.bank)
        values = []
        b.key("Home")
        for _ in b.js("steps()"):
            values.append(b.js("[...stateAt(view.now).memory.values()].find((c) => c.name.endsWith('balance_'))?.value ?? null"))
            b.key("ArrowDown")
        written = [v for i, v in enumerate(values) if v is not None and (i == 0 or v != values[i - 1])]
        # Both threads read 0; one deposit overwrites the other, in either order.
        self.assertIn(written, (["0", "100", "20"], ["0", "20", "100"]))

    def test_arrows_reach_the_write_that_was_read(self):
        b = self.browser
        b.open(self.bank)
        edges = b.js("(edgesInto.get(failingStep) || []).filter((e) => e.kind === 'reads-from')")
        self.assertEqual(len(edges), 1)
        self.assertIn("write account.balance_", b.js(f"events[{edges[0]['from']}].x"))
        self.assertEqual(b.js("document.querySelectorAll('path.edge.now.reads-from').length"), 1)
        b.key("g")
        self.assertEqual(self.current(), edges[0]["from"])

    def test_all_steps_and_folds(self):
        b = self.browser
        b.open(self.bank)
        few = b.js("steps().length")
        b.key("a")
        self.assertEqual(b.js("steps().length"), b.js("events.length"))
        self.assertGreater(b.js("events.length"), few)
        b.key("a")
        self.assertEqual(b.js("steps().length"), few)
        b.click(".fold")
        self.assertGreater(b.js("steps().length"), few)

    def test_deadlock_shows_who_holds_what(self):
        b = self.browser
        b.open(self.locks)
        self.assertEqual(self.text("#kind"), "deadlock")
        b.key("End")
        stuck = b.js("[...document.querySelectorAll('#threads tr.stuck')].map((r) => r.textContent)")
        self.assertGreaterEqual(len(stuck), 2)
        self.assertTrue(any("held by" in row and "holds" in row for row in stuck), stuck)
        self.assertGreaterEqual(b.js("document.querySelectorAll('.chip.pending').length"), 2)
        b.screenshot(os.path.join(WORK, "locks.png"))

    def test_themes(self):
        b = self.browser
        contrast = """(() => {
          const rgb = (c) => { const p = document.createElement('canvas').getContext('2d'); p.fillStyle = c; p.fillRect(0,0,1,1);
            return [...p.getImageData(0,0,1,1).data].slice(0,3); };
          const lum = (c) => { const [r,g,bl] = rgb(c).map((v) => { v /= 255; return v <= .03928 ? v/12.92 : ((v+.055)/1.055)**2.4; });
            return .2126*r + .7152*g + .0722*bl; };
          const ratio = (a, c) => { const [x, y] = [lum(a), lum(c)].sort((p, q) => q - p); return (x + .05)/(y + .05); };
          const style = getComputedStyle(document.documentElement), v = (n) => style.getPropertyValue(n).trim();
          const pairs = [['--text','--card'],['--text','--now'],['--dim','--card'],['--dim','--chip'],['--bad','--card'],
                         ['--accent','--card'],['--text','--bad-soft'],['--lock','--card']];
          const lowest = pairs.map(([a, c]) => [ratio(v(a), v(c)), a + ' on ' + c]);
          for (const name of document.querySelectorAll('#names span'))
            lowest.push([ratio(getComputedStyle(name).color, v('--card')), name.textContent]);
          return lowest.sort((p, q) => p[0] - q[0])[0]; })()"""
        pictures = []
        for dark in (False, True):
            b.open(self.bank, dark=dark)
            self.assertEqual(b.js("document.documentElement.dataset.theme"), "dark" if dark else "light")
            ratio, what = b.js(contrast)
            self.assertGreaterEqual(ratio, 4.5, what)
            pictures.append(b.screenshot(os.path.join(WORK, "bank-dark.png" if dark else "bank-light.png")))
        self.assertNotEqual(pictures[0], pictures[1])
        b.key("t")
        self.assertEqual(b.js("document.documentElement.dataset.theme"), "light")

    def test_accessibility_tree(self):
        b = self.browser
        b.open(self.bank)
        nodes = b.call("Accessibility.getFullAXTree")["nodes"]
        role = lambda n: n.get("role", {}).get("value")
        name = lambda n: n.get("name", {}).get("value", "")
        seen = [n for n in nodes if not n.get("ignored")]
        self.assertEqual(len([n for n in seen if role(n) == "listbox"]), 1)
        options = [n for n in seen if role(n) == "option"]
        self.assertEqual(len(options), b.js("steps().length"))
        self.assertTrue(all(re.match(r"step \d+, (main|T\d+), ", name(n)) for n in options))
        for n in seen:
            if role(n) in ("button", "slider", "checkbox", "listbox"):
                self.assertTrue(name(n).strip(), f"a {role(n)} without a name")
        b.js("document.getElementById('rows').focus()")
        b.key("ArrowUp")
        self.assertEqual(b.js("document.getElementById('rows').getAttribute('aria-activedescendant')"),
                         b.js("'step-' + view.now"))
        self.assertIn(b.js("events[view.now].x"), self.text("#live"))

    def test_two_thousand_events(self):
        b = self.browser
        b.open(self.long)
        self.assertGreaterEqual(b.js("events.length"), 2000)
        b.js("setAll(true); setArrows(true)")
        self.assertGreaterEqual(b.js("document.querySelectorAll('.row[data-step]').length"), 2000)
        seconds = b.js("""(() => { select(steps()[0]); const begin = performance.now();
            for (let i = 0; i < 50; ++i) move(1); return (performance.now() - begin) / 50000; })()""")
        drawing = b.js("(() => { const begin = performance.now(); drawLanes(); return (performance.now() - begin) / 1000; })()")
        print(f"2,000 events: {seconds * 1000:.0f} ms per step, {drawing * 1000:.0f} ms to draw, all arrows on")
        self.assertLess(seconds, 0.25)
        self.assertLess(drawing, 3)
        b.key("End")
        self.assertEqual(self.current(), b.js("steps().at(-1)"))
        b.screenshot(os.path.join(WORK, "long.png"))

    def test_store_buffers(self):
        b = self.browser
        b.open(self.tso)
        self.assertEqual(self.text("#model"), "TSO")
        self.assertIn("was still in its buffer when", self.text("#summary"))
        self.assertTrue(b.js("data.threads.every((t) => t.id < 32)"), "buffers have no lanes")
        store = b.js("events.findIndex((e) => e.b !== undefined)")
        flush = b.js(f"events.findIndex((e) => e.u === {store})")
        owner, name = b.js(f"events[{store}].t"), b.js(f"events[{store}].n")
        self.assertGreater(flush, store)
        for step, waiting in ((store - 1, False), (store, True), (flush - 1, True), (flush, False)):
            b.js(f"select({step})")
            self.assertEqual(self.text(f"#buffer-{owner}"), f"{name} = 1" if waiting else "buffer empty", f"step {step}")
            in_table = b.js("document.querySelector('#threads').textContent.includes('in its buffer: ')")
            self.assertEqual(in_table, waiting, f"step {step}")
            memory = b.js(f"stateAt({step}).memory.get(events[{store}].a)?.value")
            self.assertEqual(memory == "1", step == flush, f"step {step}: memory holds {memory}")
        self.assertIn(f"takes to memory what was stored in step {store + 1}", self.text("#detail"))
        self.assertEqual(b.js(f"document.querySelectorAll('path.flush-edge[data-from=\"{store}\"][data-to=\"{flush}\"]').length > 0"), True)
        self.assertEqual(b.js(f"document.querySelector('#step-{flush} .chip').classList.contains('flush')"), True)
        read = b.js("data.reordering[0].at")
        self.assertEqual(self.text(f"#step-{read} .chip .warn"), "!")
        b.js(f"select({read})")
        self.assertIn("was still in its buffer when", self.text("#detail"))
        self.assertIn("was still in its buffer when", self.text("#live"), "said to screen readers, too")
        b.screenshot(os.path.join(WORK, "sb.png"))

    def test_no_buffers_under_sc(self):
        self.browser.open(self.bank)
        self.assertEqual(self.text("#model"), "SC")
        self.assertEqual(self.browser.js("document.querySelectorAll('.buffer').length"), 0)
        self.assertTrue(self.browser.js("document.getElementById('summary').hidden"))

    def test_narrow_window(self):
        b = self.browser
        b.call("Emulation.setDeviceMetricsOverride", width=420, height=800, deviceScaleFactor=1, mobile=False)
        try:
            for page in (self.tso, self.bank):
                b.open(page)
                self.assertLessEqual(b.js("document.documentElement.scrollWidth"), 420)
            b.screenshot(os.path.join(WORK, "bank-narrow.png"))
        finally:
            b.call("Emulation.setDeviceMetricsOverride", width=1400, height=900, deviceScaleFactor=1, mobile=False)

    def test_text_of_the_program_stays_text(self):
        name = os.path.join(WORK, "script.c")
        with open(name, "w") as out:
            out.write("#include <assert.h>\n#include <stdio.h>\nint main(void) { // </script><script>boom()</script>\n"
                      '  puts("</script><img src=x onerror=boom()>");\n  fflush(stdout);\n'
                      '  assert(!"<b>{{SCRIPT}}</b></script>");\n}\n')
        page = report(name, "script")
        self.browser.open(page)
        self.assertIn("<b>{{SCRIPT}}</b></script>", self.text("h1"))
        self.assertEqual(self.browser.js("document.querySelectorAll('img').length"), 0)
        self.assertIn("<img src=x", self.text("#stdout"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
