"""The Debian package, unpacked into an empty prefix: a program is compiled, checked and replayed with it alone."""
import glob
import os
import re
import shutil
import subprocess

import tool
from tool import SOURCE, ToolTest


class DebianPackage(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        self = cls()
        cls.build = os.path.dirname(os.path.dirname(os.path.dirname(tool.PLAIT)))
        self.run_command("cpack", "-G", "DEB", "--config", os.path.join(cls.build, "CPackConfig.cmake"), "-B", self.path("made"))
        (cls.package,) = glob.glob(self.path("made/plait_*_amd64.deb"))
        self.run_command("dpkg-deb", "-x", cls.package, self.path("root"))
        cls.command = self.path("root/usr/bin/plait")

    def test_what_it_needs_is_named(self):
        fields = self.run_command("dpkg-deb", "-f", self.package).stdout
        self.assertRegex(fields, r"Package: plait\n")
        depends = re.search(r"Depends: (.*)", fields)[1]
        for package in ("clang-19", "libstdc++-12-dev", "libc6", "libfmt9", "binutils"):
            self.assertRegex(depends, rf"(^|, ){re.escape(package)}\b")

    def packages_linked(self):
        """Packages of the libraries that its files are linked with, directly."""
        packages = set()
        for name in ("bin/plait", "lib/plait/plait-instrument.so", "lib/plait/plait-frames"):
            path = self.path("root/usr/" + name)
            needed = re.findall(r"\(NEEDED\).*\[(.*)\]", self.run_command("readelf", "-d", path).stdout)
            where = dict(re.findall(r"(\S+) => (\S+)", self.run_command("ldd", path).stdout))
            for library in needed:
                if library in where:  # the dynamic linker itself has no arrow, and comes with libc
                    # Where / is merged with /usr, dpkg may know the file by either name.
                    real = os.path.realpath(where[library])
                    names = [real, real[len("/usr"):] if real.startswith("/usr/") else "/usr" + real]
                    owner = subprocess.run(["dpkg-query", "-S", *names], capture_output=True, text=True).stdout
                    self.assertTrue(owner, f"no package has {real}")
                    packages.add(owner.split(":")[0])
        return packages

    def test_libraries_that_it_links_are_its_dependencies(self):
        depends = re.search(r"Depends: (.*)", self.run_command("dpkg-deb", "-f", self.package).stdout)[1]
        named = {word.split()[0] for word in depends.split(", ")}
        linked = self.packages_linked()
        self.assertLessEqual({"libc6", "libstdc++6", "libfmt9"}, linked)
        self.assertEqual({name for name in named if name.startswith("lib") and not name.endswith("-dev")}, linked)

    def test_everything_is_in_it(self):
        for name in ("bin/plait-c++", "bin/plait-cc", "include/plait.h", "include/plait_check.h", "lib/plait/plait-instrument.so",
                     "lib/plait/libplait_runtime.a", "lib/plait/plait-frames", "lib/plait/gdb/plait.py", "lib/cmake/Plait/PlaitAddCheck.cmake",
                     "share/man/man1/plait.1", "share/man/man1/plait-check.1", "share/bash-completion/completions/plait",
                     "share/zsh/vendor-completions/_plait", "share/fish/vendor_completions.d/plait.fish",
                     "share/doc/plait/copyright", "share/doc/plait/docs/tutorial.md", "share/doc/plait/examples/bank.cc"):
            self.assertTrue(os.path.exists(self.path("root/usr/" + name)), name)

    def test_works_away_from_the_tree_it_was_built_in(self):
        shutil.copy(os.path.join(SOURCE, "examples/bank.cc"), self.path("bank.cc"))
        ran = self.run_command(self.command, "check", "-q", "bank.cc", expect=10)
        self.assertIn("assertion failed at bank.cc:27", ran.stdout)
        self.run_command(self.command, "replay", "plait-out/bug-1.json", expect=10)
        self.run_command(self.command, "show", "plait-out/bug-1.json", "-f", "html", "-o", "bug.html")
        self.assertIn("everything that is needed is here", self.run_command(self.command, "doctor").stdout)
        # Every part came from the package: without its plugin or its runtime it says so.
        for part in ("plait-instrument.so", "libplait_runtime.a", "plait-frames"):
            path = self.path("root/usr/lib/plait/" + part)
            os.rename(path, path + ".away")
            ran = self.run_command(self.command, "check", "-q", "bank.cc", expect=2)
            self.assertIn(path, ran.stderr)
            os.rename(path + ".away", path)


if __name__ == "__main__":
    tool.main()
