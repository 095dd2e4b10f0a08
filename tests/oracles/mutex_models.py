"""Models of the programs of the OOPSLA'16 paper (benchmarks 1.1, 2.1 to 2.7) and of PingPong. Every access is plain."""
from model import Model, forking, lock, read, unlock, write


def critical_section(name, me, with_check):
    yield write(name, me)
    if with_check:
        yield read(name)  # what the programs then write is read by nobody


def store_buffering():
    def thread(mine, other):
        yield write(mine, 1)
        yield read(other)

    return Model(forking((thread, "x", "y"), (thread, "y", "x")), {"x": 0, "y": 0})


def message_passing():
    def sender():
        yield write("x", 1)
        yield write("y", 1)

    def receiver():
        if (yield read("y")) == 1:
            yield read("x")

    return Model(forking((sender,), (receiver,)), {"x": 0, "y": 0})


def rvexample(repeats):
    def first():
        for _ in range(2):
            yield lock("l")
            yield write("x", 1)
            for _ in range(repeats):
                yield write("y", 1)
            yield unlock("l")

    def second():
        for _ in range(2):
            yield lock("l")
            yield write("x", 0)
            yield unlock("l")
            if (yield read("x")) > 0:
                yield write("y", (yield read("y")) + 1)
                yield write("x", 2)

    def third():
        for _ in range(2):
            if (yield read("x")) > 1:
                if (yield read("y")) != 3:
                    yield write("y", 2)

    return Model(forking((second,), (third,), meanwhile=first), {"x": 0, "y": 0})


def fig6(turns):
    def writer():
        for _ in range(turns):
            for name, value in (("z", 0), ("x", 0), ("y", 0), ("x", 2), ("y", 3), ("z", 1)):
                yield write(name, value)

    def reader():
        for _ in range(turns):
            if (yield read("z")) == 1:
                x = yield read("x")
                if x + 1 != (yield read("y")):
                    yield read("x")
                    yield read("y")

    return Model(forking((reader,), meanwhile=writer), {"x": 0, "y": 0, "z": 0})


def dekker(bound, with_check):
    def worker(me):
        other, n1, n2 = 3 - me, 0, 0
        yield write(f"flag{me}", 1)
        while (yield read(f"flag{other}")) == 1:
            n2 += 1
            if n2 - 1 > bound:
                break
            if (yield read("turn")) != me:
                yield write(f"flag{me}", 0)
                while (yield read("turn")) != me:
                    n1 += 1
                    if n1 - 1 > bound:
                        break
                yield write(f"flag{me}", 1)
        yield from critical_section("x", me, with_check)
        yield write("turn", other)
        yield write(f"flag{me}", 0)

    return Model(forking((worker, 1), (worker, 2)), {"flag1": 0, "flag2": 0, "turn": 1, "x": 0})


def lamport(bound, with_check, as_in_repository):
    """as_in_repository: thread 2 writes 1 into y, and waits for its own b."""
    def worker(me):
        other = 2 if as_in_repository else 3 - me
        turn = 1 if as_in_repository else me
        n1 = n2 = n3 = n4 = 0
        while True:
            n1 += 1
            if n1 - 1 > bound:
                break
            yield write(f"b{me}", 1)
            yield write("x", me)
            if (yield read("y")) != 0:
                yield write(f"b{me}", 0)
                while (yield read("y")) != 0:
                    n2 += 1
                    if n2 - 1 > bound:
                        break
                continue
            yield write("y", turn)
            if (yield read("x")) != me:
                yield write(f"b{me}", 0)
                while (yield read(f"b{other}")) >= 1:
                    n3 += 1
                    if n3 - 1 > bound:
                        break
                if (yield read("y")) != me:
                    while (yield read("y")) != 0:
                        n4 += 1
                        if n4 - 1 > bound:
                            break
                    continue
            break
        yield from critical_section("s", me, with_check)
        yield write("y", 0)
        yield write(f"b{me}", 0)

    return Model(forking((worker, 1), (worker, 2)), {"b1": 0, "b2": 0, "x": 0, "y": 0, "s": 0})


def bakery(bound, with_check):
    def worker(i):
        n1 = n2 = most = 0
        yield write(f"enter{i}", 1)
        for k in range(2):
            if (yield read(f"number{k}")) > most:
                most = yield read(f"number{k}")
        yield write(f"number{i}", 1 + most)
        yield write(f"enter{i}", 0)
        for j in range(2):
            while (yield read(f"enter{j}")) == 1:
                n1 += 1
                if n1 - 1 > bound:
                    break
            while True:
                theirs = yield read(f"number{j}")
                if theirs == 0:
                    break
                theirs = yield read(f"number{j}")
                if theirs >= (yield read(f"number{i}")):
                    break
                n2 += 1
                if n2 - 1 > bound:
                    break
        yield from critical_section("x", i + 1, with_check)
        yield write(f"number{i}", 0)

    memory = {"enter0": 0, "enter1": 0, "number0": 0, "number1": 0, "x": 0}
    return Model(forking((worker, 0), (worker, 1)), memory)


def peterson(bound, with_check):
    def worker(me):
        other, count = 3 - me, 0
        yield write(f"flag{me}", 1)
        yield write("turn", other)
        while (yield read(f"flag{other}")) == 1 and (yield read("turn")) == other:
            count += 1
            if count - 1 > bound:
                break
        yield from critical_section("x", me, with_check)
        yield write(f"flag{me}", 0)

    return Model(forking((worker, 1), (worker, 2)), {"flag1": 0, "flag2": 0, "turn": 0, "x": 0})


def stack_unsafe(size):
    def pusher():
        for i in range(size):
            yield lock("m")
            if (yield read("top")) != size:
                yield write(f"array{(yield read('top'))}", i)
                yield write("top", (yield read("top")) + 1)
            yield write("flag", 1)
            yield unlock("m")

    def popper():
        for _ in range(size):
            yield lock("m")
            if (yield read("flag")):
                if (yield read("top")) != 0:
                    yield write("top", (yield read("top")) - 1)
                    yield read(f"array{(yield read('top'))}")
            yield unlock("m")

    return Model(forking((pusher,), (popper,)), {"top": 0, "flag": 0, **{f"array{i}": 0 for i in range(size)}})


def pingpong(threads):
    def player():
        if (yield read("pointer")) == 0:
            return
        yield read("i")
        following = yield read("pointer")
        yield write("pointer", 0)
        yield write("pointer", following)

    return Model(forking(*[(player,)] * threads), {"pointer": 1, "i": 0})
