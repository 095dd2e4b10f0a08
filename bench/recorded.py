"""Answers of the peers kept in a file: the table can be made again without running them, or without having them.

The file is JSON: for each peer its version, the machine and the day, and its answers by program and size.
"""
import json
import os
from dataclasses import asdict

from tools import Answer


class Recorded:
    """A peer that answers from the file."""

    def __init__(self, name, data):
        self.name, self.data = name, data

    def version(self):
        return (f"{self.data['version']}, recorded {self.data['date']} on {self.data['machine']}, "
                f"limit {self.data['timeout']:.0f} s of CPU time")

    def check(self, program, _timeout):
        answer = self.data["answers"].get(key(program))
        return Answer(**answer) if answer else None


def key(row):
    return f"{row.group}/{row.name}/{row.size}"


def load(file):
    if not os.path.exists(file):
        return {}
    with open(file, encoding="utf-8") as text:
        return json.load(text)


def save(file, tools, rows, machine, date, timeout):
    """Adds the answers to the file; what it has for other programs stays if it is from the same version and machine."""
    everything = load(file)
    for tool in tools:
        head = {"version": tool.version(), "machine": machine, "timeout": timeout}
        old = everything.get(tool.name, {})
        same = all(old.get(name) == value for name, value in head.items())
        answers = old["answers"] if same else {}
        answers |= {key(row): asdict(row.answers[tool.name]) for row in rows if row.answers.get(tool.name)}
        for answer in answers.values():
            if answer["verdict"] in ("error", "timeout"):
                answer["note"] = ""  # what a tool prints then names files of the machine
        everything[tool.name] = {**head, "date": date, "answers": answers}
    with open(file, "w", encoding="utf-8") as out:
        json.dump(everything, out, indent=1, sort_keys=True)
        out.write("\n")
