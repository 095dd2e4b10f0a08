"""The page that bench/table.py writes: the machine, the tools, a table per group of programs, and a summary."""
import datetime
import os
import platform
import textwrap

PEERS = ("GenMC", "Nidhugg")
WORTH_COMPARING = 0.2  # seconds: below that, starting the tools is what is measured


def machine():
    """The machine that this runs on, in words."""
    model, memory = platform.machine(), ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
        with open("/proc/meminfo", encoding="utf-8") as lines:
            memory = f", {int(lines.readline().split()[1]) / 1e6:.0f} GB"
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores{memory}, Linux {platform.release().split('-')[0]}"


def seconds(value):
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def count(value):
    return "" if value is None else f"{value:,}"


def ratio(value):
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def better_peer(row, nothing):
    """(did it finish, CPU seconds without those for starting and compiling) of the better peer; None without peers."""
    times = [(not row.answers[name].done, max(row.answers[name].cpu - nothing.answers[name].cpu, 0.001))
             for name in PEERS if name in row.answers and row.answers[name].verdict != "error"]
    if not times:
        return None
    unfinished, cpu = min(times)
    return not unfinished, cpu


def speed(row, other):
    """How many times less CPU time cumulative needs; '>': the other did not finish, '<': cumulative did not."""
    ours = row.answers["cumulative"]
    if other is None:
        return ""
    finished, cpu = other
    if not ours.done and not finished:
        return "–"
    return ("" if ours.done and finished else "> " if ours.done else "< ") + ratio(cpu / ours.cpu)


def cells(answer, columns):
    if answer is None:
        return [""] * len(columns)
    values = {"runs": count(answer.runs) if answer.done or answer.runs else "", "states": count(answer.states),
              "wall": seconds(answer.wall), "CPU": seconds(answer.cpu), "MB": f"{answer.megabytes:.0f}",
              "own": "" if answer.own_seconds is None else seconds(answer.own_seconds),
              "mode": answer.note if answer.done else ""}
    if not answer.done:
        values["CPU"] = f"**{answer.verdict}** {values['CPU']}"
    elif answer.blocked:
        values["runs"] += f" + {answer.blocked:,}"
    return [values[column] for column in columns]


def verdict(row):
    found = {answer.verdict for answer in row.answers.values() if answer.done}
    return " / ".join(sorted(found)) if found else "–"


LAYOUT = {"cumulative": ("runs", "states", "wall", "CPU", "MB"), "sleep sets": ("runs", "wall", "CPU", "MB"),
          "GenMC": ("runs", "wall", "CPU", "own", "MB"), "Nidhugg": ("runs", "wall", "CPU", "MB", "mode")}


def table(rows, tools, nothing):
    names = [tool.name for tool in tools]
    peers = any(name in PEERS for name in names)
    head = ["program", "N", "verdict"]
    for name in names:
        head += [f"{name}: {column}" for column in LAYOUT[name]]
    head += ["× sleep sets"] * ("sleep sets" in names) + ["× better peer"] * peers
    lines = ["| " + " | ".join(head) + " |", "|---|---|---|" + "---:|" * (len(head) - 3)]
    for row in rows:
        line = [row.name, row.size, verdict(row)]
        for name in names:
            line += cells(row.answers.get(name), LAYOUT[name])
        if "sleep sets" in names:
            sleep_sets = row.answers["sleep sets"]
            line.append(speed(row, (sleep_sets.done, sleep_sets.cpu)))
        if peers:
            line.append(speed(row, better_peer(row, nothing)))
        lines.append("| " + " | ".join(line) + " |")
    return "\n".join(lines)


def judged(row, nothing):
    """How many times faster than the better peer (0: did not finish), where that peer needs long enough to matter."""
    ours, peer = row.answers["cumulative"], better_peer(row, nothing)
    if peer is None or (peer[0] and peer[1] <= WORTH_COMPARING) or not (ours.done or peer[0]):
        return None
    return peer[1] / ours.cpu if ours.done else 0.0


