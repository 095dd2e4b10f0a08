#!/usr/bin/env python3
"""Random programs with inputs from 0 to 3: the combinations of paths that --paths counts are those that the program
itself prints, when it keeps a log of its branches and all values of its inputs and all schedules are explored by values.

  path_count_test.py PLAIT FOLDER [--programs 8] [--seed 1]
"""
import argparse
import json
import os
import random
import subprocess
import sys

HEAD = """#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#ifdef LOG
static char text[4][32];
#define IF(thread, condition) if ((condition) ? (text[thread][at++] = '1') : (text[thread][at++] = '0', 0))
#define BEGIN int at = 0;
#else
#define IF(thread, condition) if (condition)
#define BEGIN
#endif
static _Atomic int x, y;
static int i, j;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
"""


class Source:
    def __init__(self, seed):
        self.random = random.Random(seed)
        count = self.random.choice((2, 2, 3))
        self.threads = [self.body(t, self.random.randint(1, 3), 2) for t in range(count)]

    def value(self):
        return self.random.choice(("i", "j", "a", "a + 1", "i + j", "2", "1", "a * 2", "3 - i"))

    def condition(self):
        return f"{self.value()} {self.random.choice(('==', '!=', '<', '>'))} {self.value()}"

    def statement(self, thread, depth):
        kind = self.random.randint(0, 9)
        place = self.random.choice("xy")
        if kind <= 2:
            return f"a = atomic_load(&{place});"
        if kind <= 4:
            return f"atomic_store(&{place}, {self.value()});"
        if kind == 5:
            return f"a = atomic_fetch_add(&{place}, {self.value()});"
        if kind == 6:
            return f"pthread_mutex_lock(&lock); atomic_store(&{place}, {place} + 1); pthread_mutex_unlock(&lock);"
        if depth == 0:
            return "a = a + i;"
        return (f"IF({thread}, {self.condition()}) {{ {self.statement(thread, depth - 1)} }} else {{ "
                f"{self.statement(thread, depth - 1)} {self.statement(thread, 0)} }}")

    def body(self, thread, count, depth):
        lines = "\n  ".join(self.statement(thread, depth) for _ in range(count + 1))
        return (f"static void* thread{thread}(void* unused) {{\n  BEGIN\n  int a = 0;\n  {lines}\n"
                f"  IF({thread}, {self.condition()}) a = 0;\n  (void)a;\n  return unused;\n}}\n")

    def text(self):
        count = len(self.threads)
        starts = "".join(f"  pthread_create(&t[{t}], 0, thread{t}, 0);\n" for t in range(count))
        joins = "".join(f"  pthread_join(t[{t}], 0);\n" for t in range(count))
        return (HEAD + "".join(self.threads) + f"int main(void) {{\n  pthread_t t[{count}];\n"
                '  i = (int)plait_input_range(0, 3, "i");\n  j = (int)plait_input_range(0, 3, "j");\n' + starts + joins +
                '#ifdef LOG\n  printf("%s %s %s\\n", text[0], text[1], text[2]);\n#endif\n  return 0;\n}\n')


def check(plait, folder, name, text, flags, options):
    source, binary = os.path.join(folder, "program.c"), os.path.join(folder, name)
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([plait, "cc", "-w", *flags, source, "-o", binary], check=True)
    command = [plait, "check", "--format", "json", "-q", "--races", "off", "--no-config", "-o", binary + "-out", *options, binary]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)


def compare(plait, folder, seed):
    """A problem, or nothing; and how many paths there were."""
    text = Source(seed).text()
    printed = check(plait, folder, "log", text, ["-DLOG"], ["--explore", "cumulative", "--outcomes"])
    if not printed["complete"]:
        return f"not complete: {printed['limits']}", 0
    expected = len(printed["outcomes"])
    problem = ""
    counted = check(plait, folder, "count", text, [], ["--paths"])
    if not counted["complete"] or counted["paths"] != expected:
        problem = f"{counted['paths']} paths, {counted['limits']}; the program prints {expected}"
    for strategy in ("s1", "s2"):
        mpc = check(plait, folder, "count", text, [], ["--explore", "mpc", "--strategy", strategy])
        if not mpc["complete"] or mpc["paths"] > expected:
            problem += f"; {strategy}: {mpc['paths']} paths, {mpc['limits']}"
    return problem and f"{problem}\n{text}", expected


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plait")
    parser.add_argument("folder")
    parser.add_argument("--programs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    paths = wrong = 0
    for seed in range(arguments.seed, arguments.seed + arguments.programs):
        problem, found = compare(os.path.abspath(arguments.plait), os.path.abspath(arguments.folder), seed)
        paths += found
        wrong += bool(problem)
        if problem:
            print(f"seed {seed}: {problem}")
    print(f"{arguments.programs} programs with {paths} combinations of paths, {wrong} wrong")
    # Programs without branches would test nothing.
    sys.exit(1 if wrong or paths < 2 * arguments.programs else 0)


if __name__ == "__main__":
    main()
