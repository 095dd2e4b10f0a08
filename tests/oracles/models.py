#!/usr/bin/env python3
"""Where the numbers of oracles.txt come from that the benchmarks' description does not give: models of the programs in
another language, counted by model.py, which shares nothing with Plait. Run as a test it compares them with oracles.txt.
"""
import sys

from collections_models import mtlist, mtset
from model import Model, forking, lock, read, unlock, write
from mutex_models import (bakery, dekker, fig6, lamport, message_passing, peterson, pingpong, rvexample, stack_unsafe,
                          store_buffering)
from oracle import MODELS, rows

SC = ("sc",)


def increment(name, by=1):
    value = yield read(name)
    yield write(name, value + by)
    return value


def counter(most):
    def change(by):
        for _ in range(most):
            yield from increment("c", by)

    return Model(forking((change, 1), (change, -1)), {"c": 0})


def account(fixed):
    def deposit():
        if fixed:
            yield lock("A")
        yield from increment("amount", 100)
        if fixed:
            yield unlock("A")

    def withdraw():
        yield lock("A")
        yield from increment("amount", -100)
        yield unlock("A")

    threads = forking((deposit,), (withdraw,), (deposit,), (withdraw,))

    def main():
        yield from threads()
        yield read("amount")

    return Model(main, {"amount": 100})


def allocation(fixed, free_too, size=4):
    def first_free():
        for i in range(size):
            if (yield read(f"v{i}")) == 0:
                return i
        return -1

    def mark(i, new):
        if (yield read(f"v{i}")) == new:
            return False
        yield write(f"v{i}", new)
        return True

    def worker():
        result = []
        for _ in range(2):
            yield lock("V")
            i = yield from first_free()
            if not fixed:
                yield unlock("V")
            result.append(i)
            if i != -1:
                if not fixed:
                    yield lock("V")
                right = yield from mark(i, 1)
                yield unlock("V")
                if not right:
                    return
            elif fixed:
                yield unlock("V")
        for i in result if free_too else []:
            if i == -1:
                continue
            yield lock("V")
            right = yield from mark(i, 0)
            yield unlock("V")
            if not right:
                return

    return Model(forking((worker,), (worker,)), {f"v{i}": 0 for i in range(size)})


def bubblesort(values, fixed):
    def sorter():
        if fixed:
            yield lock("A")
        for i in range(len(values) - 1):
            left = yield read(f"a{i}")
            if left > (yield read(f"a{i + 1}")):
                first = yield read(f"a{i}")
                second = yield read(f"a{i + 1}")
                yield write(f"a{i}", second)
                yield write(f"a{i + 1}", first)
        if fixed:
            yield unlock("A")

    return Model(forking(*[(sorter,)] * len(values)), {f"a{i}": value for i, value in enumerate(values)})


def pool107(fixed):
    def make_object():
        yield lock("F")
        yield from increment("made")
        right = (yield read("made")) <= 2
        yield unlock("F")
        return right

    def borrower():
        yield lock("P")
        found = (yield read("idle")) > 0
        if found:
            yield from increment("idle", -1)
        yield from increment("active")
        if fixed and not found:
            yield from make_object()
        yield unlock("P")
        if not fixed and not found:
            yield from make_object()

    def filler():
        yield lock("P")
        missing = 1 - (yield read("idle"))
        room = 2 - (yield read("active"))
        room = max(0, room - (yield read("idle")))
        if not fixed:
            yield unlock("P")
        for _ in range(min(missing, room)):
            if not fixed:
                yield lock("P")
            if (yield from make_object()):
                yield from increment("idle")
            if not fixed:
                yield unlock("P")
        if fixed:
            yield unlock("P")

    return Model(forking((borrower,), (filler,)), {"idle": 0, "active": 1, "made": 1})


def stringbuf(fixed):
    def append():
        yield lock("one")
        yield lock("two")
        length = yield read("two")
        if not fixed:
            yield unlock("two")
            yield lock("two")
        failed = length > (yield read("two"))
        yield unlock("two")
        if not failed:
            yield from increment("one", length)
        yield unlock("one")

    def empty():
        yield lock("two")
        end = yield read("two")
        yield unlock("two")
        yield lock("two")
        end = min(end, (yield read("two")))
        if end > 0:
            yield from increment("two", -end)
        yield unlock("two")

    return Model(forking((append,), (empty,)), {"one": 1, "two": 1})


def weblech(fixed, work, turns):
    def more_to_come():
        if fixed:
            yield lock("Q")
        more = (yield read("queued")) > 0
        if not more:
            more = (yield read("busy")) > 0
        if fixed:
            yield unlock("Q")
        return more

    def spider():
        for _ in range(turns):
            if not (yield from more_to_come()):
                return
            yield lock("Q")
            mine = None
            if (yield read("queued")) > 0:
                yield from increment("queued", -1)
                yield from increment("busy")
                mine = yield from increment("loaded")
            yield unlock("Q")
            if mine is None:
                continue
            for _ in range(work):
                yield from increment(f"page{mine}")
            yield lock("Q")
            if mine == 0:
                yield from increment("queued")
            if not fixed:
                yield unlock("Q")
            yield from increment("busy", -1)
            if fixed:
                yield unlock("Q")

    threads = forking((spider,), (spider,))

    def main():
        yield from threads()
        yield read("busy")

    return Model(main, {"queued": 1, "busy": 0, "loaded": 0, **{f"page{i}": 0 for i in range(4)}})


