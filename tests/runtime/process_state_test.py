#!/usr/bin/env python3
"""A run that changes the process behind the runtime's back, for later runs to see, is noticed and named."""
import argparse
import os
import shutil
import subprocess
import sys

# System calls that no interposed function sees; main is alone, so inline assembly is allowed.
PROGRAM = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void* adds(void* unused) { x++; return unused; }
static long call(long number, long a, long b, long c) {
  long result;
  register long size __asm__("r10") = 8;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(size) : "rcx", "r11", "memory");
  return result;
}
int main() {
  CALL;
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, adds, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
}
"""
LEAKS = {
    "the file mode creation mask": "call(95, 7, 0, 0)",
    "the working directory": 'call(80, (long)"/", 0, 0)',
    "open files": "call(32, 0, 0, 0)",
    "the signal mask": "unsigned long set = 1 << 14; call(14, 0, (long)&set, 0)",
}
EXPLORERS = ("cumulative", "mcr", "dpor", "icb", "exhaustive")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plait", required=True)
    parser.add_argument("--work", required=True)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    os.makedirs(arguments.work)
    failed = False
    for number, (name, call) in enumerate(LEAKS.items()):
        source, program = (os.path.join(arguments.work, f"leak{number}{end}") for end in (".c", ""))
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROGRAM.replace("CALL", call))
        subprocess.run([arguments.plait, "cc", "-O1", "-pthread", source, "-o", program], check=True)
        for explorer in EXPLORERS:
            result = subprocess.run([arguments.plait, "check", "-q", "-o", program + "-out", "--explore", explorer, program],
                                    capture_output=True, text=True, timeout=60)
            if result.returncode != 70 or name not in result.stderr:
                print(f"FAILED {name}, {explorer}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
                failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
