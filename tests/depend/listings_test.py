#!/usr/bin/env python3
"""Programs of 002: Listing 2 (runs of MCR, MCR-S and MCR-S+, as published), and the one of §4.2.2 (no schedule that does
not come true)."""
import argparse
import json
import os
import subprocess
import sys

LISTING_2 = """
static void* one(void* unused) { x = 1; return unused; }
static void* two(void* unused) { int r1 = x; int r2 = x; (void)r1; (void)r2; return unused; }
"""
SECTION_4_2_2 = """
static void* one(void* unused) { int r = y; (void)r; return unused; }
static void* two(void* unused) { x = 1; y = x; return unused; }
static void* three(void* unused) { x = 2; return unused; }
"""
FRAME = """#include <pthread.h>
static volatile int x, y;
%s
int main(void) {
  void* (*routines[])(void*) = {%s};
  pthread_t threads[sizeof routines / sizeof *routines];
  (void)y;
  for (unsigned i = 0; i < sizeof routines / sizeof *routines; ++i) pthread_create(&threads[i], 0, routines[i], 0);
  for (unsigned i = 0; i < sizeof routines / sizeof *routines; ++i) pthread_join(threads[i], 0);
  return 0;
}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plait", required=True)
    parser.add_argument("--work", required=True)
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)

    def build(name, text, *routines):
        source, binary = os.path.join(arguments.work, name + ".c"), os.path.join(arguments.work, name)
        with open(source, "w", encoding="utf-8") as file:
            file.write(FRAME % (text, ", ".join(routines)))
        subprocess.run([arguments.plait, "cc", "-O1", source, "-o", binary], check=True)
        return binary

    def check(binary, *options):
        command = [arguments.plait, "check", "-q", "-j", "1", "--format", "json", "--races", "off", "--explore", "mcr", "--merge", "off",
                   "-o", os.path.join(arguments.work, "out"), *options, binary]
        return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)

    wrong = []

    def expect(what, found, wanted):
        if found != wanted:
            wrong.append(f"{what}: {found}, not {wanted}")

    listing = build("listing2", LISTING_2, "one", "two")
    section = build("section422", SECTION_4_2_2, "one", "two", "three")
    for solver in ("native", "z3"):
        for dependence, runs in (("none", 3), ("static", 4), ("static+", 3)):
            options = ["--solver", solver, "--dependence", dependence]
            expect(f"Listing 2, {solver}, {dependence}", check(listing, *options)["executions"], runs)
            for model in ("sc", "tso", "pso"):
                answer = check(section, "--memory-model", model, "--classes", *options)
                expect(f"4.2.2, {solver}, {dependence}, {model}", (answer["verdict"], answer["classes"], answer["limits"]), ("safe", 4, []))
    print("\n".join(wrong) if wrong else "as in the paper")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
