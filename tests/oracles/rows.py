"""The table oracles.txt."""
import os
from collections import namedtuple

MODELS = ("sc", "tso", "pso")
Row = namedtuple("Row", "name flags classes most_runs")  # classes: of each memory model that has a number


def rows():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracles.txt")
    for line in open(path, encoding="utf-8"):
        if not line.strip() or line.startswith("#"):
            continue
        name, flags, *numbers, most_runs = line.split()
        classes = {model: int(number) for model, number in zip(MODELS, numbers, strict=True) if number != "-"}
        yield Row(name, flags, classes, None if most_runs == "-" else int(most_runs))
