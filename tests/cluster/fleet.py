"""What the tests of the cluster share: a Redis server of their own on a free port, workers, and checks on them.

Usage of each test: NAME_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.abspath(sys.argv[2]), "tests/tool"))
# pylint: disable=wrong-import-position,unused-import
from tool import PLAIT, SOURCE, WORK, ToolTest, main  # noqa: E402,F401

LONG = 300  # seconds: against hangs only


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def until(what, seconds=LONG):
    """Waits for it; its value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = what()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError("it did not happen")


class Redis:
    """A server. It is started and killed as the test likes."""

    def __init__(self, directory, *options):
        self.directory, self.options, self.port, self.process = directory, options, free_port(), None
        os.makedirs(directory, exist_ok=True)
        self.start()

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}"

    def start(self):
        words = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.directory, "--save", "",
                 *self.options]
        with open(os.path.join(self.directory, "log"), "a") as log:
            self.process = subprocess.Popen(words, stdout=log, stderr=log)
        until(self.answers)

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as one:
                one.sendall(b"PING\r\n")
                return one.recv(100)[:5] in (b"+PONG", b"-NOAU")
        except OSError:
            return False

    def say(self, *words):
        """One command; the raw answer."""
        encoded = [word.encode() if isinstance(word, str) else word for word in words]
        text = b"*%d\r\n" % len(encoded) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in encoded)
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as one:
            one.sendall(text)
            one.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := one.recv(65536):
                answer += piece
            return answer

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


class FleetTest(ToolTest):
    """Each test has a server; workers and checks are ended with it."""

    def setUp(self):
        self.redis = Redis(self.path(self._testMethodName + "-redis"))
        self.started = []

    def tearDown(self):
        for process in self.started:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
            process.wait()
            for pipe in (process.stdout, process.stderr):
                if pipe:
                    pipe.close()
        self.redis.kill()
        shutil.rmtree(self.redis.directory, ignore_errors=True)

    def start(self, *words, **more):
        process = subprocess.Popen([PLAIT, *words], cwd=self.directory, stdin=subprocess.DEVNULL, **more)
        self.started.append(process)
        return process

    def worker(self, *options, url=None):
        with open(self.path("workers.log"), "a") as log:
            return self.start("worker", url or self.redis.url, "--cache", self.path("cache"), *options, stderr=log)

    def workers(self, count, *options):
        """So many, and they are there."""
        started = [self.worker("-j", "1", *options) for _ in range(count)]
        until(lambda: len(self.overview()["workers"]) >= count)
        return started

    def overview(self):
        return json.loads(self.plait("cluster", "--format", "json", self.redis.url).stdout)

    def compile(self, source, name, *flags):
        self.plait("cc", "-O1", "-g", "-pthread", *flags, os.path.join(SOURCE, source), "-o", self.path(name))

    def begin_check(self, *words, output="out", url=None):
        return self.start("check", "--format", "json", "-o", output, "--cluster", url or self.redis.url, *words,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end_check(self, process):
        """The result; it has exactly as many results as tasks."""
        out, err = process.communicate(timeout=LONG)
        self.assertTrue(out, f"exit code {process.returncode}: {err}")
        result = json.loads(out)
        result["said"] = err
        if "cluster" in result:
            account = result["cluster"]
            self.assertEqual(account["submitted"], account["finished"] + account["given_up"], account)
        return result

    def check(self, *words):
        return self.end_check(self.begin_check(*words))

    def alone(self, *words):
        process = self.start("check", "--format", "json", "-q", "-j", "1", "-o", "alone", *words, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        return self.end_check(process)

    @staticmethod
    def source():
        return SOURCE

    @staticmethod
    def answer(result):
        """What must be the same wherever it was found."""
        return {"verdict": result["verdict"], "complete": result["complete"], "classes": result["classes"],
                "bugs": sorted((bug["kind"], bug["file"], bug["line"]) for bug in result["bugs"]),
                "outcomes": sorted(outcome["stdout"] for outcome in result["outcomes"])}
