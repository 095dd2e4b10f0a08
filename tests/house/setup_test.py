"""./plait and ./run-tests on a machine that has nothing, with stand-ins for apt-get, dpkg-query, cmake and ctest.

Usage: setup_test.py SOURCE_DIR WORK_DIR [unittest arguments]."""
import os
import shutil
import subprocess
import sys
import unittest

ROOT, WORK = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
TOOLS = {
    "id": "echo 0",
    "dpkg-query": 'for p; do :; done; grep -qx "$p" "$FAKE/installed" && printf installed',
    "apt-get": r"""
echo "$*" >>"$FAKE/apt"
case $1 in
  update) rm -f "$FAKE/no-lists" ;;
  install)
    [ ! -e "$FAKE/no-lists" ] || { echo "E: Unable to locate package"; exit 100; }
    for word; do
      case $word in -* | install | APT::*) ;; *) echo "$word" >>"$FAKE/installed" ;; esac
    done
    echo "Unpacking ..."
    for n in 0 25 50 100; do echo "dlstatus:1:$n.5000:Retrieving file"; done
    for n in 0 33 66 100; do echo "pmstatus:libfmt9:amd64:$n.0000:Installing"; done ;;
esac""",
    "cmake": r"""
echo "$*" >>"$FAKE/cmake"
case $1 in
  -S) touch build/CMakeCache.txt ;;
  --build)
    [ ! -e "$FAKE/broken" ] || { echo "[1/20] Building x.o"; echo "x.cc:1: error: broken"; exit 1; }
    i=0
    while [ $i -lt 20 ]; do i=$((i + 1)); echo "[$i/20] Building file$i.o"; done
    mkdir -p build/dist/bin
    printf '#!/bin/sh\necho "checked $*"\nexit 10\n' >build/dist/bin/plait
    chmod +x build/dist/bin/plait ;;
esac""",
    "ctest": 'echo "100% tests passed"',
}


def packages(name):
    with open(os.path.join(ROOT, "setup", name), encoding="utf-8") as file:
        return {line.strip() for line in file if line.strip() and not line.startswith("#")}


class Setup(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(WORK, ignore_errors=True)
        self.tree, self.fake = os.path.join(WORK, "tree"), os.path.join(WORK, "fake")
        os.makedirs(self.tree)
        os.makedirs(os.path.join(self.fake, "bin"))
        for name in ("plait", "run-tests"):
            shutil.copy2(os.path.join(ROOT, name), self.tree)
        shutil.copytree(os.path.join(ROOT, "setup"), os.path.join(self.tree, "setup"))
        for name, script in TOOLS.items():
            path = os.path.join(self.fake, "bin", name)
            with open(path, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n" + script + "\n")
            os.chmod(path, 0o755)
        self.note("installed")

    def note(self, name):
        with open(os.path.join(self.fake, name), "a", encoding="utf-8"):
            pass

    def read(self, name):
        try:
            with open(os.path.join(self.fake, name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def run_command(self, *words, expect):
        environment = {**os.environ, "PATH": os.path.join(self.fake, "bin") + ":" + os.environ["PATH"], "FAKE": self.fake}
        ran = subprocess.run(words, cwd=self.tree, env=environment, capture_output=True, text=True, timeout=1200)
        self.assertEqual(ran.returncode, expect, ran.stdout + ran.stderr)
        return ran

    def test_checking_brings_what_checking_needs(self):
        ran = self.run_command("./plait", "check", "a b.cc", expect=10)
        self.assertEqual(ran.stdout, "checked check a b.cc\n")
        self.assertEqual(set(self.read("installed").split()), packages("packages.txt"))
        self.assertIn("-DPLAIT_TESTS=OFF -DPLAIT_BENCH=OFF", self.read("cmake"))
        for line in ("downloading packages, 25 %", "installing packages, 66 %", "building 2/20", "building 20/20"):
            self.assertIn(f"plait: {line}\n", ran.stderr)
        self.assertNotIn("Unpacking", ran.stderr)
        # Once it is there, nothing is done or said.
        before = self.read("cmake")
        ran = self.run_command("./plait", "check", "c.cc", expect=10)
        self.assertEqual((ran.stdout, ran.stderr, self.read("cmake")), ("checked check c.cc\n", "", before))

    def test_tests_bring_the_rest(self):
        self.run_command("./plait", expect=10)
        self.run_command("./run-tests", expect=0)
        self.assertEqual(set(self.read("installed").split()), packages("packages.txt") | packages("test-packages.txt"))
        self.assertEqual(packages("packages.txt") & packages("test-packages.txt"), set())
        self.assertIn("-DPLAIT_TESTS=ON -DPLAIT_BENCH=ON", self.read("cmake"))
        # A directory that has the tests keeps them when the command is built again.
        os.utime(os.path.join(self.tree, "setup/packages.txt"), (4e9, 4e9))
        self.run_command("./plait", expect=10)
        self.assertNotIn("OFF", self.read("cmake").strip().split("\n")[-2])

    def test_empty_package_lists_are_refreshed(self):
        self.note("no-lists")
        self.run_command("./plait", expect=10)
        self.assertEqual([line.split()[0] for line in self.read("apt").strip().split("\n")], ["install", "update", "install"])

    def test_a_build_that_fails_is_told(self):
        self.note("broken")
        ran = self.run_command("./plait", "check", "a.cc", expect=70)
        self.assertIn("x.cc:1: error: broken\n", ran.stderr)
        self.assertIn("the whole log is in build/setup.log", ran.stderr)
        os.remove(os.path.join(self.fake, "broken"))
        self.run_command("./plait", "check", "a.cc", expect=10)


if __name__ == "__main__":
    unittest.main()
