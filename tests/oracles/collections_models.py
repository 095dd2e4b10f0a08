"""Models of the two synchronised collections, MTList and MTSet (benchmarks 1.6)."""
from model import Model, fork, join, lock, read, unlock, write

FINE, MODIFIED, NULL, NO_ELEMENT = range(4)
ON = (0, 1, 1, 1, 0)  # which of the two collections a thread calls


def bump(name, by=1):
    value = yield read(name)
    yield write(name, value + by)


def threads_of(call, count, fixed, fill):
    def thread(number):
        locks = ("m0", "m1") if fixed else (f"m{ON[number]}",)
        for name in locks:
            yield lock(name)
        yield from call(number)
        for name in reversed(locks):
            yield unlock(name)

    def main():
        yield from fill()
        for number in range(count):
            yield fork(thread, number)
        for number in range(count):
            yield join(number + 1)

    return main


class Lists:
    """Nodes 0 and 1 are the headers; every field is one location."""

    def add(self, which, fresh, element):
        last = yield read(f"p{which}")
        yield write(f"e{fresh}", element)
        yield write(f"n{fresh}", which)
        yield write(f"p{fresh}", last)
        yield write(f"n{last}", fresh)
        yield write(f"p{which}", fresh)
        yield from bump(f"size{which}")
        yield from bump(f"mod{which}")

    def clear(self, which):
        yield from bump(f"mod{which}")
        yield write(f"n{which}", which)
        yield write(f"p{which}", which)
        yield write(f"size{which}", 0)

    def contains(self, which, element):
        at = yield read(f"n{which}")
        while at != which:
            if (yield read(f"e{at}")) == element:
                return True
            at = yield read(f"n{at}")
        return False

    def remove(self, which, element):
        at = yield read(f"n{which}")
        while at != which:
            if (yield read(f"e{at}")) == element:
                before = yield read(f"p{at}")
                after = yield read(f"n{at}")
                yield write(f"n{before}", after)
                yield write(f"p{after}", before)
                yield from bump(f"size{which}", -1)
                yield from bump(f"mod{which}")
                return
            at = yield read(f"n{at}")

    def iterator(self, which):
        expected = yield read(f"mod{which}")
        return {"which": which, "expected": expected, "next": (yield read(f"n{which}")), "index": 0}

    def has_next(self, i):
        return i["index"] != (yield read(f"size{i['which']}"))

    def next(self, i):
        if (yield read(f"mod{i['which']}")) != i["expected"]:
            return -MODIFIED
        if i["index"] == (yield read(f"size{i['which']}")):
            return -NO_ELEMENT
        at = i["next"]
        i["next"] = yield read(f"n{at}")
        i["index"] += 1
        return (yield read(f"e{at}")) or -NULL

    def contains_all(self, which, other):
        i = yield from self.iterator(other)
        while (yield from self.has_next(i)):
            element = yield from self.next(i)
            if element < 0 or not (yield from self.contains(which, element)):
                return

    def equals(self, which, other):
        a = yield from self.iterator(which)
        b = yield from self.iterator(other)
        while (yield from self.has_next(a)) and (yield from self.has_next(b)):
            left = yield from self.next(a)
            right = yield from self.next(b)
            if left < 0 or right < 0 or left != right:
                return

    def call(self, number):
        calls = (lambda: self.contains_all(0, 1), lambda: self.clear(1), lambda: self.add(1, 10, 2), lambda: self.remove(1, 1),
                 lambda: self.equals(0, 1))
        yield from calls[number]()

    def fill(self):
        for which in range(2):
            yield from self.add(which, 2 + 2 * which, 1)
            yield from self.add(which, 3 + 2 * which, 2)


class Sets:
    """Two buckets; keys 2, 4 and 6 all fall into bucket 0. Entry 0 is the end of a chain."""

    def contains(self, which, key):
        at = yield read(f"b{which}.{key % 2}")
        while at:
            if (yield read(f"k{at}")) == key:
                return True
            at = yield read(f"n{at}")
        return False

    def add(self, which, fresh, key):
        if (yield from self.contains(which, key)):
            return
        yield from bump(f"mod{which}")
        yield write(f"k{fresh}", key)
        yield write(f"n{fresh}", (yield read(f"b{which}.{key % 2}")))
        yield write(f"b{which}.{key % 2}", fresh)
        yield from bump(f"size{which}")

    def clear(self, which):
        yield from bump(f"mod{which}")
        yield write(f"b{which}.0", 0)
        yield write(f"b{which}.1", 0)
        yield write(f"size{which}", 0)

    def remove(self, which, key):
        link = f"b{which}.{key % 2}"
        at = yield read(link)
        while at:
            if (yield read(f"k{at}")) == key:
                yield from bump(f"mod{which}")
                yield write(link, (yield read(f"n{at}")))
                yield from bump(f"size{which}", -1)
                return
            link = f"n{at}"
            at = yield read(link)

    def to_next_chain(self, i):
        while i["next"] == 0 and i["bucket"] > 0:
            i["bucket"] -= 1
            i["next"] = yield read(f"b{i['which']}.{i['bucket']}")

    def iterator(self, which):
        expected = yield read(f"mod{which}")
        i = {"which": which, "expected": expected, "bucket": 2, "next": 0}
        if (yield read(f"size{which}")) != 0:
            yield from self.to_next_chain(i)
        return i

    def next(self, i):
        if (yield read(f"mod{i['which']}")) != i["expected"]:
            return -MODIFIED
        at = i["next"]
        i["next"] = yield read(f"n{at}")
        yield from self.to_next_chain(i)
        return (yield read(f"k{at}"))

    def contains_all(self, which, other):
        i = yield from self.iterator(other)
        while i["next"]:
            key = yield from self.next(i)
            if key < 0 or not (yield from self.contains(which, key)):
                return

    def add_all(self, which, other, fresh):
        i = yield from self.iterator(other)
        while i["next"]:
            key = yield from self.next(i)
            if key < 0:
                return
            yield from self.add(which, fresh, key)
            fresh += 1

    def call(self, number):
        calls = (lambda: self.contains_all(0, 1), lambda: self.clear(1), lambda: self.add(1, 10, 6), lambda: self.remove(1, 2),
                 lambda: self.add_all(0, 1, 11))
        yield from calls[number]()

    def fill(self):
        for which in range(2):
            yield from self.add(which, 1 + 2 * which, 2)
            yield from self.add(which, 2 + 2 * which, 4)


def mtlist(count, fixed):
    memory = {f"{f}{i}": 0 for f in "npe" for i in range(11)} | {f"{f}{i}": 0 for f in ("size", "mod") for i in range(2)}
    memory |= {"n1": 1, "p1": 1}
    lists = Lists()
    return Model(threads_of(lists.call, count, fixed, lists.fill), memory)


def mtset(count, fixed):
    memory = {f"{f}{i}": 0 for f in "nk" for i in range(16)} | {f"{f}{i}": 0 for f in ("size", "mod") for i in range(2)}
    memory |= {f"b{which}.{bucket}": 0 for which in range(2) for bucket in range(2)}
    sets = Sets()
    return Model(threads_of(sets.call, count, fixed, sets.fill), memory)
