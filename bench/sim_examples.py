#!/usr/bin/env python3
"""Prints the table of docs/sim.md: what is found in the examples of runtimes/sim, within which budgets, in how many runs.

Usage: bench/sim_examples.py [PLAIT] [--whole-network]; the option adds Raft on a network without cuts (a minute)."""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RAFT = "3 nodes; time-outs n0: 3, n1: 0, n2: 4; n0 and n2 do not hear each other; no losses, duplicates, crashes"
EXAMPLES = (("two_phase_commit", [], "1 crash, 1 time-out each"), ("two_phase_commit", ["--impatient"], "1 crash, 1 time-out each"),
            ("two_phase_commit", ["--losses", "1"], "1 crash, 1 time-out each, 1 loss"),
            ("election", [], "1 crash, 2 time-outs each"), ("election", ["--forgets-votes"], "1 crash, 2 time-outs each"),
            ("lock", [], "1 time-out each"), ("lock", ["--duplicates", "1"], "1 time-out each, 1 duplicate"),
            ("lock", ["--no-fencing"], "1 time-out each"),
            ("raft", [], RAFT), ("raft", ["--by-count"], RAFT))
WHOLE = ("raft", ["--whole-network"], "3 nodes; 1 time-out each; no losses, duplicates, crashes")


def explored(plait, directory, name, words):
    program = os.path.join(directory, name)
    if not os.path.exists(program):
        subprocess.run(["clang++-19", "-std=c++17", "-O2", f"-I{ROOT}/include", f"{ROOT}/runtimes/sim/examples/{name}.cc", "-o", program], check=True)
    done = subprocess.run([plait, "explore", "-q", "--format", "json", "-o", os.path.join(directory, "out"), "--", program, *words],
                          stdout=subprocess.PIPE, check=False)
    return json.loads(done.stdout)


def main():
    words = [word for word in sys.argv[1:] if word != "--whole-network"]
    plait = words[0] if words else os.path.join(ROOT, "build/dist/bin/plait")
    print("| | budgets | answer | classes | runs | seconds |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as directory:
        for name, more, budgets in EXAMPLES + ((WHOLE,) if "--whole-network" in sys.argv else ()):
            result = explored(plait, directory, name, more)
            answer = "; ".join(bug["message"] for bug in result["bugs"]) or result["verdict"]
            classes = f"{result['interleavings']:,}" if not result["bugs"] else ""
            print(f"| `{' '.join([name + '.cc', *more])}` | {budgets} | {answer} | {classes} | {result['executions']:,} | {result['seconds']:.2f} |")


if __name__ == "__main__":
    main()
