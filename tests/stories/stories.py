"""Programs with a known bug and what Plait says of them. Used by the test and by what makes docs/gallery.md."""
import glob
import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
# In the order of the gallery: one of each kind.
GALLERY = ["lost_update.cc", "race_member.cc", "race_publish.cc", "race_heap_node.cc", "deadlock_order.cc",
           "lost_wakeup.cc", "use_after_free.cc", "null_after_check.cc", "livelock.cc", "store_buffering.c"]


def programs():
    return sorted(os.path.basename(p) for p in glob.glob(os.path.join(HERE, "programs", "*.c*")))


class Story:
    """One check. The program is compiled in its directory, so that names of files are short."""

    def __init__(self, plait, program, output):
        with open(os.path.join(HERE, "programs", program)) as text:
            self.source = text.read()
        self.program = program
        self.options = self._comments("options").split()
        ran = subprocess.run([plait, "check", "-j1", *self.options, "-o", output, program],
                             cwd=os.path.join(HERE, "programs"), capture_output=True, text=True, timeout=1200)
        self.status = ran.returncode
        self.errors = ran.stderr
        self.text = self._stable(ran.stdout, output)
        self.file = os.path.join(output, "bug-1.json")

    def _comments(self, word):
        return " ".join(re.findall(rf"^// {word}: (.*)$", self.source, re.MULTILINE))

    @staticmethod
    def _stable(text, output):
        """Without what depends on the machine, and on how the bug was looked for."""
        text = text.replace(output, "plait-out")
        text = re.sub(r"\(\d+ executions?, [\d.]+ s\)", "(...)", text)
        text = re.sub(r"^  explored: .*\n", "", text, flags=re.MULTILINE)
        return text

    @property
    def says(self):
        return re.findall(r"^// says: (.*)$", self.source, re.MULTILINE)

    @property
    def summary(self):
        return re.match(r"// (.*)", self.source)[1]

    @property
    def fix(self):
        return self._comments("fix")

    def bug(self):
        with open(self.file) as text:
            return json.load(text)
