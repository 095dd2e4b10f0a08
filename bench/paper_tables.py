#!/usr/bin/env python3
"""Runs the papers' programs and prints the papers' tables with our figures beside theirs.

  bench/paper_tables.py --plait build/dist/bin/plait --page docs/papers-tables.md --plot docs/figure3.svg

000: Huang, PLDI 2015. 002: Huang, Luo, Rosu, ECOOP 2017. 003: Yi, Huang, FSE 2018.
004: Huang, Huang, OOPSLA 2016. Their figures come from other machines and from Java
programs; where a program was reconstructed its sizes may differ (see bench/programs/papers).
"""
import argparse
import datetime
import json
import os
import re
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

MODELS = ("sc", "tso", "pso")

# name, program, flags, paper: DPOR, MCR, each under the three memory models
WEAK_SPACES = [("Dekker", "dekker", [], "248 / 252 / 508", "62 / 98 / 155"),
               ("Lamport", "lamport", ["-DN=0"], "128 / 208 / 2672", "14 / 91 / 102"),
               ("Bakery", "bakery", [], "350 / 1164 / 2040", "77 / 158 / 165"),
               ("Peterson", "peterson", ["-DCOUNT=0"], "36 / 95 / 120", "13 / 18 / 19"),
               ("StackUnsafe", "stackunsafe", [], "252 / 252 / 252", "29 / 46 / 108"),
               ("RVExample", "rvexample", ["-DN=1"], "1959 / exception / exception", "57 / 64 / 70")]
# 004 Table 1, repeated in Table 3
EXAMPLE = [("Example, N = 1", "fig6", ["-DN=1"], "4 / 4 / exception", "2 / 2 / 10"),
           ("Example, N = 2", "fig6", ["-DN=2"], "105 / 105 / exception", "43 / 43 / 89"),
           ("Example, N = 3", "fig6", ["-DN=3"], "4282 / 4282 / exception", "296 / 296 / 819"),
           ("Example, N = 4", "fig6", ["-DN=4"], "> 14840 / > 14840 / exception", "2767 / 2767 / 8420")]

# name, program, flags, paper: DPOR, SATCheck, MCR; "none": finished without the bug, "no end": the same run again and again.
# The paper's Example has N = 4; ours N = 1, because from 2 on the condition also holds under SC.
WEAK_BUGS = [("Dekker", "dekker", ["-DWITH_CHECK"], "22 / 28 / 29", "32, no end / 68735, no end / -", "10 / 4 / 5"),
             ("Lamport", "lamport", ["-DN=1", "-DWITH_CHECK"], "6 / 8 / 24", "failed / failed / -", "2 / 2 / 3"),
             ("Bakery", "bakery", ["-DWITH_CHECK"], "12 / 15 / 15", "failed / failed / -", "8 / 8 / 15"),
             ("Peterson", "peterson", ["-DCOUNT=1", "-DWITH_CHECK"], "4 / 5 / 6", "19, none / 34282, no end / -", "7 / 2 / 3"),
             ("StackUnsafe", "stackunsafe", [], "6 / 6 / 6", "failed / failed / -", "2 / 2 / 2"),
             ("RVExample", "rvexample", ["-DN=1"], "301 / exception / exception", "60564, no end / 70365, no end / -", "53 / 54 / 39"),
             ("Example", "fig6", ["-DN=1"], "14840, none / 14840, none / exception", "1, none / 1, none / -",
              "2767, none / 2767, none / 3")]

# name, program, flags, paper: executions, races
REAL = [("Account", "account", [], "7 / 12 / 12", "3 / 3 / 3"),
        ("Airline", "airline", ["-DFIXED", "-DN=5"], "8 / 11 / 11", "0 / 0 / 0"),
        ("StringBuf", "stringbuf", [], "3 / 3 / 3", "0 / 0 / 0"),
        ("Allocation", "allocation", ["-DFREE_TOO"], "30 / 30 / 30", "0 / 0 / 0"),
        ("PingPong", "pingpong", ["-DTHREADS=5"], "411 / 483 / 527", "7 / 7 / 7"),
        ("Weblech (stand-in)", "weblech", ["-DTURNS=3", "-DWORK=20"], "178 / 103 / 116", "6 / 6 / 6")]

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


def by_model(figures):
    """The paper's figures of one program, under the three memory models."""
    return dict(zip(MODELS, figures.split(" / "), strict=True))


