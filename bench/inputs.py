#!/usr/bin/env python3
"""What following inputs costs: one run with labels against one without, of the same program in the same minute.

  inputs.py PLAIT [--runs 3000] [--repeat 3]

For each program three times as long as one run takes: compiled as always; compiled so that inputs can be followed, but
fixed; and followed. The last two are told as ratios to the first."""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

# (name, what threads do with the input v; `s` is shared)
PROGRAMS = (
    ("arithmetic", "for (int i = 0; i < 2000; ++i) v = v * 3 + i;\n  s += v;"),
    ("memory", "int row[256];\n  for (int i = 0; i < 256; ++i) row[i] = v + i;\n  for (int i = 0; i < 256; ++i) v += row[i];\n  s += v;"),
    ("threads", "for (int i = 0; i < 20; ++i) { s = s + v; }"),
    ("no input", "for (int i = 0; i < 2000; ++i) s2 += i;\n  s += 1; (void)v;"),
)
SOURCE = """#include <plait.h>
#include <pthread.h>
static _Atomic int s;
static _Thread_local volatile int s2;
static int input;
static void* work(void* argument) {
  int v = input;
  %s
  return argument;
}
int main(void) {
  input = (int)TAKE(0, 1000, "v");
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  return 0;
}
"""
WAYS = (
    ("as always", ["-DTAKE(low,high,name)=7"], []),
    ("fixed", ["-DTAKE(low,high,name)=7", "-fplait-inputs"], []),
    ("followed", ["-DTAKE=plait_input_range"], ["--max-paths", "1"]),
)


def seconds_per_run(plait, binary, options, runs, folder):
    command = [plait, "check", binary, "--format", "json", "-q", "--no-config", "-j", "1", "--explore", "random", "--seed", "1",
               "--races", "off", "--max-executions", str(runs), "-o", folder, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    result = json.loads(done.stdout)
    return result["seconds"] / result["executions"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plait")
    parser.add_argument("--runs", type=int, default=3000)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    plait = os.path.abspath(arguments.plait)
    print("| program | microseconds a run | can be followed | is followed |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, body in PROGRAMS:
            source = os.path.join(folder, "program.c")
            with open(source, "w", encoding="utf-8") as file:
                file.write(SOURCE % body)
            times = {}
            for way, flags, _ in WAYS:
                subprocess.run([plait, "cc", "-w", *flags, source, "-o", os.path.join(folder, way)], check=True)
            for _ in range(arguments.repeat):
                for way, _, options in WAYS:
                    one = seconds_per_run(plait, os.path.join(folder, way), options, arguments.runs, folder + "/out")
                    times.setdefault(way, []).append(one)
            middle = {way: statistics.median(all_times) for way, all_times in times.items()}
            base = middle["as always"]
            print(f"| {name} | {base * 1e6:.0f} | {middle['fixed'] / base:.1f} x | {middle['followed'] / base:.1f} x |")


if __name__ == "__main__":
    main()