def straight(*threads):
    """Threads of loads ("x") and stores (("x", value)) only."""
    def body(operations):
        for operation in operations:
            yield read(operation) if isinstance(operation, str) else write(*operation)

    return forking(*[(body, operations) for operations in threads])


def section_31():
    def first():
        if (yield read("x")) == 0:
            yield read("x")

    def second():
        yield write("x", 1)

    return Model(forking((first,), (second,)), {"x": 0})


def section_422():
    def copier():
        yield write("x", 1)
        yield write("y", (yield read("x")))

    def looker():
        yield read("y")

    def writer():
        yield write("x", 2)

    return Model(forking((looker,), (copier,), (writer,)), {"x": 0, "y": 0})


def section_32():
    return Model(straight((("x", 1),), ("x", "x")), {"x": 0})


def ring():
    return Model(straight((("x", 1), "x", "y"), (("y", 1), "y", "z"), (("z", 1), "z", "x")), {"x": 0, "y": 0, "z": 0})


def expected():
    """Program, flags, its model, the memory models to count it under."""
    yield "counter", "-DMAX=3", counter(3), MODELS
    yield "fig3", "-", store_buffering(), MODELS
    yield "fig3", "-DMESSAGE_PASSING", message_passing(), MODELS
    yield "rvexample", "-DN=1", rvexample(1), MODELS
    yield "fig6", "-DN=1", fig6(1), MODELS
    yield "fig6", "-DN=2", fig6(2), MODELS
    yield "dekker", "-", dekker(1, False), MODELS
    yield "dekker", "-DWITH_CHECK", dekker(1, True), MODELS
    yield "lamport", "-DN=0", lamport(0, False, False), MODELS
    yield "lamport", "-DN=1,-DWITH_CHECK", lamport(1, True, False), MODELS
    yield "lamport", "-DN=1,-DWITH_CHECK,-DAS_IN_REPOSITORY", lamport(1, True, True), MODELS
    yield "bakery", "-", bakery(1, False), MODELS
    yield "peterson", "-DCOUNT=0", peterson(0, False), MODELS
    yield "peterson", "-DCOUNT=1", peterson(1, False), MODELS
    yield "peterson", "-DCOUNT=1,-DWITH_CHECK", peterson(1, True), MODELS
    yield "stackunsafe", "-", stack_unsafe(5), MODELS
    for threads in (2, 3, 4):
        yield "pingpong", f"-DTHREADS={threads}", pingpong(threads), MODELS
    yield "account", "-", account(False), MODELS
    yield "account", "-DFIXED", account(True), SC
    yield "allocation", "-", allocation(False, False), SC
    yield "allocation", "-DFIXED", allocation(True, False), SC
    yield "allocation", "-DFREE_TOO", allocation(False, True), SC
    yield "allocation", "-DFIXED,-DFREE_TOO", allocation(True, True), SC
    yield "bubblesort", "-", bubblesort((4334, 12), False), SC
    yield "bubblesort", "-DFIXED", bubblesort((4334, 12), True), SC
    yield "bubblesort", "-DFIXED,-DINPUT=4", bubblesort((463, 0, 2435, 89), True), SC
    yield "pool107", "-", pool107(False), SC
    yield "pool107", "-DFIXED", pool107(True), SC
    yield "stringbuf", "-", stringbuf(False), SC
    yield "stringbuf", "-DFIXED", stringbuf(True), SC
    yield "weblech", "-DTURNS=1", weblech(False, 1, 1), SC
    yield "weblech", "-DTURNS=2", weblech(False, 1, 2), MODELS
    yield "weblech", "-DFIXED,-DTURNS=2", weblech(True, 1, 2), MODELS
    yield "sections", "-DEXAMPLE=31", section_31(), MODELS
    yield "sections", "-DEXAMPLE=32", section_32(), MODELS
    yield "sections", "-DEXAMPLE=422", section_422(), MODELS
    yield "sections", "-DEXAMPLE=28", ring(), MODELS
    for threads in (2, 3, 4):
        yield "mtlist", f"-DTHREADS={threads}", mtlist(threads, False), SC
        yield "mtset", f"-DTHREADS={threads}", mtset(threads, False), SC
    yield "mtlist", "-DFIXED,-DTHREADS=4", mtlist(4, True), SC
    yield "mtset", "-DFIXED,-DTHREADS=4", mtset(4, True), SC


def main():
    table = {(name, flags): dict(zip(MODELS, columns)) for name, flags, columns in rows("oracles.txt")}
    wrong = 0
    for name, flags, model, memory_models in expected():
        for memory_model in memory_models:
            classes, stuck = model.classes(memory_model)
            written = table.get((name, flags), {}).get(memory_model)
            right = stuck == 0 and written == str(classes)
            wrong += not right
            problem = "" if right else f"   FAILED: oracles.txt has {written}, {stuck} stuck"
            print(f"{name} {flags} {memory_model}: {classes} classes{problem}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
