#!/usr/bin/env python3
"""What a check on a cluster costs, on one machine: a local worker process against one and two Redis workers.

  cluster.py --plait build/dist/bin/plait [--only NAME]

Prints one line for each program: seconds by the clock, and seconds of CPU time of all who take part (check, workers,
server). On a machine that is busy with other things only the CPU time means something: `work` is the CPU time of all over
that of the local check; `path` is that of the check and of the busiest worker, which is what the clock would say if all
had a core of their own.
"""
import argparse
import json
import os
import resource
import signal
import socket
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))

# Twelve tests that take about equally long.
SUITE = r"""
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
static atomic_int cell;
static void* add(void* unused) { for (int i = 0; i < 5; ++i) atomic_fetch_add(&cell, 1); return unused; }
int main(int count, char** words) {
  for (int i = 1; i < count; ++i)
    if (strcmp(words[i], "--gtest_list_tests") == 0) {
      puts("Suite.");
      for (int test = 0; test < 12; ++test) printf("  Test%d\n", test);
      return 0;
    }
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}
"""

PROGRAMS = (("mcr, MTList", "papers/mtlist.c", ("-DTHREADS=5",), ("--explore", "mcr", "--keep-going")),
            ("dpor, RVExample 3", "classic/rvexample.c", ("-DN=3",), ("--explore", "dpor")),
            ("exhaustive, counter", "classic/counter.c", ("-DN=6",), ("--explore", "exhaustive", "--ignore", "race")),
            ("gtest, 12 tests", None, (), ("--gtest", "--explore", "exhaustive")))


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def family(pid):
    found = [pid]
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as text:
            for child in text.read().split():
                found += family(int(child))
    except OSError:
        pass
    return found


def cpu_of(pid):
    """Of a process, its children, and those that have ended."""
    ticks = 0
    for one in family(pid):
        try:
            with open(f"/proc/{one}/stat") as text:
                fields = text.read().rsplit(")", 1)[1].split()
            ticks += sum(map(int, fields[11:15]))
        except OSError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


class Bench:
    def __init__(self, plait, work):
        self.plait, self.work = plait, work
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.redis = subprocess.Popen(["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""],
                                      stdout=subprocess.DEVNULL, cwd=work)
        self.workers = []
        time.sleep(0.5)

    def close(self):
        for process in [*self.workers, self.redis]:
            process.terminate()
            process.wait()

    def add_worker(self):
        self.workers.append(subprocess.Popen([self.plait, "worker", self.url, "-j", "1", "-q", "--cache",
                                              os.path.join(self.work, "cache")]))
        while True:
            seen = subprocess.run([self.plait, "cluster", "--format", "json", self.url], capture_output=True, text=True)
            if seen.returncode == 0 and len(json.loads(seen.stdout)["workers"]) == len(self.workers):
                return
            time.sleep(0.1)

    @staticmethod
    def tell(workers, what):
        for process in workers:
            for one in family(process.pid):
                os.kill(one, what)

    def check(self, *words):
        """Clock, CPU of the check, of each worker, of the server; the result."""
        before = [cpu_of(process.pid) for process in [self.redis, *self.workers]]
        own = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.monotonic()
        done = subprocess.run([self.plait, "check", "-q", "--format", "json", "-o", os.path.join(self.work, "out"), *words],
                              capture_output=True, text=True, check=False)
        clock = time.monotonic() - begin
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        time.sleep(0.2)
        server, *workers = [cpu_of(process.pid) - was for process, was in zip([self.redis, *self.workers], before)]
        check = now.ru_utime + now.ru_stime - own.ru_utime - own.ru_stime
        return clock, check, workers, server, json.loads(done.stdout)

    def measure(self, name, words):
        local = self.check("-j", "1", *words)
        rows = [(name, "local", local, local[1], local[1])]
        while len(self.workers) < 2:
            self.add_worker()
        for count in (1, 2):
            self.tell(self.workers[count:], signal.SIGSTOP)
            there = self.check("--cluster", self.url, "-j", "1", *words)
            self.tell(self.workers[count:], signal.SIGCONT)
            rows.append((name, f"{count} Redis", there, there[1] + sum(there[2]) + there[3], there[1] + max(there[2])))
        for name, who, row, work, path in rows:
            tasks = row[4].get("cluster", {}).get("finished", "-")
            runs = row[4]["executions"]
            print(f"{name:22} {who:8} {row[0]:7.2f} s {row[0] / local[0]:5.2f}  work {work:6.2f} s {work / local[1]:5.2f}  "
                  f"path {path:6.2f} s {path / local[1]:5.2f}  {runs:9} runs {tasks:>5} tasks", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plait", required=True)
    parser.add_argument("--only", default="", help="programs whose name contains this")
    options = parser.parse_args()
    plait = os.path.abspath(options.plait)
    with tempfile.TemporaryDirectory() as work:
        for name, source, flags, words in PROGRAMS:
            if options.only not in name:
                continue
            path = os.path.join(HERE, "programs", source) if source else os.path.join(work, "suite.c")
            if not source:
                with open(path, "w") as text:
                    text.write(SUITE)
            binary = os.path.join(work, "program")
            subprocess.run([plait, "cc", "-O1", "-g", "-pthread", *flags, path, "-o", binary], check=True)
            bench = Bench(plait, work)
            try:
                bench.measure(name, (*words, binary))
            finally:
                bench.close()


if __name__ == "__main__":
    main()
