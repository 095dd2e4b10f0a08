"""Files that come from somebody else: cut, changed, made to do harm. One line and exit code 2, or what the file says;
never a crash, a hang, or a file written elsewhere."""
import json
import os
import random
import resource
import subprocess

import reliability
from reliability import PLAIT, SOURCE, ReliabilityTest

PROGRAM = """#include <assert.h>
#include <pthread.h>
int x;
void* work(void* a) { __atomic_fetch_add(&x, 1, 5); return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  assert(__atomic_load_n(&x, 5) == 0);
  pthread_join(t, 0);
}
"""
HARMLESS = (0, 2, 5, 10)
MUTATIONS = int(os.environ.get("PLAIT_MUTATIONS", "300"))


class Hostile(ReliabilityTest):
    def setUp(self):
        self.write("p.c", PROGRAM)
        self.plait("check", "-q", "--cflags", "-O1 -DSIZE=3", "-o", "out", "p.c", expect=10)
        self.bug = json.loads(self.read("out/bug-1.json"))

    def bug_with(self, **changes):
        self.write("bug.json", json.dumps({**self.bug, **changes}))
        return "bug.json"

    def touch(self):
        """The source is newer than the program: it is compiled again."""
        later = os.stat(self.path("p.c")).st_mtime + 1000
        os.utime(self.path("p.c"), (later, later))

    def refused(self, *words, say):
        ran = self.plait(*words, expect=2)
        self.assertIn(say, ran.stderr)
        self.assertEqual(ran.stderr.count("\n"), 1, ran.stderr)
        self.assertEqual(ran.stdout, "")

    def test_nested(self):
        for opening in ("[", '{"a":', '[{"b":['):
            self.write("deep.json", opening * 200000)
            for command in ("show", "replay"):
                self.refused(command, "deep.json", say="nested too deep")
        os.makedirs(self.path("deep"), exist_ok=True)
        self.write("deep/resume.json", "[" * 200000)
        self.refused("check", "--resume", "deep", "out/build/p", say="nested too deep")

    def test_project_file(self):
        for text in ("[", "[[", "[[[", "[[[[", "a=" + "[" * 100000, "[check]\ncflags = " + "[" * 5000, "=", "\"", "[check", "\x00", "[check]\njobs = 1e999",
                     "[" + "a." * 50000 + "b]", "x" * 2000000):
            with self.subTest(text[:20]):
                self.write("bad.toml", text)
                ran = self.plait("check", "--config", "bad.toml", "out/build/p", expect=2)
                self.assertLess(ran.stderr.count("\n"), 3, ran.stderr)

    def test_flags_and_binaries(self):
        self.write("plait.toml", '[check]\ncflags = "-O2"\n')
        self.plait("check", "-q", "out/build/p", expect=10)  # they are for sources
        self.refused("check", "--cflags", "-O2", "out/build/p", say="for source files only")
        self.write("plait.toml", '[check]\ncflags = "-o elsewhere"\n')
        self.refused("check", "p.c", say="where the program goes")
        self.assertFalse(os.path.exists(self.path("elsewhere")))
        os.remove(self.path("plait.toml"))

    def test_flags_of_a_bug_file(self):
        self.touch()  # newer than the program: it is compiled again
        for flags in (["-o", "elsewhere"], ["-oelsewhere"], ["-fplugin=./evil.so"], ["-Wl,-Map=elsewhere"], ["-Xclang", "-load"], ["@words"],
                      ["-fpass-plugin=./evil.so"], ["-save-temps"], ["-MF", "elsewhere", "-MD"], ["-mllvm", "-x"], ["-specs=evil"], ["--config=x"],
                      ["-fcrash-diagnostics-dir=elsewhere"], ["-gsplit-dwarf=single"], ["-B."], ["evil.o"]):
            with self.subTest(flags):
                self.refused("replay", self.bug_with(cflags=flags), say=f"compile with '{flags[0]}'")
        self.assertFalse(os.path.exists(self.path("elsewhere")))
        self.plait("replay", self.bug_with(cflags=["-O1", "-DSIZE=3", "-I", ".", "-std=gnu17", "-Wall", "-fno-strict-aliasing", "-g"]), expect=10)
        self.touch()
        self.plait("replay", "--trust", self.bug_with(cflags=["-O1", "-Wl,-z,now"]), expect=10)

    def test_program_of_a_bug_file(self):
        self.write("precious", "data")
        for program in ("precious", "../precious", "build/../precious", self.path("new"), "/tmp/build/../new", "../build/p"):
            with self.subTest(program):
                self.refused("replay", self.bug_with(program=program), say="p" if program == "precious" else "")
        self.write("build/p", "data")
        self.touch()
        self.refused("replay", self.bug_with(program="build/p"), say="no program of Plait's")
        self.assertEqual(self.read("precious") + self.read("build/p"), "datadata")
        self.refused("replay", self.bug_with(program="/bin/true", sources=[]), say="not an instrumented program")
        ran = self.plait("replay", "-q", self.bug_with(program_identity="0000000000000000"), expect=10)
        self.assertIn("is not the program that was checked", ran.stderr)
        ran = self.plait("replay", "-q", self.bug_with(program_identity=""), expect=10)
        self.assertIn("does not say which program", ran.stderr)

    def test_huge_numbers(self):
        options = self.bug["options"]
        for changes in ({"options": {**options, "max_events": 4000000000}}, {"options": {**options, "loop_seconds": 4000000000}},
                        {"shared": [["0x1000", 4294967295]]}, {"shared": [["0xffffffffffffffff", 8]]}, {"threads": self.bug["threads"] * 100},
                        {"threads": [{"parent": 1, "fork_index": 0}, {"parent": 1, "fork_index": 0}]},
                        {"schedule": [{"thread": 255, "position": 1, "arg": 0}]}, {"version": 99}, {"events": [{"op": "no such thing"}]}):
            with self.subTest(str(changes)[:60]):
                for command in ("show", "replay"):
                    self.refused(command, self.bug_with(**changes), say="cannot use 'bug.json'")

    def harmless(self, *words):
        ran = subprocess.run([PLAIT, *words], cwd=self.directory, capture_output=True, text=True, errors="replace", timeout=3000,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        self.assertIn(ran.returncode, HARMLESS, f"{words}\n{ran.stderr[-2000:]}")

    def test_cut(self):
        whole = self.read("out/bug-1.json")
        for i in range(100):
            self.write("cut.json", whole[:len(whole) * i // 100])
            self.refused("show", "cut.json", say="cannot use 'cut.json'")

    def test_mutations(self):
        """Bytes, words and values of a bug file, through the whole command."""
        luck = random.Random(20)
        whole = self.read("out/bug-1.json")
        words = ['"', "{", "]", "-1", "4294967296", "18446744073709551615", "1e308", "null", "\\u0000", "[]", "{}", "true", '"\\ud800"', ",,"]
        for i in range(MUTATIONS):
            text = whole
            for _ in range(luck.randint(1, 4)):
                at = luck.randrange(len(text))
                text = text[:at] + luck.choice(words + [chr(luck.randrange(1, 256))]) + text[at + luck.choice((0, 1, 1, 5, 50)):]
            if i % 2:  # one that is JSON: another value somewhere
                mutant = json.loads(whole)
                at = mutant
                while isinstance(at, (dict, list)) and at:
                    key = luck.choice(list(at) if isinstance(at, dict) else range(len(at)))
                    inner = at[key]
                    if not isinstance(inner, (dict, list)) or not inner or luck.random() < 0.2:
                        at[key] = luck.choice([None, -1, 2**64, 2**31, "", "x" * 1000, [], {}, True, 1.5, [[]], inner])
                        break
                    at = inner
                text = json.dumps(mutant)
            with open(self.path("mutant.json"), "w", errors="surrogateescape") as out:
                out.write(text)
            self.harmless("show", "mutant.json", "-f", luck.choice(["text", "html", "json"]))
            if i % 10 == 0:
                self.harmless("replay", "-q", "mutant.json")

    def test_only_json(self):
        """Nothing but one JSON object on standard output, whatever the program prints."""
        self.write("talks.c", '#include <stdio.h>\n#include <unistd.h>\nint main(void) { puts("{"); fputs("x", stderr); return (int)write(1, "y", 1); }\n')
        for words in (["talks.c"], ["--outcomes", "talks.c"], ["-v", "talks.c"]):
            json.loads(self.plait("check", "--format", "json", *words).stdout)


class Limits(ReliabilityTest):
    """Little is allowed: the message says what."""

    def limited(self, which, most, *words, expect):
        limit = (most, most)
        ran = subprocess.run([PLAIT, *words], cwd=self.directory, capture_output=True, text=True, timeout=3000,
                             preexec_fn=lambda: resource.setrlimit(which, limit))
        self.assertEqual(ran.returncode, expect, ran.stdout + ran.stderr)
        return ran

    def setUp(self):
        self.write("p.c", PROGRAM)
        self.plait("cc", "p.c", "-o", "p")

    def test_descriptors(self):
        soft = subprocess.run(["prlimit", "--nofile=10:4096", PLAIT, "check", "-j", "1", "p"], cwd=self.directory, capture_output=True, text=True)
        self.assertEqual(soft.returncode, 10, soft.stderr)
        if os.geteuid() != 0:  # root may have as many as it likes
            self.assertIn("ulimit -n", self.limited(resource.RLIMIT_NOFILE, 10, "check", "-j", "1", "p", expect=2).stderr)

    def test_run_memory(self):
        self.write("grows.c", "#include <stdlib.h>\n#include <string.h>\nint main(void) {\n  for (;;) {\n    char* p = malloc(1 << 16);\n"
                              "    memset(p, 1, 1 << 16);\n  }\n}\n")
        ran = self.plait("check", "--run-memory", "0.02", "--format", "json", "grows.c", expect=5)
        (limit,) = [line for line in json.loads(ran.stdout)["limits"] if line.startswith("out-of-resources")]
        self.assertIn("more than 20 MB (--run-memory) (at grows.c:5)", limit)

    def test_engine_memory(self):
        """States, traces and queues together stay below --memory, and the answer says so."""
        most = 100
        self.plait("cc", "-DN=8", os.path.join(SOURCE, "bench/programs/classic/fib_bench.c"), "-o", "large")
        for explorer in ("cumulative", "mcr"):
            with self.subTest(explorer=explorer), open(self.path("answer.json"), "w+") as answer:
                words = [PLAIT, "check", "-q", "--format", "json", "--memory", str(most / 1024), "--explore", explorer, "./large"]
                with subprocess.Popen(words, cwd=self.directory, stdout=answer) as process:
                    _, status, usage = os.wait4(process.pid, 0)
                    process.returncode = os.waitstatus_to_exitcode(status)
                answer.seek(0)
                self.assertEqual(process.returncode, 5)
                self.assertIn("memory", " ".join(json.load(answer)["limits"]))
                self.assertLess(usage.ru_maxrss, 1.2 * most * 1024)

    def test_address_space(self):
        ran = subprocess.run(["prlimit", f"--as={3 << 30}:", PLAIT, "check", "-j", "1", "p"], cwd=self.directory, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 10, ran.stderr)


if __name__ == "__main__":
    reliability.main()
