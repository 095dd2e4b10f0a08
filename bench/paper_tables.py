#!/usr/bin/env python3
"""Runs the papers' programs and prints the papers' tables with our figures beside theirs.

  bench/paper_tables.py --plait build/dist/bin/plait --page docs/papers-tables.md --plot docs/figure3.svg

000: Huang, PLDI 2015. 002: Huang, Luo, Rosu, ECOOP 2017. 004: Huang, Huang, OOPSLA 2016. Their figures come from other machines and from Java
programs; where a program was reconstructed its sizes may differ (see bench/programs/papers).
"""
import argparse
import datetime
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import markdown  # noqa: E402
import plot  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


class Bench:
    def __init__(self, plait, work, seconds):
        self.plait, self.work, self.seconds = plait, work, seconds
        os.makedirs(work, exist_ok=True)

    def build(self, name, flags):
        binary = os.path.join(self.work, name + "".join(flags).replace("-D", "_").replace("=", ""))
        subprocess.run([self.plait, "cc", *flags, "-Wno-unused-value", os.path.join(HERE, "programs", "papers", name + ".c"), "-o", binary],
                       check=True)
        return binary

    def check(self, binary, *options):
        command = [self.plait, "check", "--format", "json", "-q", "-j", "1", "--timeout", str(self.seconds), "-o", binary + "-out",
                   *options, binary]
        return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)

    def whole(self, binary, *options):
        return self.check(binary, "--races", "off", "--keep-going", *options)

    def bug(self, binary, *options):
        return self.check(binary, "--races", "off", *options)

    def bug_within_growing_bound(self, binary):
        """ICB+DPOR: bound 0, 1, 2 ... until the bug shows. Runs and seconds of all bounds together."""
        runs, seconds = 0, 0.0
        for bound in range(40):
            answer = self.bug(binary, "--explore", "dpor", "--preemption-bound", str(bound))
            runs += answer["executions"]
            seconds += answer["seconds"]
            left_out = any("preemption-bound" in limit for limit in answer["limits"])
            if answer["verdict"] == "bug" or not left_out or any("timeout" in limit for limit in answer["limits"]):
                answer["executions"], answer["seconds"] = runs, seconds
                return answer
        return answer


def runs_and_time(answer, wants_bug):
    finished = answer["verdict"] == "bug" if wants_bug else answer["complete"]
    text = f"{answer['executions']:,} / {answer['seconds']:.2f} s"
    return text if finished else "> " + text


# name, flags, paper: ICB, ICB+DPOR, MCR
BUGS = [("Example", "rvexample", ["-DN=1"], "77,322 / 20 s", "3,782 / 3 s", "46 / 2 s"),
        ("Account", "account", [], "111 / 0.2 s", "20 / 0.2 s", "2 / 0.3 s"),
        ("Airline", "airline", ["-DN=5"], "669 / 1.8 s", "19 / 0.8 s", "9 / 3 s"),
        ("Allocation", "allocation", ["-DFREE_TOO"], "15 / 0.1 s", "8 / 0.3 s", "2 / 0.3 s"),
        ("BubbleSort", "bubblesort", ["-DINPUT=4"], "592 / 1.2 s", "400 / 2.7 s", "4 / 4.8 s"),
        ("MTList", "mtlist", ["-DTHREADS=5"], "out of memory", "5,173 / 290 s", "8 / 97 s"),
        ("MTSet", "mtset", ["-DTHREADS=5"], "out of memory", "5,480 / 267 s", "21 / 159 s"),
        ("PingPong", "pingpong", ["-DTHREADS=5"], "648 / 3 s", "37 / 0.5 s", "2 / 0.7 s"),
        ("Pool", "pool107", [], "24 / 0.3 s", "6 / 0.3 s", "3 / 0.4 s"),
        ("StringBuf", "stringbuf", [], "12 / 0.1 s", "10 / 0.5 s", "2 / 0.4 s")]

