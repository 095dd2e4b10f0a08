"""The checkers that the table compares: how each is called on a program of bench/programs, and what its answer says.

Every measurement is of a whole command: wall time, CPU time (user and system, of the command and of all that it waited
for) and the largest resident set of any one of its processes. A checker that compiles by itself (the peers do) has that
in its times; what it reports as its own time is kept beside them. Plait's programs are compiled before.
"""
import json
import os
import re
import resource
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass


@dataclass
class Answer:
    verdict: str  # safe, bug, inconclusive, timeout, out of memory, unsupported, error
    wall: float = 0.0
    cpu: float = 0.0
    megabytes: float = 0.0
    runs: int | None = None  # executions; for the peers complete ones
    blocked: int | None = None  # not counted in runs
    states: int | None = None
    own_seconds: float | None = None  # what the tool itself reports for checking
    note: str = ""

    @property
    def done(self):
        return self.verdict in ("safe", "bug")


@dataclass
class Ran:
    code: int
    output: str
    wall: float
    cpu: float
    megabytes: float
    timed_out: bool


def session_usage(session):
    """CPU seconds and peak megabytes of the living processes of a session: what nobody waits for if they are killed."""
    cpu = peak = 0.0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                fields = file.read().rpartition(")")[2].split()
            if int(fields[3]) != session:
                continue
            cpu += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
            with open(f"/proc/{name}/status", encoding="utf-8") as file:
                peak = max(peak, *(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM")))
        except (OSError, ValueError, TypeError):  # it has ended meanwhile
            continue
    return cpu, peak


def run(command, limit, megabytes=None, interrupt=False):
    """Runs a command in a session of its own. At `limit` CPU seconds (or ten times that by the clock: it may wait for
    others who use the machine) it is killed, or with `interrupt` asked to end first."""

    def bound():
        if megabytes:
            resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))

    with tempfile.TemporaryFile() as output:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True, preexec_fn=bound)
        ended = threading.Event()
        used = [0.0, 0.0]
        stopped = []

        def watch():
            while not ended.wait(0.1):
                used[:] = session_usage(process.pid)
                over = max(used[0] / limit, (time.monotonic() - begin) / (10 * limit))
                if over < 1:
                    continue
                if interrupt and not stopped:
                    os.kill(process.pid, signal.SIGINT)
                    ended.wait(5)
                else:
                    os.killpg(process.pid, signal.SIGKILL)
                stopped.append(over)

        watcher = threading.Thread(target=watch)
        watcher.start()
        # The group's number stays taken until its leader has been waited for, so the watcher cannot hit anybody else.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        ended.set()
        watcher.join()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    cpu, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    return Ran(process.returncode, text, wall, max(cpu, used[0]), max(peak, used[1]), bool(stopped))


def measured(ran, verdict, **more):
    return Answer(verdict, wall=ran.wall, cpu=ran.cpu, megabytes=ran.megabytes, **more)


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else None


class Plait:
    """One explorer of `plait check`, on a binary that `plait cc` has made."""

    def __init__(self, name, plait, options, work):
        self.name, self.plait, self.options, self.work = name, plait, options, work

    def version(self):
        return f"`plait check {shlex.join(self.options)}`"

    def wrong(self, row):
        """All programs of the table are safe. Not to finish is not wrong."""
        return row.answers[self.name].verdict in ("bug", "error")

    def check(self, program, timeout):
        out = os.path.join(self.work, "out")
        command = [self.plait, "check", *self.options, "--format", "json", "-q", "-o", out, program.binary]
        ran = run(command, timeout, interrupt=True)  # interrupted, it says what it has done so far
        try:
            answer = json.loads(ran.output[ran.output.index("{"):])
        except ValueError:
            return measured(ran, "timeout" if ran.timed_out else "error", note=ran.output.strip()[-300:])
        verdict = answer["verdict"]
        limits = " ".join(answer["limits"])
        if verdict == "inconclusive" and "memory" in limits:
            verdict = "out of memory"
        elif verdict == "inconclusive" and ran.timed_out:
            verdict = "timeout"
        return measured(ran, verdict, runs=answer["executions"], states=answer["states"],
                        own_seconds=answer["seconds"], note="" if verdict in ("safe", "bug") else limits)


