"""docs/gallery.md: the text of ten failures and pictures of their pages.

Usage: gallery.py PLAIT SOURCE_DIR makes the pictures anew (docs/images/gallery-*.png; needs chromium). The text is
compared, and with PLAIT_UPDATE_GOLDEN=1 rewritten, by stories_test.py."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from stories import GALLERY, Story  # noqa: E402

HEAD = """# Gallery

Ten failures of different kinds, as Plait tells them: on the terminal, and as a page (`plait show BUG.json -f html`).
The programs are in [tests/stories/programs](../tests/stories/programs), with more than twenty others. This page is
made by `tests/stories/gallery.py`; the test suite compares it with what Plait says today.
"""


def picture(program):
    return "gallery-" + program.split(".")[0] + ".png"


def section(story):
    name = story.program.split(".")[0].replace("_", " ")
    options = "".join(option + " " for option in story.options)
    return (f"\n## {name[0].upper() + name[1:]}\n{story.summary}\n\n```console\n$ plait check {options}{story.program}\n"
            f"{story.text.rstrip()}\n```\n\nWhat to change: {story.fix}\n\n"
            f"![The page of {story.program}](images/{picture(story.program)})\n")


def page(stories):
    return HEAD + "".join(section(stories[program]) for program in GALLERY)


def main():
    plait, source = (os.path.abspath(a) for a in sys.argv[1:3])
    sys.path.insert(0, os.path.join(source, "tests", "html"))
    from browser import Browser
    with tempfile.TemporaryDirectory() as work:
        browser = Browser(1100, 620)
        try:
            for program in GALLERY:
                story = Story(plait, program, os.path.join(work, program))
                html = os.path.join(work, program + ".html")
                subprocess.run([plait, "show", story.file, "-f", "html", "-o", html], check=True)
                with open(html) as text:
                    content = text.read().replace(os.path.join(work, program), "plait-out")
                with open(html, "w") as out:
                    out.write(content)
                browser.open(html)
                browser.screenshot(os.path.join(source, "docs", "images", picture(program)))
        finally:
            browser.close()


if __name__ == "__main__":
    main()