# name, program, flags, paper: ICB, ICB+DPOR, MCR, races / null dereferences by MCR
SPACES = [("Example", "rvexample", ["-DN=1"], "> 3,294,109 / 1 h", "25,522 / 10 s", "50 / 2 s", "10 / 0"),
          ("Account", "account", ["-DFIXED"], "> 1,499,507 / 1 h", "875 / 2 s", "3 / 0.5 s", "3 / 0"),
          ("Airline", "airline", ["-DFIXED", "-DN=5"], "> 325,891 / 1 h", "3,000 / 3.5 s", "8 / 4.5 s", "0 / 0"),
          ("Allocation", "allocation", ["-DFIXED", "-DFREE_TOO"], "out of memory", "> 1,354,979 / 1 h", "30 / 5.6 s", "0 / 0"),
          ("BubbleSort", "bubblesort", ["-DFIXED", "-DINPUT=4"], "out of memory", "> 326,647 / 1 h", "> 13,981 / 1 h", "7 / 0"),
          ("MTList (5 of 26 calls)", "mtlist", ["-DTHREADS=5"], "out of memory", "out of memory", "> 382 / 1 h", "8 / 1"),
          ("MTSet (5 of 21 calls)", "mtset", ["-DTHREADS=5"], "out of memory", "out of memory", "> 457 / 1 h", "6 / 4"),
          ("PingPong", "pingpong", ["-DTHREADS=5"], "> 342,728 / 1 h", "> 972,799 / 1 h", "411 / 13 s", "7 / 1"),
          ("Pool", "pool107", ["-DFIXED"], "> 509,852 / 1 h", "1,547 / 1.9 s", "3 / 0.9 s", "0 / 0"),
          ("StringBuf", "stringbuf", ["-DFIXED"], "> 1,340,718 / 1 h", "427 / 0.8 s", "3 / 0.4 s", "0 / 0"),
          ("Weblech (stand-in; paper: Table 4)", "weblech", ["-DTURNS=3", "-DWORK=480"], "> 1,229, out of memory",
           "> 1,072, out of memory", "> 185 / 1 h", "6 / 1")]

SPACES_NOTE = """
MTList and MTSet: five of the Java drivers' calls, the ones that conflict; what is a null dereference there is a result
here, so it is not counted. Weblech: a program of our own of the same shape and number of events, beside the paper's
Table 4.
"""

# name, program, flags, paper: DPOR, MCR
SC_SPACES = [("Dekker", "dekker", [], "248", "62"),
             ("Lamport", "lamport", ["-DN=0"], "128", "14"),
             ("Bakery", "bakery", [], "350", "77"),
             ("Peterson", "peterson", ["-DCOUNT=0"], "36", "13"),
             ("StackUnsafe", "stackunsafe", [], "252", "29"),
             ("RVExample", "rvexample", ["-DN=1"], "1959", "57"),
             ("Example, N = 1", "fig6", ["-DN=1"], "4", "2"),
             ("Example, N = 2", "fig6", ["-DN=2"], "105", "43"),
             ("Example, N = 3", "fig6", ["-DN=3"], "4282", "296"),
             ("Example, N = 4", "fig6", ["-DN=4"], "> 14840", "2767")]

# name, program, flags, paper: DPOR, MCR
SC_BUGS = [("Dekker", "dekker", ["-DWITH_CHECK"], "22", "10"),
           ("Lamport", "lamport", ["-DN=1", "-DWITH_CHECK"], "6", "2"),
           ("Bakery", "bakery", ["-DWITH_CHECK"], "12", "8"),
           ("Peterson", "peterson", ["-DCOUNT=1", "-DWITH_CHECK"], "4", "7"),
           ("StackUnsafe", "stackunsafe", [], "6", "2"),
           ("RVExample", "rvexample", ["-DN=1"], "301", "53")]