def runs_under(answer, wants_bug):
    """As runs_and_time, for searches that may end without the bug."""
    if wants_bug and answer["verdict"] == "safe":
        return f"none ({answer['executions']:,} / {answer['seconds']:.2f} s)"
    return runs_and_time(answer, wants_bug)


EXPLORERS = ("dpor", "mcr", "cumulative")


def each_explorer(ask, model):
    return [ask("--memory-model", model, "--explore", explorer) for explorer in EXPLORERS]


def weak_space_rows(bench, programs):
    for name, program, flags, dpor, mcr in programs:
        binary = bench.build(program, flags)
        for model in MODELS:
            classes = bench.whole(binary, "--memory-model", model, "--classes")["classes"]
            ours = each_explorer(lambda *options: bench.whole(binary, *options), model)
            ratio = f"{ours[1]['executions'] / classes:.2f}" if classes and ours[1]["complete"] else ""
            row = [name, model, by_model(dpor)[model], by_model(mcr)[model], f"{classes:,}" if classes else "",
                   *(runs_under(answer, False) for answer in ours), ratio]
            print(row, flush=True)
            yield row


WEAK_NOTE = """
No number of classes: not counted in the time.
"""
WEAK_HEAD = ["program", "model", "paper: DPOR", "MCR", "classes", "Plait: dpor", "mcr", "cumulative", "mcr / classes"]


def example_table(bench):
    return table("004 Table 1: the example of Figure 6, the whole state space", WEAK_HEAD, weak_space_rows(bench, EXAMPLE)) + WEAK_NOTE


def weak_space_table(bench):
    return table("004 Table 3: the whole state space (for Example see Table 1)", WEAK_HEAD,
                 weak_space_rows(bench, WEAK_SPACES))


WEAK_BUGS_NOTE = """
"none": the search ended without the bug; "no end": the same run again and again. Example: N = 4 in the paper, 1 here,
because from 2 on its condition also holds under sequential consistency.
"""


def weak_bug_table(bench):
    rows = []
    for name, program, flags, *paper in WEAK_BUGS:
        binary = bench.build(program, ["-DPROPERTY", *flags])
        for model in MODELS:
            ours = each_explorer(lambda *options: bench.bug(binary, *options), model)
            rows.append([name, model, *(by_model(figures)[model] for figures in paper), *(runs_under(answer, True) for answer in ours)])
            print(rows[-1], flush=True)
    head = ["program", "model", "paper: DPOR", "SATCheck", "MCR", "Plait: dpor", "mcr", "cumulative"]
    return table("004 Table 4: runs to the bug", head, rows) + WEAK_BUGS_NOTE


def real_table(bench):
    rows = []
    for name, program, flags, executions, races in REAL:
        binary = bench.build(program, flags)
        for model in MODELS:
            options = ("--memory-model", model)
            ours = [bench.whole(binary, *options, "--explore", explorer) for explorer in ("mcr", "cumulative")]
            found = bench.check(binary, *options, "--keep-going")
            kinds = [bug["kind"] for bug in found["bugs"]]
            rows.append([name, model, by_model(executions)[model], by_model(races)[model], *(runs_under(answer, False) for answer in ours),
                         f"{kinds.count('race')}{'' if found['complete'] else ' so far'}"])
            print(rows[-1], flush=True)
    head = ["program", "model", "paper: MCR", "races", "Plait: mcr", "cumulative", "races"]
    return table("004 Table 5: real programs, the whole state space", head, rows)


def static_table(bench):
    rows = []
    for name, program, flags, *paper in STATIC:
        binary = bench.build(program, flags)
        classes = bench.whole(binary, "--classes")["classes"]
        ours = [bench.whole(binary, "--explore", explorer) for explorer in ("mcr", "cumulative")]
        followed = bench.build(program, ["-fplait-inputs", *flags])
        ours.append(Bench(bench.plait, bench.work, max(bench.seconds, 60)).whole(followed, "--explore", "paths"))
        rows.append([name, *paper, f"{classes:,}" if classes else "", *(runs_and_time(answer, False) for answer in ours)])
        print(rows[-1], flush=True)
    head = ["program", "paper: MCR", "MCR-S", "MCR-S+", "classes", "Plait: mcr", "cumulative", "paths"]
    return table("002 Table 3: the whole state space", head, rows)


