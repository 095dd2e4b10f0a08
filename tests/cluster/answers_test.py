"""A check on a cluster has the answer of a check on one machine: all explorers, SC and TSO."""
from fleet import FleetTest, main

CLASSIC = "bench/programs/classic"
PROGRAMS = (("counter", ("-DN=2", "-DT=2", "-DK=2")), ("dekker", ("-DN=2", "-DT=2", "-DK=2")),
            ("rwlock", ("-DN=2", "-DT=2", "-DK=2")), ("sb_ring", ("-DN=3",)))


class Answers(FleetTest):
    def compare(self, explorers, *more):
        self.workers(3)
        for name, flags in PROGRAMS:
            self.compile(f"{CLASSIC}/{name}.c", name, *flags)
            for explorer in explorers:
                for model in ("sc", "tso"):
                    words = ("--explore", explorer, "--memory-model", model, "--keep-going", "--outcomes", *more, self.path(name))
                    with self.subTest(program=name, explorer=explorer, model=model):
                        there = self.check(*words)
                        self.assertGreater(there["cluster"]["finished"], 0)
                        self.assertEqual(there["cluster"]["given_up"], 0)
                        self.assertEqual(self.answer(there), self.answer(self.alone(*words)))

    def test_explorers_that_prove(self):
        self.compare(("cumulative", "mcr", "dpor", "exhaustive", "icb"))

    def test_explorers_that_sample(self):
        self.compare(("random", "pct"), "--max-executions", "2000")

    def test_classes_are_counted(self):
        self.workers(2)
        self.compile(f"{CLASSIC}/counter.c", "counter", "-DN=2", "-DT=2", "-DK=2")
        for explorer in ("cumulative", "mcr", "dpor"):
            words = ("--explore", explorer, "--classes", self.path("counter"))
            self.assertEqual(self.answer(self.check(*words)), self.answer(self.alone(*words)))

    def test_bytes_that_no_run_shares(self):
        """Each run of pool107 has only one thread in the factory: what it touches there, another one touches in the run
        of another worker."""
        self.workers(3)
        self.compile("bench/programs/papers/pool107.c", "pool107")
        for explorer in ("cumulative", "mcr", "dpor"):
            for model in ("sc", "tso"):
                words = ("--explore", explorer, "--memory-model", model, "--classes", "--races", "off", self.path("pool107"))
                with self.subTest(explorer=explorer, model=model):
                    self.assertEqual(self.check(*words)["classes"], 4)

    def test_assertions_about_them(self):
        self.workers(3)
        self.compile("bench/programs/papers/pool107.c", "fails", "-DPROPERTY", "-DATOMIC")
        for explorer in ("cumulative", "mcr", "dpor"):
            words = ("--explore", explorer, self.path("fails"))
            with self.subTest(explorer=explorer):
                there = self.check(*words)
                self.assertEqual([bug["kind"] for bug in there["bugs"]], ["assertion"])


if __name__ == "__main__":
    main()