def summary(rows, nothing):
    values = [(row, judged(row, nothing)) for row in rows]
    values = [(row, value) for row, value in values if value is not None]
    names = lambda chosen: ", ".join(f"{row.name} {row.size}" for row, _ in chosen) or "none"
    losses = [pair for pair in values if pair[1] < 1]
    close = [pair for pair in values if 1 <= pair[1] < 10]
    return (f"Where the better peer needs more than {WORTH_COMPARING} s of CPU time ({len(values)} rows): "
            f"at least 10 times faster on "
            f"{len(values) - len(losses) - len(close)}, 1 to 10 times on {len(close)} ({names(close)}), "
            f"slower or not finished on {len(losses)} ({names(losses)}).")


EXPLANATION = """\
- *runs*: executions of the program, those cut off by an assumption or by sleep sets included; for the peers `+` those.
- *states*: visited by all searches of Plait together.
- *wall*, *CPU*: seconds of the whole command; CPU is user and system time of all its processes. The peers compile inside
  their command; *own* is what GenMC reports for itself. Plait's programs were compiled before: {compile}.
- *MB*: the largest resident set of any one process of the command.
- *× sleep sets*, *× better peer*: CPU time of that one divided by cumulative's (more than 1: cumulative is faster). From the
  peers' times that of an empty program is taken off first ({startup}); from Plait's nothing. `>`: the other did
  not finish, the number is a lower bound; `<`: cumulative did not finish.
"""


def unfinished_line(row, name, answer):
    line = f"- {row.name} {row.size}, {name}: {answer.verdict} after {seconds(answer.cpu)} s of CPU time"
    line += f", {answer.megabytes:.0f} MB"
    if answer.runs:
        line += f", {answer.runs:,} runs"
    if answer.states:
        line += f", {answer.states:,} states"
    if answer.verdict == "error":
        line += " (an inner error of the tool: it crashed or contradicted itself)"
    return line


def wrapped(page):
    """Text at most 120 columns wide; tables and figures as they are."""
    lines = []
    for line in page.split("\n"):
        if line.startswith(("|", "!")) or len(line) <= 120:
            lines.append(line)
        else:
            lines += textwrap.wrap(line, 120, subsequent_indent="  " if line.startswith("- ") else "",
                                   break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def document(rows, tools, nothing, arguments, disagreements, revision):
    compiles = sorted(row.compile_cpu for row in rows)
    startup = [f"{name} {answer.cpu:.2f} s" for name, answer in nothing.answers.items()]
    middle = f"{compiles[len(compiles) // 2]:.2f} s of CPU time each (median)"
    parts = ["# Classic programs, tool by tool", "",
             "Written by `bench/table.py`; how to run it: [benchmarks.md](benchmarks.md). Programs: "
             "`bench/programs/classic` (and `bench/programs/papers`), the same source for every tool.", "",
             f"Machine: {machine()}. {datetime.date.today().isoformat()}, Plait at {revision}. "
             f"Limit {arguments.timeout:.0f} s of CPU time"
             + (f" (peers {arguments.peer_timeout:.0f} s)" if arguments.peer_timeout else "")
             + f", checks of less than a second: best of {arguments.repeat}.", ""]
    parts += [f"- {tool.name}: {tool.version()}" for tool in tools]
    parts += ["", EXPLANATION.format(compile=middle, startup=", ".join(startup))]
    if any(tool.name in PEERS for tool in tools):
        parts += [summary(rows, nothing), ""]
    parts += [f"**The tools disagree on {row}.**\n" for row in disagreements]
    for group in ("classic", "papers"):
        chosen = [row for row in rows if row.group == group]
        if chosen:
            parts += [f"## {group.capitalize()} programs", "", table(chosen, tools, nothing), ""]
    unfinished = [(row, name, answer) for row in rows for name, answer in row.answers.items() if not answer.done]
    if unfinished:
        parts += ["## Not finished", ""]
        parts += [unfinished_line(*which) for which in unfinished]
        parts.append("")
    return wrapped("\n".join(parts))
