"""What cannot work is said in one line; who may not work, does not."""
import hashlib
import json
import time

from fleet import FleetTest, Redis, free_port, main, until

COUNTER = "bench/programs/classic/counter.c"


class Errors(FleetTest):
    def setUp(self):
        super().setUp()
        self.compile(COUNTER, "counter", "-DN=2", "-DT=2", "-DK=2")

    def refused(self, *words, code=2):
        """One line on standard error."""
        ran = self.plait(*words, expect=code)
        self.assertEqual(ran.stderr.count("\n"), 1, ran.stderr)
        return ran.stderr

    def test_addresses(self):
        nobody = f"redis://127.0.0.1:{free_port()}"
        for command in (("check", "--cluster", nobody, "./counter"), ("worker", nobody), ("cluster", nobody)):
            self.assertIn("cannot reach Redis", self.refused(*command))
        self.assertIn("is no address of a Redis server", self.refused("cluster", "http://127.0.0.1"))
        self.assertIn("no number", self.refused("cluster", "redis://127.0.0.1:many"))
        self.assertIn("SSL", self.refused("worker", "rediss://127.0.0.1"))
        self.assertIn("--key belongs to --cluster", self.refused("check", "--key", "k", "./counter"))

    def test_passwords(self):
        guarded = Redis(self.path("guarded"), "--requirepass", "secret")
        try:
            for who in ("", "wrong@", "user:wrong@"):
                line = self.refused("check", "--cluster", f"redis://{who}127.0.0.1:{guarded.port}", "./counter")
                self.assertIn("wants another user or password", line)
                self.assertNotIn("wrong@", line)
            url = f"redis://secret@127.0.0.1:{guarded.port}"
            self.worker("-j", "1", url=url)
            self.assertEqual(self.end_check(self.begin_check("./counter", url=url))["verdict"], "safe")
        finally:
            guarded.kill()

    def test_another_version(self):
        state = json.dumps({"compatibility": "Plait 0.0.1, vax", "tasks": 0, "runs": 0})
        self.redis.say("HSET", "plait:workers", "old", f"{int(time.time()) + 1000} {state}")
        line = self.refused("check", "--cluster", self.redis.url, "./counter")
        self.assertIn("Plait 0.0.1, vax", line)
        # A worker leaves the check of another version alone, and goes on with others.
        self.redis.say("SET", "plait:alien:here", "1")
        alien = b"\x00" * 32 + b"\xa1\x6dcompatibility\x63old"
        self.redis.say("HSET", "plait:checks", "alien", alien)
        self.workers(1)
        self.assertEqual(self.check("./counter")["verdict"], "safe")
        until(lambda: any("alien: it is of old" in line for worker in self.overview()["workers"] for line in worker["refused"]))

    def test_only_allowed_programs(self):
        with open(self.path("counter"), "rb") as program:
            own = hashlib.sha256(program.read()).hexdigest()
        self.workers(1, "--allow", "0" * 64)
        ran = self.plait("check", "--cluster", self.redis.url, "./counter", expect=2)
        self.assertIn(f"its program {own} is not allowed here", ran.stderr)
        # Also where something is run before anybody is asked.
        for explorer in ("exhaustive", "random", "pct", "mcr", "dpor", "icb"):
            line = self.refused("check", "-q", "--cluster", self.redis.url, "--explore", explorer, "./counter")
            self.assertIn(f"no worker takes this check: its program {own} is not allowed here", line)
        self.worker("-j", "1", "--allow", "0" * 64, "--allow", own)
        self.assertEqual(self.check("./counter")["verdict"], "safe")

    def test_only_signed_with_the_key(self):
        self.write("key", "0123456789abcdef0123456789abcdef\n")
        self.write("other", "fedcba9876543210fedcba9876543210\n")
        self.write("short", "abc\n")
        self.assertIn("fewer than 16 bytes", self.refused("worker", self.redis.url, "--key", "short"))
        self.workers(1, "--key", "key")
        self.assertEqual(self.check("--key", "key", "./counter")["verdict"], "safe")
        for key in ((), ("--key", "other")):
            checking = self.begin_check(*key, "--timeout", "4", "./counter")
            until(lambda: self.overview()["checks"])
            result = self.end_check(checking)
            self.assertEqual((result["verdict"], result["cluster"]["finished"]), ("inconclusive", 0))


if __name__ == "__main__":
    main()
