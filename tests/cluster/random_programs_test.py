"""Random programs, and the papers', have the answers of one machine on a cluster of three workers, under SC and TSO.

PLAIT_CLUSTER_PROGRAMS: how many random programs (the suite: few); from 100 on, also all of the papers' that have an oracle."""
import json
import os
import random

from fleet import FleetTest, main

PROGRAMS = int(os.environ.get("PLAIT_CLUSTER_PROGRAMS", "5"))
EXPLORERS = ("mcr", "dpor", "icb", "exhaustive", "cumulative")
LONG_ONES = {"-DMAX=4", "-DMAX=5", "-DTHREADS=5"}  # minutes, for explorers that make each run


def operations(chance, left):
    """Some of a thread of the sweep's programs (tests/sweep/program.h)."""
    words = []
    while left > 0:
        left -= 1
        v, r, c = chance.randrange(2), chance.randrange(2), chance.randrange(1, 3)
        kind = chance.randrange(9)
        if kind == 8 and left > 0:
            words += [f"k{v}", *operations(chance, 1), f"u{v}"]
            left -= 1
        elif kind == 7 and left > 0:
            words += [f"?{r}{c - 1}1", *operations(chance, 1)]
            left -= 1
        else:
            words.append((f"l{v}{r}", f"s{v}{c}", f"L{v}{r}", f"A{v}{c}", f"F{v}{c}{r}", f"C{v}0{c}{r}", f"R{v}{c}",
                          f"Q{v}{r}", f"l{v}{r}")[kind])
    return words


def program(chance):
    threads = [operations(chance, chance.randrange(1, 4)) for _ in range(chance.randrange(1, 3))]
    # Of `?`, the operation that is skipped is one word; a lock is several, and must not be skipped in part.
    forks = [f"f{number + 1}" for number in range(len(threads))]
    return " / ".join(" ".join(words) for words in ([*forks, *operations(chance, chance.randrange(0, 3))], *threads))


def well_formed(text):
    words = text.split()
    return not any(word[0] == "?" and after[0] in "ku?/" for word, after in zip(words, words[1:] + ["/"]))


class RandomPrograms(FleetTest):
    def answer(self, result):
        """Of a race, which of the two accesses came first is not a part of the answer."""
        answer = super().answer(result)
        answer["bugs"] = sorted(self.bug(bug) for bug in result["bugs"])
        return answer

    def bug(self, bug):
        if bug["kind"] != "race":
            return f"{bug['kind']} {bug['line']}"
        with open(self.path(bug["schedule"])) as text:
            return f"race {sorted(json.load(text)['claim']['sites'])}"

    def same(self, explorer, model, *words):
        words = ("--explore", explorer, "--memory-model", model, *words)
        with self.subTest(words=words):
            there, here = self.check(*words), self.alone(*words)
            self.assertEqual(self.answer(there), self.answer(here), (there["limits"], here["limits"]))
            self.assertEqual(there["cluster"]["given_up"], 0)
            counts = explorer in ("icb", "exhaustive") or all(bug["kind"] == "race" for bug in here["bugs"])
            if counts:
                self.assertEqual(there["interleavings"], here["interleavings"])
            return there["verdict"]

    def test_random_programs(self):
        self.workers(3)
        sweep = os.path.join(self.source(), "tests/sweep")
        self.plait("cc", "-std=gnu17", "-O1", "-pthread", f"{sweep}/interp.c", f"{sweep}/interp_library.c", "-lm", "-o", "interp")
        chance, verdicts = random.Random(21), {}
        for number in range(PROGRAMS):
            text = program(chance)
            while not well_formed(text):
                text = program(chance)
            for turn, model in enumerate(("sc", "tso")):
                explorer = EXPLORERS[(number + turn) % len(EXPLORERS)]
                verdict = self.same(explorer, model, "--keep-going", "--outcomes", "./interp", "--", text)
                verdicts[verdict] = verdicts.get(verdict, 0) + 1
        print(f"{PROGRAMS} random programs: {verdicts}", flush=True)
        self.assertNotIn("inconclusive", verdicts)

    def test_programs_of_the_papers(self):
        if PROGRAMS < 100:
            self.skipTest("many: PLAIT_CLUSTER_PROGRAMS=100 or more asks for them")
        self.workers(3)
        checks = 0
        with open(os.path.join(self.source(), "tests/oracles/oracles.txt")) as lines:
            rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
        for name, flags, *_ in rows:
            self.compile(f"bench/programs/papers/{name}.c", "paper", *(() if flags == "-" else flags.split(",")))
            for explorer in ("cumulative", "mcr") + (() if LONG_ONES & set(flags.split(",")) else ("dpor",)):
                for model in ("sc", "tso"):
                    self.same(explorer, model, "--classes", "--races", "off", "./paper")
                    checks += 1
        print(f"{len(rows)} programs of the papers: {checks} checks", flush=True)


if __name__ == "__main__":
    main()
