"""Makes the pictures of docs/images anew. Usage: pictures.py PLAIT SOURCE_DIR."""
import html
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

PLAIT, SOURCE = (os.path.abspath(a) for a in sys.argv[1:3])
IMAGES = os.path.join(SOURCE, "docs/images")
COLORS = {"1": "font-weight:bold", "2": "color:#8b98a8", "1;31": "color:#ff8a80;font-weight:bold", "36": "color:#7fd4e0",
          "1;32": "color:#8fd99a;font-weight:bold", "1;33": "color:#f0c674;font-weight:bold"}


def terminal_page(text):
    """What a terminal shows: the few colours that Plait uses."""
    body = ""
    for part in re.split(r"(\x1b\[[0-9;]*m)", text):
        if code := re.fullmatch(r"\x1b\[([0-9;]*)m", part):
            body += "</span>" if code[1] == "0" else f'<span style="{COLORS[code[1]]}">'
        else:
            body += html.escape(part)
    return ("<meta charset=utf-8><body style='margin:0;background:#151a21;color:#dfe6ee'>"
            f"<pre style='margin:14px;font:13px/1.35 DejaVu Sans Mono,monospace'>{body}</pre>")


def main():
    os.makedirs(IMAGES, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        def check(example, *options):
            return subprocess.run([PLAIT, "check", *options, "-o", os.path.join(work, example), "examples/" + example],
                                  cwd=SOURCE, capture_output=True, text=True).stdout

        def page(example, *options):
            check(example, *options)
            path = os.path.join(work, example + ".html")
            subprocess.run([PLAIT, "show", os.path.join(work, example, "bug-1.json"), "-f", "html", "-o", path], check=True)
            with open(path) as text:
                content = text.read().replace(work + "/" + example, "plait-out")
            with open(path, "w") as out:
                out.write(content)
            return path

        story = check("bank.cc", "--color", "always").replace(work + "/bank.cc", "plait-out")
        terminal = os.path.join(work, "terminal.html")
        with open(terminal, "w") as out:
            out.write(terminal_page("$ plait check examples/bank.cc\n" + story))
        browser = Browser(1200, 640)
        try:
            browser.open(page("bank.cc"))
            browser.key("k")
            browser.key("k")
            browser.screenshot(os.path.join(IMAGES, "report-light.png"))
            browser.open(page("lock_order.c"), dark=True)
            browser.screenshot(os.path.join(IMAGES, "report-dark.png"))
            browser.open(page("store_buffering.c", "--memory-model", "tso"))
            browser.js("select(data.reordering[0].at)")
            time.sleep(0.5)  # the current row fades in
            browser.screenshot(os.path.join(IMAGES, "report-tso.png"))
            browser.call("Emulation.setDeviceMetricsOverride", width=980, height=590, deviceScaleFactor=1, mobile=False)
            browser.open(terminal)
            browser.screenshot(os.path.join(IMAGES, "story.png"))
        finally:
            browser.close()


if __name__ == "__main__":
    main()
