"""gdb commands for a program that `plait replay BUG.json --gdb` runs.

The program's threads are user-level: gdb sees one thread that runs and parked ones that only lend their storage. These
commands show the program's own threads and step by Plait's events. They read the runtime's variables by name and change
nothing in the program.
"""
import json
import os

import gdb

SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp")  # as __plait_context_switch pushes them
RUN = "plait::runtime::run"
PENDING = 8  # in the flags of an event: it was not performed


class RuntimeLanguage:
    """The runtime's names are C++, whatever language the selected frame has."""

    def __enter__(self):
        self.before = gdb.parameter("language")
        gdb.execute("set language c++", to_string=True)

    def __exit__(self, *_):
        gdb.execute(f"set language {self.before}", to_string=True)


def evaluate(expression):
    with RuntimeLanguage():
        return gdb.parse_and_eval(expression)


def number(expression):
    return int(evaluate(expression))


def thread_name(thread):
    return "main" if thread == 0 else f"T{thread}"


def recorded_bug():
    """The bug file; empty if there is none."""
    try:
        with open(os.environ["PLAIT_BUG"]) as text:
            return json.load(text)
    except (KeyError, OSError, ValueError):
        return {}


def recorded_events():
    """Events of the bug file: what each step is, in words."""
    return recorded_bug().get("events", [])


def is_ours(frame):
    """Code of the runtime lies in a section of its own."""
    begin, end = (number(f"(unsigned long)&{name}") for name in ("__start_plait_rt_text", "__stop_plait_rt_text"))
    return begin <= frame.pc() < end


def select_user_frame():
    """The innermost frame of the program itself, if there is one."""
    frame = gdb.newest_frame()
    while frame is not None:
        sal = frame.find_sal()
        if sal.symtab and not is_ours(frame) and not sal.symtab.fullname().startswith("/usr/"):
            frame.select()
            return frame
        frame = frame.older()
    gdb.newest_frame().select()
    return None


def place(frame):
    if frame is None:
        return "?"
    sal = frame.find_sal()
    return f"{frame.name()} at {os.path.basename(sal.symtab.filename)}:{sal.line}"


class OtherThread:
    """with OtherThread(t): the registers are those that thread t was parked with."""

    def __init__(self, thread):
        self.thread = thread

    def __enter__(self):
        self.running = number(f"{RUN}.current->id") == self.thread
        if self.running:
            return self
        # Registers of an outer frame are places on the stack: only those of the innermost one are registers.
        gdb.newest_frame().select()
        names = SAVED + ("rsp", "rip")
        self.before = {name: number(f"(unsigned long)${name}") for name in names}
        top = number(f"(unsigned long)plait::runtime::fibers[{self.thread}].context.stack_pointer")
        pushed = [number(f"*(unsigned long*){top + 8 * i}") for i in range(len(SAVED) + 1)]
        for name, value in zip(SAVED + ("rip",), pushed):
            gdb.execute(f"set ${name} = {value}")
        gdb.execute(f"set $rsp = {top + 56}")
        gdb.newest_frame().select()
        return self

    def __exit__(self, *_):
        if not self.running:
            gdb.newest_frame().select()
            for name, value in self.before.items():
                gdb.execute(f"set ${name} = {value}")
        select_user_frame()


def live_threads():
    for thread in range(number("sizeof plait::runtime::fibers / sizeof plait::runtime::fibers[0]")):
        fiber = f"plait::runtime::fibers[{thread}]"
        if number(f"{fiber}.exists"):
            yield thread, bool(number(f"{fiber}.ended"))


def pending_text(thread):
    """At the end of the run: what the recording says of the operation that the thread stands in front of."""
    events = recorded_events()
    performed = sum(1 for event in events if not event["flags"] & PENDING)
    if number(f"{RUN}.event_count") < performed:
        return None
    for index, event in enumerate(events):
        if event["flags"] & PENDING and event["thread"] == thread:
            races = index in recorded_bug().get("race", {}).get("events", [])
            return event["description"] + (", which is a data race" if races else "")
    return None


