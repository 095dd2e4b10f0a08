#!/usr/bin/env python3
"""What is dead at a call (section plait_frames): live values keep states of threads apart, dead ones do not.

Usage: frames_test.py PLAIT WORK"""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import unittest

PLAIT, WORK = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
FOUR = ["0\n", "1\n", "2\n", "3\n"]
REGISTERS = ["rbx", "rbp", "r12", "r13", "r14", "r15"]
HEADER, SITE, RANGE = struct.Struct("<IIIIQQQ"), struct.Struct("<IHBB6BHI"), struct.Struct("<HH")


def build(name, source, *flags):
    program = WORK / name
    compiler = "cc" if source.suffix == ".c" else "c++"
    subprocess.run([PLAIT, compiler, *flags, str(source), "-o", str(program)], check=True)
    return program


def text(name, content, *flags, suffix=".c"):
    source = WORK / (name + suffix)
    source.write_text(content)
    return build(name, source, *flags)


def section(program):
    """Offset and size of the table in the file; None if there is none."""
    listing = subprocess.run(["readelf", "-SW", str(program)], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\splait_frames\s+PROGBITS\s+\w+ (\w+) (\w+)", listing)
    return (int(found[1], 16), int(found[2], 16)) if found else None


def without_table(program):
    other = program.with_name(program.name + ".none")
    subprocess.run(["objcopy", "-R", "plait_frames", str(program), str(other)], check=True)
    return other


def all_dead(program):
    """The table says that nobody will read any register."""
    other = program.with_name(program.name + ".dead")
    data = bytearray(program.read_bytes())
    offset, _ = section(program)
    sites = HEADER.unpack_from(data, offset)[1]
    for i in range(sites):
        data[offset + HEADER.size + i * SITE.size + 6] = 0
    other.write_bytes(data)
    other.chmod(0o755)
    return other


def function_sites(program, name):
    """Of each call in the function: its live registers, saved registers, number of dead bytes of the frame."""
    symbols = subprocess.run(["nm", "-S", str(program)], capture_output=True, text=True, check=True).stdout
    found = re.search(rf"^(\w+) (\w+) \w {re.escape(name)}$", symbols, re.MULTILINE)
    begin, size = int(found[1], 16), int(found[2], 16)
    data = program.read_bytes()
    offset, _ = section(program)
    count = HEADER.unpack_from(data, offset)[1]
    first = offset + HEADER.size
    sites = []
    for i in range(count):
        address, _, live, _, *rest = SITE.unpack_from(data, first + i * SITE.size)
        saved, ranges, at = rest[:6], rest[6], rest[7]
        if not begin < address <= begin + size:
            continue
        dead = 0
        for k in range(ranges):
            low, high = RANGE.unpack_from(data, first + count * SITE.size + (at + k) * RANGE.size)
            dead += low - high
        sites.append(({r for k, r in enumerate(REGISTERS) if live >> k & 1}, {r for k, r in enumerate(REGISTERS) if saved[k]}, dead))
    return sites


def check(program, *options):
    run = subprocess.run([PLAIT, "check", "--format", "json", "-q", "--outcomes", "-o", str(WORK / "out"), *options, str(program)],
                         capture_output=True, text=True, check=False)
    return json.loads(run.stdout)


def outcomes(result):
    return sorted(outcome["stdout"] for outcome in result["outcomes"])


class Frames(unittest.TestCase):
    def compare(self, program, wanted):
        """With and without the table: the same answer. Returns how many histories each needs."""
        histories = []
        for which in (program, without_table(program)):
            result = check(which)
            self.assertEqual(result["verdict"], "safe", which)
            self.assertEqual(result["explore"], "cumulative")
            self.assertEqual(outcomes(result), sorted(wanted), which)
            self.assertEqual(result["notes"], [], which)
            histories.append(result["histories"])
        self.assertEqual(outcomes(check(program, "--explore", "exhaustive")), sorted(wanted))
        return histories

    def test_registers(self):
        source = HERE / "programs/registers.c"
        for register in REGISTERS:
            for saves in ([], ["-DSAVES"]):
                name, flags = register + "-".join(saves), [f'-DREG="{register}"', *saves]
                with self.subTest(register=register, saves=bool(saves)):
                    used = build(f"used-{name}", source, *flags, "-DUSED")
                    live, saved, _ = function_sites(used, "reader")[1]
                    self.assertEqual((live, saved), ({register}, {register}))
                    with_table, without = self.compare(used, FOUR)
                    self.assertEqual(with_table, without)
                    dead = build(f"dead-{name}", source, *flags)
                    self.assertEqual(function_sites(dead, "reader")[1][:2], (set(), {register}))
                    with_table, without = self.compare(dead, ["0\n"])
                    self.assertLess(with_table, without)

    def test_what_unsound_tables_would_do(self):
        """The programs above can tell: a table that lies is noticed, for states that are one go on in different ways."""
        used = build("used", HERE / "programs/registers.c", '-DREG="r13"', "-DUSED")
        honest, lying = check(used), check(all_dead(used))
        self.assertNotEqual((honest["explore"], honest["notes"], honest["histories"]),
                            (lying["explore"], lying["notes"], lying["histories"]))

    def test_spilled_slots(self):
        source = HERE / "programs/slots.c"
        for which in range(9):
            with self.subTest(which=which):
                used = build(f"slots-used-{which}", source, f"-DWHICH={which}", "-DUSED")
                with_table, without = self.compare(used, [f"{value << 2 * which}\n" for value in range(4)])
                dead = build(f"slots-dead-{which}", source, f"-DWHICH={which}")
                with_table, without = self.compare(dead, ["0\n"])
                self.assertLess(with_table, without)

    def test_objects(self):
        program = build("objects", HERE / "programs/objects.c")
        self.assertEqual({dead for _, _, dead in function_sites(program, "reader")}, {0})
        self.compare(program, FOUR)

    def test_landing_pads(self):
        for level in ("-O0", "-O1", "-O2"):
            with self.subTest(level=level):
                self.compare(build("landing" + level, HERE / "programs/landing.cc", level), ["10\n", "11\n", "12\n", "13\n"])

    def test_levels(self):
        """Frames by the frame pointer, and those of code without optimisation."""
        for flags in (["-O0"], ["-O1", "-fno-omit-frame-pointer"], ["-O2"], ["-Os"]):
            for which in (0, 8):
                with self.subTest(flags=flags, which=which):
                    name = f"slots{''.join(flags)}-{which}"
                    program = build(name, HERE / "programs/slots.c", *flags, f"-DWHICH={which}", "-DUSED")
                    self.compare(program, [f"{value << 2 * which}\n" for value in range(4)])

    def test_no_table_where_calls_are_odd(self):
        body = "int main(void) { return 0; }\n"
        jumps = '#include <setjmp.h>\nstatic jmp_buf b; int f(void) { return setjmp(b); }\n' + body
        self.assertIsNone(section(text("jumps", jumps)))
        odd = "__attribute__((preserve_none)) void g(int a) {}\nvoid f(void) { g(1); }\n" + body
        self.assertIsNone(section(text("odd", odd, "-Wno-unknown-attributes")))
        self.assertIsNotNone(section(text("ordinary", body)))

    def test_a_table_of_other_code_is_not_used(self):
        """Its hash does not fit: everything counts as alive."""
        program = build("stale", HERE / "programs/registers.c", '-DREG="rbx"')
        data = bytearray(program.read_bytes())
        offset, _ = section(program)
        data[offset + 32] ^= 1
        other = WORK / "stale.other"
        other.write_bytes(data)
        other.chmod(0o755)
        self.assertEqual(check(other)["histories"], check(without_table(program))["histories"])

    def test_programs_still_run(self):
        program = build("plain", HERE / "programs/objects.c")
        self.assertIn(subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout, FOUR)
        stripped = WORK / "stripped"
        subprocess.run(["strip", "-o", str(stripped), str(program)], check=True)
        self.assertEqual(outcomes(check(stripped)), FOUR)


if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1])