# name, program, flags, paper: nodes, edges of the graph
GRAPHS = [("Counter", "counter", ["-DMAX=5"], "289 / 1,440"), ("Airline", "airline", ["-DFIXED", "-DN=5"], "809 / 4,902"),
          ("PingPong", "pingpong", ["-DTHREADS=5"], "914 / 5,244"), ("BubbleSort", "bubblesort", ["-DINPUT=4"], "911 / 5,710"),
          ("Pool", "pool107", ["-DFIXED"], "2,848 / 17,586"), ("StringBuf", "stringbuf", ["-DFIXED"], "2,129 / 12,310"),
          ("Weblech (stand-in)", "weblech", ["-DTURNS=3", "-DWORK=20"], "22,094 / 167,492")]


def graph_table(bench):
    rows = []
    for name, program, flags, paper in GRAPHS:
        binary = bench.build(program, flags)
        said = subprocess.run([bench.plait, "deps", binary], stdout=subprocess.PIPE, text=True, check=True).stdout
        nodes, edges = re.search(r"(\d+) nodes, (\d+) edges", said).groups()
        trace = binary + ".o"
        subprocess.run([bench.plait, "cc", *flags, "-Wno-unused-value", "-ftime-trace", "-c",
                        os.path.join(HERE, "programs", "papers", program + ".c"), "-o", trace], check=True)
        with open(binary + ".json", encoding="utf-8") as file:
            took = {event["name"]: event["dur"] for event in json.load(file)["traceEvents"] if event["name"].startswith("Total ")}
        own, all_of_it = took.get("Total PlaitDependence", 0), took["Total ExecuteCompiler"]
        rows.append([name, paper, f"{nodes} / {edges}", f"{own / 1e3:.2f} ms", f"{100 * own / all_of_it:.1f} %"])
        print(rows[-1], flush=True)
    return table("002 Table 1: the dependence graph", ["program", "paper: nodes / edges", "Plait: nodes / edges", "time", "of compiling"], rows)


# 003: name, program, flags, paper: MCR, MPC-S1, MPC-S2, each paths / time
MPC = [*((f"M{n}", "mpc_example", [f"-DEXTRA={n}"], *paper) for n, *paper in (
           (0, "3 / 14.5 s", "6 / 0.3 s", "10 / 0.8 s"), (1, "3 / 133 s", "12 / 0.7 s", "16 / 1.6 s"),
           (3, "1 / > 1 h", "48 / 3 s", "52 / 5.4 s"), (5, "1 / > 1 h", "192 / 16 s", "196 / 38 s"),
           (7, "1 / > 1 h", "768 / 90 s", "772 / 830 s"), (9, "1 / > 1 h", "3,072 / 507 s", "> 2,462 / 1 h"))),
       ("Racey", "mpc_racey", [], "432 / 1,133 s", "432 / 268 s", "432 / 460 s"),
       ("Dekker1", "mpc_dekker", ["-DP=20"], "729 / 133 s", "-", "929 / 84 s"),
       ("Dekker2", "mpc_dekker", ["-DP=30"], "2,623 / 773 s", "-", "2,970 / 346 s"),
       ("Spinlock1", "mpc_spinlock", ["-DT=2", "-DK=5"], "363 / 950 s", "-", "522 / 66 s"),
       ("Spinlock2", "mpc_spinlock", ["-DT=3", "-DK=3"], "375 / 1,254 s", "-", "1,357 / 208 s"),
       ("Linuxrwlock", "mpc_rwlock", [], "116 / > 1 h", "-", "1,910 / 2,108 s"),
       ("MSQueue", "mpc_msqueue", [], "152 / > 1 h", "-", "539 / 246 s"),
       ("Seqlock", "mpc_seqlock", [], "204 / > 1 h", "-", "3,877 / 783 s"),
       ("aget", "mpc_aget", [], "-", "-", "4 / 13 s"), ("apache-a", "mpc_apache_a", [], "-", "-", "80 / 9.5 s"),
       ("apache-b", "mpc_apache_b", [], "-", "-", "22 / 1.6 s"), ("bluetooth", "mpc_bluetooth", [], "-", "-", "36 / 2.5 s"),
       ("ctrace1", "mpc_ctrace", [], "-", "-", "10 / 3.1 s"), ("ctrace2", "mpc_ctrace", ["-DTURNS=10"], "-", "-", "393 / 143 s"),
       ("pfscan", "mpc_pfscan", [], "-", "-", "112 / 219 s"), ("rbtree", "mpc_splay", ["-DRBTREE"], "-", "-", "1 / 0.5 s"),
       ("sor", "mpc_sor", [], "-", "-", "4 / 1.2 s"), ("splay", "mpc_splay", [], "-", "-", "13 / 2.3 s"),
       *((f"Figure 9, N = {n}", "mpc_figure9", [f"-DN={n}"], "-", "-", paper) for n, paper in (
           (1, "4 / 0.1 s"), (2, "6 / 0.4 s"), (3, "10 / 0.7 s"), (4, "18 / 1.6 s"), (5, "34 / 4.3 s"))),
       ("Figure 1", "mpc_figures", ["-DFIGURE=1"], "-", "-", "2"), ("Figure 8", "mpc_figures", ["-DFIGURE=8"], "-", "3", "4")]

