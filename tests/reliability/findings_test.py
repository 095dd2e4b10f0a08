"""What a check has found is told, whatever happens: full disks, limits, signals, a program whose file goes away."""
import contextlib
import glob
import json
import os
import resource
import shutil
import signal
import subprocess
import time

import reliability
from reliability import PLAIT, ReliabilityTest, workers_of

# Every schedule fails; with --keep-going and three counters there is no end in sight.
BUGGY = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#ifndef TIMES
#define TIMES 1
#endif
atomic_int x, early;
void* work(void* a) { for (int i = 0; i < TIMES; ++i) { int v = x; x = v + 1; } return a; }
void* fails(void* a) { assert(early == 2); return a; }
int main(void) {
  pthread_t a, b, c, d;
  early = 1;
  pthread_create(&d, 0, fails, 0);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_create(&c, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  pthread_join(d, 0);
  printf("%d\\n", x);
}
"""


def whole_or_absent(directory):
    """Every result file in there is complete; nothing is left of those that are not."""
    for folder, _, names in os.walk(directory):
        for name in names:
            if name.endswith(".tmp"):
                raise AssertionError(f"{folder}/{name} is left over")
            if name.endswith(".json"):
                with open(os.path.join(folder, name)) as text:
                    json.load(text)


@contextlib.contextmanager
def small_disk(path, size):
    """A file system of its own. None if this machine does not let us have one."""
    os.makedirs(path, exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", path], capture_output=True).returncode == 0
    try:
        yield path if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", path], check=True)


class Findings(ReliabilityTest):
    def setUp(self):
        self.write("p.c", BUGGY)
        if not os.path.exists(self.path("p")):
            self.plait("cc", "p.c", "-o", "p")
            self.plait("cc", "-DTIMES=9", "p.c", "-o", "long")
            self.plait("cc", "-DNDEBUG", "-DTIMES=9", "p.c", "-o", "safe")

    def check(self, *words, limits=None, expect=10, out="out", **more):
        command = [PLAIT, "check", "-j", "1", "-o", out, *words]
        preexec = (lambda: [resource.setrlimit(*limit) for limit in limits]) if limits else None
        ran = subprocess.run(command, cwd=self.directory, capture_output=True, text=True, preexec_fn=preexec, timeout=1200, **more)
        self.assertEqual(ran.returncode, expect, ran.stdout + ran.stderr)
        return ran

    def test_full_disk(self):
        tried = 0
        for left in (0, 4096, 8192, 16384, 32768):
            with small_disk(self.path("disk"), "256k") as disk:
                if not disk:
                    print("no tmpfs can be mounted here: ulimit -f stands in for the full disk")
                    self.check("p", limits=[(resource.RLIMIT_FSIZE, (left, resource.RLIM_INFINITY))], out=f"cut{left}")
                    whole_or_absent(self.path(f"cut{left}"))
                    continue
                os.makedirs(disk + "/out")
                with open(disk + "/filler", "wb", buffering=0) as filler, contextlib.suppress(OSError):
                    while True:
                        filler.write(b"x" * 4096)
                with contextlib.suppress(OSError):
                    os.truncate(disk + "/filler", max(0, os.path.getsize(disk + "/filler") - left))
                ran = self.check("p", out=disk + "/out")
                self.assertIn("assertion failed", ran.stdout)
                if left == 0:
                    self.assertIn("No space left", ran.stderr)
                    self.assertIn("replay: not possible", ran.stdout)
                    answer = json.loads(self.check("--format", "json", "p", out=disk + "/out").stdout)
                    self.assertEqual([bug["schedule"] for bug in answer["bugs"]], [None])
                whole_or_absent(disk)
                tried += 1
        print(f"full disk: {tried} times")

    def test_file_size_limit(self):
        for most in (0, 100, 1000):
            ran = self.check("p", limits=[(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))], out=f"small{most}")
            self.assertIn("assertion failed", ran.stdout)
            self.assertIn("File too large", ran.stderr)
            whole_or_absent(self.path(f"small{most}"))

    def test_result_that_cannot_be_printed(self):
        with open("/dev/full", "w") as full:
            code = subprocess.run([PLAIT, "check", "-o", "full", "p"], cwd=self.directory, stdout=full, stderr=subprocess.PIPE).returncode
        self.assertEqual(code, 10, "a bug is a bug")
        self.plait("replay", "full/bug-1.json", expect=10)

    def interrupted(self, number, *words):
        process = subprocess.Popen([PLAIT, "check", "-j", "1", "--merge", "off", "-o", f"signal{number}", *words, "long"], cwd=self.directory,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = process.stderr.readline()  # it tells how far it is
        self.assertIn("executions", line)
        process.send_signal(number)
        output, errors = process.communicate(timeout=1200)
        self.assertEqual(process.returncode, 130, output + errors)
        return output

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(number):
                output = self.interrupted(number, "--keep-going")
                self.assertIn("assertion failed", output)
                self.assertIn("limit: interrupted", output)
                self.plait("replay", f"signal{number}/bug-1.json", expect=10)
                self.assertEqual(json.loads(self.read(f"signal{number}/resume.json"))["plait_resume"], 2)

    def test_program_goes_away(self):
        """Its file is removed, or another one takes its place: what is checked stays the same."""
        self.write("other.c", "int main(void) { return 0; }\n")
        self.plait("cc", "other.c", "-o", "other")
        for replacement in (None, "other"):
            with self.subTest(replacement):
                shutil.copy(self.path("p"), self.path("victim"))
                process = subprocess.Popen([PLAIT, "check", "-j", "1", "--explore", "exhaustive", "--keep-going", "-o", "gone", "victim"],
                                           cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                while process.poll() is None and not workers_of(process.pid):
                    time.sleep(0.001)
                os.remove(self.path("victim"))
                if replacement:
                    os.rename(shutil.copy(self.path(replacement), self.path("new")), self.path("victim"))
                for worker in workers_of(process.pid):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(worker, signal.SIGKILL)
                output, errors = process.communicate(timeout=1200)
                self.assertEqual(process.returncode, 10, output + errors)
                self.assertIn("assertion failed", output)
                self.assertIn("complete: yes", output)

    def test_program_removes_itself(self):
        self.write("own.c", BUGGY.replace("early = 1;", "early = 1; remove(\"own\"); unlink(\"own\");").replace("#include", "#include <unistd.h>\n#include", 1))
        self.plait("cc", "own.c", "-o", "own")
        self.assertIn("assertion failed", self.check("./own").stdout)

    def test_resume_that_cannot_be_written(self):
        ran = self.check("--merge", "off", "--max-executions", "30", "safe", out="noresume", expect=5,
                         limits=[(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))])
        self.assertIn("limit: max-executions", ran.stdout)
        self.assertIn("File too large", ran.stderr)


class OneDirectory(ReliabilityTest):
    """Several checks at the same time, with the same output directory: each tells its own bug."""
    PROGRAM = """#include <assert.h>
#include <pthread.h>
int x;
void* work(void* a) { __atomic_fetch_add(&x, 1, 5); return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(x == NAME);
}
"""

    def test_each_its_own(self):
        names, rounds = range(10, 16), 3
        self.write("p.c", self.PROGRAM)
        for name in names:
            self.plait("cc", f"-DNAME={name}", "p.c", "-o", f"p{name}")
        for _ in range(rounds):
            checks = {name: subprocess.Popen([PLAIT, "check", "-j", "1", "--format", "json", f"p{name}"], cwd=self.directory,
                                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for name in names}
            for name, process in checks.items():
                output, errors = process.communicate(timeout=1200)
                self.assertEqual(process.returncode, 10, errors)
                self.assertIn("/bug-1.json", output)
        # The next check in a directory replaces bug-1.json; run-K keeps it.
        whole_or_absent(self.directory)
        recorded = [json.loads(self.read(path))["program"] for path in glob.glob(self.path("plait-out*/run-*/bug-1.json"))]
        self.assertEqual(sorted(recorded), sorted(f"p{name}" for name in names for _ in range(rounds)))

    def test_says_where(self):
        self.write("p.c", BUGGY)
        self.plait("cc", "-DTIMES=9", "p.c", "-o", "long")
        self.plait("cc", "p.c", "-o", "p")
        process = subprocess.Popen([PLAIT, "check", "-q", "--merge", "off", "--keep-going", "long"], cwd=self.directory, stdout=subprocess.DEVNULL)
        while process.poll() is None and not workers_of(process.pid):
            time.sleep(0.01)
        ran = self.plait("check", "p", expect=10)
        self.assertIn("another check is using 'plait-out': this one writes to 'plait-out-2'", ran.stderr)
        self.assertIn("plait replay plait-out-2/bug-1.json", ran.stdout)
        process.kill()
        process.wait()
        ran = self.plait("check", "p", expect=10)  # the lock is gone with its process
        self.assertIn("plait replay plait-out/bug-1.json", ran.stdout)


if __name__ == "__main__":
    reliability.main()