# name, program, flags, paper (002): MCR, MCR-S, MCR-S+
STATIC = [("Counter", "counter", ["-DMAX=5"], "4,523", "6,550", "3,485"),
          ("Airline", "airline", ["-DFIXED", "-DN=5"], "14", "14", "14"),
          ("PingPong", "pingpong", ["-DTHREADS=5"], "394", "535", "394"),
          ("BubbleSort", "bubblesort", ["-DINPUT=4"], "> 5,823", "> 1,828", "> 6,885")]


def table(title, head, rows):
    lines = [f"## {title}", "", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def bug_table(bench):
    rows = []
    for name, program, flags, *paper in BUGS:
        binary = bench.build(program, ["-DPROPERTY", *flags])
        answers = [bench.bug(binary, "--explore", "icb"), bench.bug_within_growing_bound(binary),
                   bench.bug(binary, "--explore", "mcr"), bench.bug(binary)]
        rows.append([name, *paper, *(runs_and_time(answer, True) for answer in answers)])
        print(rows[-1], flush=True)
    head = ["program", "paper: ICB", "ICB+DPOR", "MCR", "Plait: icb", "dpor, bound grows", "mcr", "cumulative"]
    return table("000 Table 2: runs and time to the bug", head, rows)


def space_table(bench):
    rows = []
    for name, program, flags, *paper in SPACES:
        binary = bench.build(program, flags)
        classes = bench.whole(binary, "--classes")["classes"]
        answers = [bench.whole(binary, "--explore", explorer) for explorer in ("icb", "dpor", "mcr", "cumulative")]
        found = bench.check(binary, "--keep-going")["bugs"]
        kinds = [bug["kind"] for bug in found]
        rows.append([name, *paper, f"{classes:,}" if classes else "", *(runs_and_time(answer, False) for answer in answers),
                     f"{kinds.count('race')} / {kinds.count('null-dereference')}"])
        print(rows[-1], flush=True)
    head = ["program", "paper: ICB", "ICB+DPOR", "MCR", "races / null", "classes", "Plait: icb", "dpor", "mcr", "cumulative", "races / null"]
    return table("000 Table 3: the whole state space", head, rows) + SPACES_NOTE


def sc_table(bench):
    rows = []
    for name, program, flags, dpor, mcr in SC_SPACES:
        binary = bench.build(program, flags)
        classes = bench.whole(binary, "--classes")["classes"]
        ours = [bench.whole(binary, "--explore", explorer) for explorer in ("dpor", "mcr", "cumulative")]
        ratio = f"{ours[1]['executions'] / classes:.2f}" if classes and ours[1]["complete"] else ""
        rows.append([name, dpor, mcr, f"{classes:,}" if classes else "", *(runs_and_time(answer, False) for answer in ours), ratio])
        print(rows[-1], flush=True)
    head = ["program", "paper: DPOR", "MCR", "classes", "Plait: dpor", "mcr", "cumulative", "mcr / classes"]
    return table("004 Table 3, sequential consistency: the whole state space", head, rows)


def sc_bug_table(bench):
    rows = []
    for name, program, flags, dpor, mcr in SC_BUGS:
        binary = bench.build(program, ["-DPROPERTY", *flags])
        ours = [bench.bug(binary, "--explore", explorer) for explorer in ("dpor", "mcr", "cumulative")]
        rows.append([name, dpor, mcr, *(runs_and_time(answer, True) for answer in ours)])
        print(rows[-1], flush=True)
    return table("004 Table 4, sequential consistency: runs to the bug", ["program", "paper: DPOR", "MCR", "Plait: dpor", "mcr", "cumulative"], rows)


def static_table(bench):
    rows = []
    for name, program, flags, *paper in STATIC:
        binary = bench.build(program, flags)
        classes = bench.whole(binary, "--classes")["classes"]
        ours = [bench.whole(binary, "--explore", explorer) for explorer in ("mcr", "cumulative")]
        rows.append([name, *paper, f"{classes:,}" if classes else "", *(runs_and_time(answer, False) for answer in ours)])
        print(rows[-1], flush=True)
    head = ["program", "paper: MCR", "MCR-S", "MCR-S+", "classes", "Plait: mcr", "cumulative"]
    return table("002 Table 3: the whole state space", head, rows)


def large_table(bench):
    rows = []
    for flags in (["-DTURNS=3", "-DWORK=100"], ["-DTURNS=3", "-DWORK=480"]):
        binary = bench.build("weblech", ["-DPROPERTY", *flags])
        ours = [bench.bug(binary, "--explore", explorer) for explorer in ("icb", "dpor", "mcr", "cumulative")]
        solver = ours[2]["solver"]
        rows.append([" ".join(flags), f"{ours[2]['events'] // max(1, ours[2]['executions']):,}", *(runs_and_time(answer, True) for answer in ours),
                     f"{solver['queries']} / {solver['seconds']:.2f} s, slowest {solver['slowest'] * 1e3:.1f} ms"])
        print(rows[-1], flush=True)
    head = ["size", "events of one run", "icb", "dpor", "mcr", "cumulative", "queries of mcr"]
    return table("A large program: the stand-in for Weblech, runs and time to the bug", head, rows)


def figure(bench, path, most):
    series = {"icb": [], "dpor, bound grows": [], "mcr": [], "cumulative": []}
    rows = []
    for n in range(1, most + 1):
        binary = bench.build("rvexample", ["-DPROPERTY", f"-DN={n}"])
        answers = [bench.bug(binary, "--explore", "icb"), bench.bug_within_growing_bound(binary),
                   bench.bug(binary, "--explore", "mcr"), bench.bug(binary)]
        for points, answer in zip(series.values(), answers):
            points.append((n, answer["executions"], answer["verdict"] == "bug"))
        rows.append([str(n), *(runs_and_time(answer, True) for answer in answers)])
        print(rows[-1], flush=True)
    if path:
        with open(path, "w", encoding="utf-8") as file:
            file.write(plot.lines(series, "RVExample: runs to the bug", "N: how often line 3 is repeated", "runs"))
    text = table("000 Figure 3: RVExample, runs and time to the bug", ["N", *series], rows)
    return text + (f"\n![Figure 3](./{os.path.basename(path)})\n" if path else "")


TABLES = {"bugs": bug_table, "spaces": space_table, "sc": sc_table, "sc-bugs": sc_bug_table, "static": static_table, "large": large_table}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plait", required=True)
    parser.add_argument("--work", default="/tmp/plait-paper-tables")
    parser.add_argument("--timeout", type=float, default=10, help="seconds for each check (10)")
    parser.add_argument("--only", default=",".join([*TABLES, "figure"]), help="which of " + ", ".join([*TABLES, "figure"]))
    parser.add_argument("--most", type=int, default=10, help="the figure's largest N (10)")
    parser.add_argument("--page", help="write the tables there, as Markdown")
    parser.add_argument("--plot", help="write the figure there, as SVG")
    arguments = parser.parse_args()
    bench = Bench(arguments.plait, arguments.work, arguments.timeout)
    wanted = arguments.only.split(",")
    parts = [make(bench) for name, make in TABLES.items() if name in wanted]
    if "figure" in wanted:
        parts.append(figure(bench, arguments.plot, arguments.most))
    page = (f"# The papers' tables\n\nWritten by `bench/paper_tables.py --timeout {arguments.timeout:g}` on {datetime.date.today()}: "
            f"{markdown.machine()}. Our figures are runs / seconds of one worker; \"> \": not finished in that time. "
            "The papers' figures come from their own machines and from Java programs.\n\n" + "\n".join(parts))
    if arguments.page:
        with open(arguments.page, "w", encoding="utf-8") as file:
            file.write(page)
    else:
        print(page)


if __name__ == "__main__":
    main()