MPC_NOTE = """
Ours: paths of complete runs, runs / seconds, queries of Z3. Runs of `mpc` include those that its end, the complete
search, still needed; its paths are those that the strategy has run, `paths --paths` counts all. Where benchmarks'
sizes could not be known from the paper (MSQueue, the programs of Table 3) ours are re-made from descriptions, and the
numbers of paths need not agree.
"""


def mpc_row(bench, name, program, flags, *paper):
    binary = bench.build(program, ["-fplait-inputs", *flags])
    row = [name, *paper]
    for options in (["--explore", "mpc", "--strategy", "s1"], ["--explore", "mpc", "--strategy", "s2"]):
        answer = bench.whole(binary, *options)
        found = f"{answer['paths']:,} paths, " if answer["paths"] else ""
        row.append(f"{found}{runs_and_time(answer, False)}, {answer['solver']['queries']:,}")
    answer = bench.whole(binary, "--explore", "paths")
    counted = bench.whole(binary, "--paths")
    all_paths = f"{counted['paths']:,}" if counted["complete"] and counted["paths"] else ""
    return [*row, f"{runs_and_time(answer, False)}, {answer['solver']['queries']:,}", all_paths]


def mpc_table(bench):
    rows = []
    for program in MPC:
        rows.append(mpc_row(bench, *program))
        print(rows[-1], flush=True)
    head = ["program", "paper: MCR", "MPC-S1", "MPC-S2", "Plait: mpc s1", "mpc s2", "paths", "paths there are"]
    return table("003 Tables 1 to 4, Figures 1 and 8", head, rows) + MPC_NOTE


DEPENDENCE = [("Counter", "counter", ["-DMAX=5"]), ("Airline", "airline", ["-DFIXED", "-DN=5"]), ("PingPong", "pingpong", ["-DTHREADS=5"]),
              ("BubbleSort", "bubblesort", ["-DINPUT=4"]), ("Pool", "pool107", ["-DFIXED"]), ("StringBuf", "stringbuf", ["-DFIXED"]),
              ("Weblech (stand-in)", "weblech", ["-DTURNS=3", "-DWORK=20"])]


def dependence_table(bench):
    rows = []
    for name, program, flags in DEPENDENCE:
        binary = bench.build(program, flags)
        for solver in ("native", "z3"):
            row = [name, solver]
            for dependence in ("none", "static", "static+"):
                answer = bench.whole(binary, "--explore", "mcr", "--solver", solver, "--dependence", dependence)
                asked = answer["solver"]
                counts = f"{asked['reads']:,} / {asked['constraints']:,}"
                row.append(f"{runs_and_time(answer, False)}, {asked['queries']:,} in {1e3 * asked['seconds']:.1f} ms, {counts}")
            rows.append(row)
            print(row, flush=True)
    head = ["program", "solver", "none (MCR): runs / time, queries, reads / constraints", "static (MCR-S)", "static+ (MCR-S+)"]
    return table("002: with what the compiler knows of dependences", head, rows)


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


TABLES = {"bugs": bug_table, "spaces": space_table, "example": example_table, "weak": weak_space_table, "weak-bugs": weak_bug_table,
          "real": real_table, "static": static_table, "graph": graph_table, "dependence": dependence_table, "mpc": mpc_table, "large": large_table}


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
            file.write(markdown.wrapped(page))
    else:
        print(markdown.wrapped(page))


if __name__ == "__main__":
    main()