class GenMC:
    name = "GenMC"

    def __init__(self, command, megabytes):
        self.command, self.megabytes = shlex.split(command), megabytes

    def version(self):
        text = run([*self.command, "--version"], 20).output
        found = re.search(r"GenMC v?(\S+)", text)
        return f"GenMC {found.group(1) if found else '(version unknown)'}, `--sc --disable-estimation`"

    def check(self, program, timeout, more=()):
        options = ["--sc", "--disable-estimation", *more]
        command = [*self.command, *options, "--", "-DGENMC", *program.peer_flags, program.source]
        ran = run(command, timeout, self.megabytes)
        if "disable-ipr" in ran.output and not more:  # it asks for that itself
            return self.check(program, timeout, ["--disable-ipr"])
        if ran.timed_out:
            return measured(ran, "timeout")
        if re.search(r"bad_alloc|out of memory|Cannot allocate", ran.output, re.IGNORECASE):
            return measured(ran, "out of memory")
        runs = number(r"complete executions explored: (\d+)", ran.output)
        seconds = re.search(r"wall-clock time: ([0-9.]+)s", ran.output)
        safe, wrong = "No errors were detected" in ran.output, "Error" in ran.output and runs is not None
        verdict = "safe" if safe else "bug" if wrong else "error"
        return measured(ran, verdict, runs=runs, blocked=number(r"blocked executions seen: (\d+)", ran.output) or 0,
                        own_seconds=float(seconds.group(1)) if seconds else None,
                        note="" if verdict == "safe" else ran.output.strip()[-300:])


class Nidhugg:
    """Runs every mode that was asked for, and gives the best answer: which one is best depends on the program."""

    name = "Nidhugg"

    def __init__(self, command, modes, megabytes):
        self.command, self.modes, self.megabytes = shlex.split(command), modes, megabytes

    def version(self):
        text = run([*self.command, "--version"], 20).output
        found = re.search(r"[Nn]idhugg\D*([0-9][0-9.]*\S*)", text)
        modes = ", ".join(f"`--{mode}`" for mode in self.modes)
        return f"Nidhugg {found.group(1) if found else '(version unknown)'}, `--sc`, the best of {modes}"

    def check(self, program, timeout):
        answers = [self.check_mode(program, timeout, mode) for mode in self.modes]
        for answer in answers:
            if answer.verdict == "error":  # an inner error of one mode: no reason to trust the others on this program
                return answer
        return min(answers, key=lambda answer: (not answer.done, answer.verdict == "unsupported", answer.cpu))

    def check_mode(self, program, timeout, mode):
        options = ["--sc", f"--{mode}", "--no-check-mutex-init"]  # it does not know PTHREAD_MUTEX_INITIALIZER
        ran = run([*self.command, *program.peer_flags, "--", *options, program.source], timeout, self.megabytes)
        if ran.timed_out:
            return measured(ran, "timeout", note=mode)
        if re.search(r"bad_alloc|out of memory|Cannot allocate", ran.output, re.IGNORECASE):
            return measured(ran, "out of memory", note=mode)
        runs = number(r"Trace count: (\d+)", ran.output)
        safe, wrong = "No errors were detected" in ran.output, "Error detected" in ran.output
        verdict = "safe" if safe else "bug" if wrong and "Nondeterminism detected" not in ran.output else "error"
        if "not supported" in ran.output:
            verdict = "unsupported"
        seconds = re.search(r"Total wall-clock time: ([0-9.]+)", ran.output)
        note = mode if verdict in ("safe", "bug") else f"{mode}: {ran.output.strip()[-300:]}"
        blocked = sum(map(int, re.findall(r"blocked trace count: (\d+)", ran.output)))
        return measured(ran, verdict, runs=runs, blocked=blocked,
                        own_seconds=float(seconds.group(1)) if seconds else None, note=note)
