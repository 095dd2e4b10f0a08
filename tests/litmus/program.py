"""The statements of litmus shapes, and shapes as threads of statements.

Threads are separated by "|", statements by ";". Variables have 16 bytes, all 0 at first, and p lies in the heap; registers r0, r1, ... are a thread's own.

  x = 1        plain store of four bytes; the value is a number, a register, or a register + a number
  r0 = x       plain load of four bytes
  x.rlx, x.rel, x.acq, x.sc, x.vol     the same, atomic with that order, or volatile
  x[1], x[2:4]                         the same for byte 1, for bytes 2 and 3 (plain)
  r0 = x.xchg(1), x.add(1), x.cas(0,1) read-modify-write, seq_cst; x.cas.rlx(0,1): relaxed. r0 gets the old value
  set x 1, copy x 1                    memset, memcpy: all 16 bytes become 1
  fence.sc, fence.rel, fence.acq, fence.ar, mfence, sfence, lfence, sync, signal-fence, compiler
  lock m, unlock m, read-lock q, read-unlock q, post s, wait s, notify c, once o, wake f
  atomic-begin, atomic-end, malloc, free-own (of a block that nobody else uses), free p, yield
  fork 2, join 2                       thread 2, which main then does not start; joined at the end if not before
  if r0 == 1: STATEMENT
"""
import re
from dataclasses import dataclass, field, replace

SIZE = 16  # bytes of a variable
BARRIERS = ("fence.rel", "fence.ar", "sfence")
DRAINS = ("fence.sc", "mfence", "sync", "lock", "unlock", "read-lock", "read-unlock", "post", "wait", "notify", "once",
          "wake", "atomic-begin", "atomic-end", "free", "fork", "join")
NOTHING = ("fence.acq", "lfence", "signal-fence", "compiler", "malloc", "free-own", "yield")
PLACE = r"([a-qs-z])(?:\[(\d+)(?::(\d+))?\])?(?:\.(rlx|rel|acq|sc|vol))?"


@dataclass(frozen=True)
class Statement:
    kind: str  # load, store, xchg, add, cas, or a word of the lists above
    variable: str = ""
    offset: int = 0
    size: int = 4
    order: str = ""  # "": plain
    register: int = -1  # that gets the result
    values: tuple = ()  # operands: numbers, or (register, number added)
    guard: tuple = ()  # (register, value)


def _value(text):
    match = re.fullmatch(r"r(\d)(?:\+(\d+))?", text)
    return (int(match[1]), int(match[2] or 0)) if match else int(text, 0)


def _place(variable, first, end, order):
    offset = int(first) if first else 0
    size = 4 if not first else int(end) - offset if end else 1
    assert size in (1, 2, 4, 8) and offset + size <= SIZE and not (first and order)
    return {"variable": variable, "offset": offset, "size": size, "order": order or ""}


def parse(text):
    text = text.strip()
    if match := re.fullmatch(r"if r(\d) == (\d+): (.*)", text):
        return replace(parse(match[3]), guard=(int(match[1]), int(match[2])))
    if match := re.fullmatch(PLACE + r" ?= ?(r\d(?:\+\d+)?|0x[0-9a-f]+|\d+)", text):
        return Statement("store", **_place(*match.groups()[:4]), values=(_value(match[5]),))
    if match := re.fullmatch(r"r(\d) ?= ?" + PLACE, text):
        return Statement("load", **_place(*match.groups()[1:]), register=int(match[1]))
    if match := re.fullmatch(r"r(\d) ?= ?([a-qs-z])\.(xchg|add|cas)(?:\.(rlx|rel|acq))?\((.*)\)", text):
        values = tuple(_value(one.strip()) for one in match[5].split(","))
        return Statement(match[3], match[2], order=match[4] or "sc", register=int(match[1]), values=values)
    if match := re.fullmatch(r"(set|copy) ([a-qs-z]) (\d+)", text):
        return Statement(match[1], match[2], values=(int(match[3]),))
    words = text.split()
    assert words[0] in BARRIERS + DRAINS + NOTHING, text
    return Statement(words[0], words[1] if len(words) > 1 else "")


@dataclass
class Shape:
    name: str
    text: str
    asked: str = ""  # an outcome, that the models named in `models` allow and the others do not
    models: str = ""
    finals: str = ""  # variables whose last values are part of the outcome
    start: dict = field(default_factory=dict)  # variables that do not start with 0
    sets: dict = field(default_factory=dict)  # model -> all outcomes, written down by hand

    def __post_init__(self):
        self.threads = [[parse(part) for part in thread.split(";") if part.strip()] for thread in self.text.split("|")]
        self.registers = [(t, r) for t, code in enumerate(self.threads)
                          for r in sorted({one.register for one in code if one.register >= 0})]
        self.forked = {int(one.variable) for code in self.threads for one in code if one.kind == "fork"}
        self.finals = self.finals.split()

    def columns(self):
        return [f"P{t}:r{r}" for t, r in self.registers] + self.finals


def outcome_text(values):
    """As the generated program prints it."""
    return ",".join(f"{value:x}" for value in values)


def by_hand(text):
    """Sets written down by hand: "01 1c"; "1,100" or "100," where values have several digits."""
    return {one.rstrip(",") if "," in one else ",".join(one) for one in text.split()}
