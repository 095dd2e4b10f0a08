"""The files and commands of the README, the tutorial and a how-to, as a reader would type them."""
import os
import re

import tool
from tool import PLAIT, SOURCE, ToolTest


def blocks(text):
    """(info, body) of each fenced block."""
    return re.findall(r"^```(\S+(?: \S+)*)\n(.*?)^```", text, re.S | re.M)


def console(body):
    """(command, lines of its output) of a console block."""
    steps = []
    for line in body.split("\n"):
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif line.strip():
            steps[-1][1].append(line)
    return steps


def words_of(text):
    """Without line breaks, and without what changes from version to version and run to run: counts and times."""
    return re.sub(r"\d[\d,.]* (executions|histories|states|events|s)\b", r"N \1", " ".join(text.split()))


class Page(ToolTest):
    def run_page(self, page, least=10):
        """Runs all commands of a page and compares what they print; the outputs."""
        with open(os.path.join(SOURCE, page)) as text:
            tutorial = text.read()
        os.makedirs(self.path("bin"))
        os.symlink(PLAIT, self.path("bin/plait"))
        environment = {"PATH": self.path("bin") + ":" + os.environ["PATH"]}
        commands = 0
        script = ""
        for info, body in blocks(tutorial):
            if match := re.fullmatch(r"cpp file=(\S+)", info):
                self.write(match[1], body)
            if info != "console":
                continue
            for command, expected in console(body):
                # One shell for all, so that $? is the last command's.
                script += f"{command}\nstatus=$?\nprintf '\\n#### %s\\n' {commands}\n(exit $status)\n"
                commands += 1
        ran = self.run_command("bash", "-c", script + "exit 0", env=environment, cwd=self.directory)
        ran_err = ran.stderr
        outputs = re.split(r"\n#### \d+\n", ran.stdout)
        at = 0
        for info, body in blocks(tutorial):
            for command, expected in console(body) if info == "console" else ():
                output = outputs[at]
                at += 1
                place = 0
                for line in expected:
                    words, shown = words_of(line), words_of(output)
                    if words == "...":
                        break
                    where = shown.find(words, place)
                    if where < 0 and words in words_of(ran_err):
                        continue  # on standard error
                    self.assertGreaterEqual(where, 0, f"$ {command}\nexpected: {words}\ngot:\n{output}\n{ran_err}")
                    place = where
        self.assertEqual(at, commands)
        self.assertGreaterEqual(commands, least)
        return outputs


class Readme(Page):
    def test_commands(self):
        os.symlink(PLAIT, self.path("plait"))
        for folder in ("examples", "runtimes", "include"):
            os.symlink(os.path.join(SOURCE, folder), self.path(folder))
        self.run_page("README.md", least=4)


class MemoryModels(Page):
    def test_commands(self):
        self.run_page("docs/howto-memory-models.md")


class Tutorial(Page):
    def test_commands(self):
        outputs = self.run_page("docs/tutorial.md")
        self.assertNotIn("failed", outputs[1], "the plain program fails by itself")
        self.assertIn("<!doctype html>", self.read("bug.html"))


if __name__ == "__main__":
    tool.main()
