"""How many runs a second a runtime in Python makes (runtimes/python/plait_runtime.py): 4 actors, 20 events, pipelined,
with seeds that end anywhere. Prints the median of several rounds: by the clock, and by the runtime's own CPU time, its
start included, which says more on a busy machine.

Usage: python_runtime.py [--runs N] [--rounds N]."""
import argparse
import os
import random
import resource
import statistics
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tests/runtimes"), os.path.join(ROOT, "runtimes/python")]
ACTORS, STEPS, WINDOW = 4, 5, 64


def runtime():
    import plait_runtime

    class Counters(plait_runtime.Run):
        def __init__(self):
            self.done = [0] * ACTORS
            self.cells = [0] * 3

        def enabled(self):
            return [{"actor": f"t{actor}", "kind": "write" if done % 2 else "read", "object": f"x{(actor + done) % 3}"}
                    for actor, done in enumerate(self.done) if done < STEPS]

        def perform(self, event):
            actor, cell = int(event["actor"][1:]), int(event["object"][1:])
            self.done[actor] += 1
            if event["kind"] == "write":
                self.cells[cell] += 1
            event["value"] = self.cells[cell]

        def result(self):
            return str(self.cells)

    plait_runtime.serve(Counters, name="counters", relations={"interferes": "same-object-write"})


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def measure(runs):
    """Runs per second, and per CPU second of the runtime."""
    from engine import Engine
    before = used()
    order = [f"t{actor}:{step}" for step in range(STEPS) for actor in range(ACTORS)]
    chance = random.Random(1)
    with Engine(sys.executable, __file__, "--runtime") as engine:
        start = time.perf_counter()
        for i in range(runs + WINDOW):
            if i < runs:
                engine.ask(order[:chance.randrange(len(order))])
            if i >= WINDOW:
                assert len(engine.answer()["events"]) == len(order)
        seconds = time.perf_counter() - start
    return runs / seconds, runs / (used() - before)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runtime", action="store_true", help="be the runtime")
    options = parser.parse_args()
    if options.runtime:
        return runtime()
    clock, processor = map(statistics.median, zip(*(measure(options.runs) for _ in range(options.rounds))))
    print(f"{clock:,.0f} runs/s, {processor:,.0f} runs per CPU second of the runtime")


if __name__ == "__main__":
    main()
