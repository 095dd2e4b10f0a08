"""All outcomes of a litmus shape under SC, TSO or PSO, by the rules of docs/memory-models.md. Shares nothing with Plait or the sweep.

A state is (threads, memory, objects); a thread is (phase, place, registers, buffer). A buffer holds stores, the oldest
first, and BARRIER marks; a store is (variable, offset, bytes).
"""
from dataclasses import replace

from program import BARRIERS, DRAINS, SIZE, outcome_text

BARRIER = "barrier"
WAITING, RUNNING, ENDED = range(3)


def halves(one):
    """memset and memcpy are accesses of eight bytes."""
    if one.kind not in ("set", "copy"):
        return [one]
    value = one.values[0] * 0x0101010101010101
    return [replace(one, kind="store", offset=offset, size=8, values=(value,)) for offset in (0, 8)]


class Model:
    def __init__(self, shape, memory_model):
        self.shape = shape
        self.model = memory_model
        self.names = sorted({one.variable for code in shape.threads for one in code
                             if one.kind in ("load", "store", "xchg", "add", "cas", "set", "copy")} | set(shape.finals))
        self.threads = [[half for one in code for half in halves(one)] for code in shape.threads]
        self.seen = set()
        self.outcomes = set()

    def run(self):
        memory = tuple(tuple(self.shape.start.get(name, 0).to_bytes(SIZE, "little")) for name in self.names)
        threads = tuple((WAITING if t in self.shape.forked else RUNNING, 0, (0,) * 8, ())
                        for t in range(len(self.shape.threads)))
        todo = [(threads, memory, ())]
        while todo:
            state = todo.pop()
            if state in self.seen:
                continue
            self.seen.add(state)
            following = [after for t in range(len(threads)) for after in self.steps(state, t)]
            todo += following
            if all(thread[0] == ENDED for thread in state[0]):
                self.finish(state)
            elif not following:
                raise SystemExit(f"{self.shape.name} blocks under {self.model}")
        return self.outcomes

    def finish(self, state):
        threads, memory, _ = state
        values = [threads[t][2][r] for t, r in self.shape.registers]
        values += [int.from_bytes(bytes(memory[self.names.index(name)][:4]), "little") for name in self.shape.finals]
        self.outcomes.add(outcome_text(values))

    # Memory and buffers.

    def seen_by(self, state, t, variable):
        contents = list(state[1][self.names.index(variable)])
        for entry in state[0][t][3]:
            if entry != BARRIER and entry[0] == variable:
                contents[entry[1]:entry[1] + len(entry[2])] = entry[2]
        return contents

    def written(self, memory, store):
        variable, offset, data = store
        index = self.names.index(variable)
        contents = list(memory[index])
        contents[offset:offset + len(data)] = data
        return memory[:index] + (tuple(contents),) + memory[index + 1:]

    def flushable(self, buffer):
        """Places in the buffer."""
        if self.model == "tso":
            return [0] if buffer else []
        places = []
        for i, entry in enumerate(buffer):
            if entry == BARRIER:
                break
            variable, offset, data = entry
            if all(older[0] != variable or older[1] + len(older[2]) <= offset or offset + len(data) <= older[1]
                   for older in buffer[:i]):
                places.append(i)
        return places

    def steps(self, state, t):
        threads, memory, objects = state
        phase, place, registers, buffer = threads[t]

        def after(thread, memory=memory, objects=objects):
            return threads[:t] + (thread,) + threads[t + 1:], memory, objects

        for i in self.flushable(buffer):
            rest = buffer[:i] + buffer[i + 1:]
            while rest and rest[0] == BARRIER:
                rest = rest[1:]
            yield after((phase, place, registers, rest), self.written(memory, buffer[i]))
        if phase != RUNNING:
            return
        code = self.threads[t]
        if place == len(code):
            children = {int(one.variable) for one in code if one.kind == "fork"}
            if not buffer and all(threads[child][0] == ENDED for child in children):
                yield after((ENDED, place, registers, ()))
            return
        one = code[place]
        moved = (RUNNING, place + 1, registers, buffer)
        if one.guard and registers[one.guard[0]] != one.guard[1]:
            yield after(moved)
        elif one.kind == "load":
            data = self.seen_by(state, t, one.variable)[one.offset:one.offset + one.size]
            yield after((RUNNING, place + 1, self.with_result(registers, one, data), buffer))
        elif one.kind == "store":
            yield from self.store(state, t, one, after)
        elif buffer and (one.kind in DRAINS or one.kind in ("xchg", "add", "cas")):
            return
        elif one.kind in ("xchg", "add", "cas"):
            data = self.seen_by(state, t, one.variable)[:4]
            old = int.from_bytes(bytes(data), "little")
            operands = [self.number(registers, value) for value in one.values]
            new = {"xchg": operands[0], "add": old + operands[0],
                   "cas": operands[-1] if old == operands[0] else old}[one.kind]
            yield after((RUNNING, place + 1, self.with_result(registers, one, data), buffer),
                        self.written(memory, (one.variable, 0, tuple(new.to_bytes(4, "little")))))
        elif one.kind in BARRIERS:
            yield after((RUNNING, place + 1, registers, self.with_barrier(buffer)))
        else:
            yield from self.synchronise(state, t, one, after, moved)

    def with_barrier(self, buffer):
        return buffer + (BARRIER,) if self.model == "pso" and buffer else buffer

    @staticmethod
    def number(registers, value):
        return registers[value[0]] + value[1] if isinstance(value, tuple) else value

    @staticmethod
    def with_result(registers, one, data):
        return registers[:one.register] + (int.from_bytes(bytes(data), "little"),) + registers[one.register + 1:]

    def store(self, state, t, one, after):
        _, place, registers, buffer = state[0][t]
        value = self.number(registers, one.values[0])
        store = (one.variable, one.offset, tuple(value.to_bytes(one.size, "little")))
        if self.model == "sc" or one.order == "sc":
            if not buffer:
                yield after((RUNNING, place + 1, registers, ()), self.written(state[1], store))
            return
        if one.order == "rel":
            buffer = self.with_barrier(buffer)
        yield after((RUNNING, place + 1, registers, buffer + (store,)))

    # Objects: a tuple of (name, holder) of what is held, or posted.

    def synchronise(self, state, t, one, after, moved):
        threads, _, objects = state
        name = one.variable
        holders = [holder for object_name, holder in objects if object_name == name]
        if one.kind == "lock":
            if not holders:
                yield after(moved, objects=objects + ((name, t),))
        elif one.kind == "read-lock":
            yield after(moved, objects=tuple(sorted(objects + ((name, t),))))
        elif one.kind in ("unlock", "read-unlock"):
            left = list(objects)
            left.remove((name, t))
            yield after(moved, objects=tuple(left))
        elif one.kind == "post":
            yield after(moved, objects=tuple(sorted(objects + ((name, -1),))))
        elif one.kind == "wait":
            if holders:
                left = list(objects)
                left.remove((name, -1))
                yield after(moved, objects=tuple(left))
        elif one.kind == "fork":
            child = int(name)
            new_threads, memory, new_objects = after(moved)
            started = (RUNNING,) + new_threads[child][1:]
            yield new_threads[:child] + (started,) + new_threads[child + 1:], memory, new_objects
        elif one.kind == "join":
            if threads[int(name)][0] == ENDED:
                yield after(moved)
        else:
            yield after(moved)  # nobody waits for it


def outcomes_of(shape, memory_model):
    return Model(shape, memory_model).run()
