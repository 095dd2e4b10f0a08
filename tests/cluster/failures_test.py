"""What can fail, does: workers that are killed or stand still, a server that goes away, forgets or is full, a network that
is cut. The answer stays the same, and each task counts once.

PLAIT_KILLS: how many workers are killed in one check (the suite: few)."""
import os
import random
import signal
import socket
import threading
import time

from fleet import FleetTest, Redis, main, until

COUNTER = "bench/programs/classic/counter.c"
KILLS = int(os.environ.get("PLAIT_KILLS", "6"))
SLOW = ("-DN=6",) if KILLS > 20 else ("-DN=5",)  # a second of exhaustive search, or many


class Proxy:
    """Between a worker and the server: a network that can be cut, without a word to either side."""

    def __init__(self, port):
        self.there, self.cut, self.pairs = port, False, []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                here, _ = self.listening.accept()
                there = socket.create_connection(("127.0.0.1", self.there))
            except OSError:
                return
            self.pairs += [here, there]
            for one, other in ((here, there), (there, here)):
                threading.Thread(target=self.pump, args=(one, other), daemon=True).start()

    def pump(self, one, other):
        try:
            while piece := one.recv(65536):
                while self.cut:
                    time.sleep(0.02)
                other.sendall(piece)
        except OSError:
            pass
        other.close()

    def close(self):
        self.listening.close()
        for one in self.pairs:
            one.close()


class Failures(FleetTest):
    def setUp(self):
        super().setUp()
        self.compile(COUNTER, "slow", *SLOW)
        self.words = ("--explore", "exhaustive", "--ignore", "race", self.path("slow"))

    def runs(self):
        return sum(worker["runs"] for worker in self.overview()["workers"])

    def begun(self, *more):
        """A check that workers are busy with."""
        checking = self.begin_check(*more, *self.words)
        until(lambda: any(check["taken"] for check in self.overview()["checks"]))
        return checking

    def same_as_alone(self, result):
        alone = self.alone(*self.words)
        self.assertEqual(self.answer(result), self.answer(alone))
        self.assertEqual(result["interleavings"], alone["interleavings"])  # nothing lost, nothing counted twice
        self.assertEqual(result["cluster"]["given_up"], 0)

    def test_workers_are_killed(self):
        workers = self.workers(2, "--lease", "0.5")
        checking = self.begun()
        chance = random.Random(1)
        killed = 0
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.02, 0.4))
            victim = chance.randrange(len(workers))
            workers[victim].kill()
            workers[victim].wait()
            workers[victim] = self.worker("-j", "1", "--lease", "0.5")
            killed += checking.poll() is None
        print(f"{killed} of {KILLS} workers were killed during the check", flush=True)
        self.assertGreater(killed, 0)
        self.same_as_alone(self.end_check(checking))

    def test_a_worker_stands_still_and_goes_on(self):
        still = self.workers(1, "--lease", "0.5")[0]
        checking = self.begun()
        group = [still.pid, *children(still.pid)]
        for process in group:
            os.kill(process, signal.SIGSTOP)
        self.worker("-j", "1", "--lease", "0.5")
        time.sleep(1.5)  # past the lease: the task is the other worker's now
        for process in group:
            os.kill(process, signal.SIGCONT)
        self.same_as_alone(self.end_check(checking))

    def test_the_server_keeps_everything(self):
        self.redis.kill()
        self.redis = Redis(self.redis.directory, "--appendonly", "yes")
        self.workers(2, "--lease", "1")
        checking = self.begun()
        self.redis.kill()
        time.sleep(0.5)
        self.redis.start()
        result = self.end_check(checking)
        self.assertIn("Redis is back", result["said"])
        self.assertEqual(result["cluster"]["again"], 0)
        self.same_as_alone(result)

    def test_the_server_forgets_everything(self):
        self.workers(2, "--lease", "1")
        checking = self.begun()
        self.redis.kill()
        self.redis.start()
        result = self.end_check(checking)
        self.assertIn("Redis has lost this check", result["said"])
        self.assertGreater(result["cluster"]["again"], 0)
        self.same_as_alone(result)

    def test_the_server_stays_away(self):
        self.workers(1)
        checking = self.begun("--cluster-patience", "1")
        self.redis.kill()
        result = self.end_check(checking)
        self.assertEqual((result["verdict"], checking.returncode), ("inconclusive", 5))
        self.assertTrue(any("lost Redis" in limit for limit in result["limits"]), result["limits"])

    def test_the_network_is_cut(self):
        proxy = Proxy(self.redis.port)
        try:
            self.worker("-j", "1", "--lease", "0.5", url=f"redis://127.0.0.1:{proxy.port}")
            until(lambda: self.overview()["workers"])
            checking = self.begun()
            proxy.cut = True
            self.worker("-j", "1", "--lease", "0.5")
            time.sleep(2)
            proxy.cut = False
            self.same_as_alone(self.end_check(checking))
        finally:
            proxy.close()

    def test_the_server_is_full(self):
        self.workers(2)
        checking = self.begun()
        self.redis.say("CONFIG", "SET", "maxmemory", "1")
        time.sleep(1.5)
        self.redis.say("CONFIG", "SET", "maxmemory", "0")
        self.same_as_alone(self.end_check(checking))

    def test_the_check_is_killed_and_resumed(self):
        self.workers(1, "--lease", "1")
        words = ("--explore", "cumulative", self.path("slow"))
        checking = self.begin_check("--max-executions", "5", *words)
        self.assertEqual(self.end_check(checking)["verdict"], "inconclusive")
        again = self.check("--resume", "out", *words)
        self.assertEqual(self.answer(again), self.answer(self.alone(*words)))
        killed = self.begun()
        killed.kill()
        killed.communicate()
        # Nobody works on for it: what was its is forgotten.
        self.redis.say("DEL", *[key for key in self.keys() if key.endswith(b":here")])
        until(lambda: not self.overview()["checks"])
        until(lambda: not any(worker["check"] for worker in self.overview()["workers"]))

    def keys(self):
        return [line for line in self.redis.say("KEYS", "plait:*").split(b"\r\n") if line.startswith(b"plait:")]

    def test_ctrl_c_keeps_what_was_found(self):
        self.workers(1)
        checking = self.begun()
        checking.send_signal(signal.SIGINT)
        result = self.end_check(checking)
        self.assertEqual(checking.returncode, 130)
        self.assertGreater(result["cluster"]["submitted"], 0)
        until(lambda: not any(worker["check"] for worker in self.overview()["workers"]))


def children(pid):
    found = []
    with open(f"/proc/{pid}/task/{pid}/children") as text:
        for child in map(int, text.read().split()):
            found += [child, *children(child)]
    return found


if __name__ == "__main__":
    main()