class PlaitThreads(gdb.Command):
    """plait-threads: the program's threads, where each stands; * is the one that runs."""

    def __init__(self):
        super().__init__("plait-threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        running = number(f"{RUN}.current->id")
        for thread, ended in live_threads():
            mark = "*" if thread == running else " "
            if ended:
                print(f"{mark} {thread_name(thread):5} has ended")
                continue
            with OtherThread(thread):
                where = place(select_user_frame())
            told = pending_text(thread)
            if told:
                where += ", " + told
            elif thread != running:
                operation = str(evaluate(f"plait::runtime::fibers[{thread}].pending.op"))
                where += ", before " + operation.split("::")[-1]
            waiting = number(f"plait::runtime::fibers[{thread}].buffer.count")
            if waiting:
                where += f", {waiting} {'store' if waiting == 1 else 'stores'} in its buffer"
            print(f"{mark} {thread_name(thread):5} {where}")


class PlaitApply(gdb.Command):
    """plait-apply THREAD COMMAND: a gdb command in a thread of the program, for instance plait-apply 1 backtrace."""

    def __init__(self):
        super().__init__("plait-apply", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = argument.split(None, 1)
        if len(words) < 2:
            raise gdb.GdbError("plait-apply THREAD COMMAND, for instance: plait-apply 1 backtrace")
        name = words[0]
        try:
            thread = 0 if name == "main" else int(name.lstrip("T"))
        except ValueError:
            raise gdb.GdbError(f"'{name}' is no thread: main, T1, T2 ... (see plait-threads)")
        if thread not in [t for t, ended in live_threads() if not ended]:
            raise gdb.GdbError(f"{thread_name(thread)} does not exist or has ended (see plait-threads)")
        with OtherThread(thread):
            select_user_frame()
            gdb.execute(words[1])


def require_process():
    if gdb.selected_inferior().pid == 0:
        raise gdb.GdbError("the program is not running: plait-start begins it again")


def show_event():
    """What has just begun: the event and its line."""
    done = number(f"{RUN}.event_count")
    events = recorded_events()
    what = ""
    if 0 < done <= len(events):
        event = events[done - 1]
        text = event.get("description", event["op"])
        if "owner" in event:  # a flush: no thread runs, a store leaves a buffer
            select_user_frame()
            print(f"event {done} of {len(events)}: {thread_name(event['owner'])}'s buffer: {text}")
            return
        what = f"{thread_name(event['thread'])} {text}"
    frame = select_user_frame()
    print(f"event {done} of {len(events)}: {what}" + (f" ({place(frame)})" if frame is not None else ""))


class PlaitNext(gdb.Command):
    """plait-next [COUNT]: goes on to the next event of any thread. At the last one the program stops at its failure."""

    def __init__(self):
        super().__init__("plait-next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        require_process()
        target = number(f"{RUN}.event_count") + int(argument or 1)
        run_to(target)


class PlaitGoto(gdb.Command):
    """plait-goto NUMBER: goes on to this event (numbers as in the story of the failure)."""

    def __init__(self):
        super().__init__("plait-goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        require_process()
        if not argument.isdigit():
            raise gdb.GdbError("plait-goto NUMBER")
        if number(f"{RUN}.event_count") >= int(argument):
            raise gdb.GdbError("that event is over: plait-start begins again")
        run_to(int(argument))


def run_to(target):
    if not number(f"{RUN}.active"):
        raise gdb.GdbError("the run is over: plait-start begins it again")
    with RuntimeLanguage():
        stop = gdb.Breakpoint(f"{RUN}.event_count", gdb.BP_WATCHPOINT, gdb.WP_WRITE, internal=True)
        stop.silent = True
        stop.condition = f"{RUN}.event_count >= {target} || !{RUN}.active"
    try:
        gdb.execute("continue", to_string=True)
    finally:
        if stop.is_valid():
            stop.delete()
    if gdb.selected_inferior().pid == 0:
        print("the program has ended")
    elif number(f"{RUN}.active"):
        show_event()
    else:
        failure()


def failure():
    """Stopped where it fails."""
    text = evaluate(f"{RUN}.failure.message").string(errors="replace")
    thread = number(f"{RUN}.failure.thread")
    frame = select_user_frame()
    print(f"{thread_name(thread)} fails: {text} ({place(frame)})")


class PlaitStart(gdb.Command):
    """plait-start: runs the recorded schedule from its beginning and stops in main."""

    def __init__(self):
        super().__init__("plait-start", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        stop = gdb.Breakpoint("main", internal=True, temporary=True)
        stop.silent = True
        # With the program's words and input: see cli/debugger.cc.
        gdb.execute(os.environ["PLAIT_RUN"], to_string=True)
        print(f"{place(select_user_frame())}; plait-next goes on by one event")


class PlaitFailure(gdb.Command):
    """plait-failure: what has failed, in which thread; selects the program's own frame."""

    def __init__(self):
        super().__init__("plait-failure", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        require_process()
        if number(f"{RUN}.active"):
            raise gdb.GdbError("nothing has failed yet: continue, or plait-next")
        failure()


# The runtime turns faults of the program into failures; the stop comes from the trap that it raises then.
for signals in ("SIGSEGV SIGBUS SIGFPE SIGILL", "SIGPROF SIGVTALRM SIGALRM"):
    gdb.execute(f"handle {signals} nostop noprint pass", to_string=True)
for command in (PlaitThreads, PlaitApply, PlaitNext, PlaitGoto, PlaitStart, PlaitFailure):
    command()
