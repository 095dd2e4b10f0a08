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
# A library that was not compiled with Plait and counts its calls: each run must find it as the first one did.
LIBRARY = "int plait_test_count(void) { static int count; return ++count; }"
USER = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int plait_test_count(void);
static atomic_int x;
static void* adds(void* unused) { x++; return unused; }
int main() {
  assert(plait_test_count() == 1);
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, adds, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
}
"""
EXPLORERS = ("cumulative", "mcr", "dpor", "icb", "exhaustive")


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def check_library(plait, work):
    source, library, user, program = (os.path.join(work, name) for name in ("count.c", "libcount.so", "user.c", "user"))
    write(source, LIBRARY)
    write(user, USER)
    subprocess.run(["clang-19", "-shared", "-fPIC", source, "-o", library], check=True)
    subprocess.run([plait, "cc", "-O1", "-pthread", user, library, f"-Wl,-rpath,{os.path.abspath(work)}", "-o", program], check=True)
    for explorer in EXPLORERS:
        result = subprocess.run([plait, "check", "-q", "-o", program + "-out", "--explore", explorer, program], capture_output=True, text=True, timeout=1200)
        if result.returncode != 0:
            print(f"FAILED library, {explorer}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
            return True
    return False


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
        write(source, PROGRAM.replace("CALL", call))
        subprocess.run([arguments.plait, "cc", "-O1", "-pthread", source, "-o", program], check=True)
        for explorer in EXPLORERS:
            result = subprocess.run([arguments.plait, "check", "-q", "-o", program + "-out", "--explore", explorer, program],
                                    capture_output=True, text=True, timeout=1200)
            if result.returncode != 70 or name not in result.stderr:
                print(f"FAILED {name}, {explorer}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
                failed = True
    return failed or check_library(arguments.plait, arguments.work)


if __name__ == "__main__":
    sys.exit(main())
