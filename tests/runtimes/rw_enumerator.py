"""Random programs of the rw language, and everything that they can do, found out by walking through all interleavings.
Shares no code with Plait, and knows the language by itself."""
import random


class Program:
    """Threads of statements: ("read", reg, var), ("write", var, expression), ("lock", m), ("unlock", m); an expression is
    a number or (register, number). A statement may have a condition (register, number): it is skipped unless equal."""

    def __init__(self, threads):
        self.threads = threads

    def text(self):
        lines = []
        for number, statements in enumerate(self.threads):
            words = []
            for condition, statement in statements:
                if statement[0] == "read":
                    word = f"{statement[1]} = {statement[2]}"
                elif statement[0] == "write":
                    value = statement[2]
                    word = f"{statement[1]} = " + (str(value) if isinstance(value, int) else f"{value[0]} + {value[1]}")
                else:
                    word = f"{statement[0]} {statement[1]}"
                words.append((f"if {condition[0]} == {condition[1]} then " if condition else "") + word)
            lines.append(f"t{number}: " + "; ".join(words))
        return "\n".join(lines) + "\n"


def random_program(seed, most_events=8):
    source = random.Random(seed)
    threads = []
    left = most_events
    variables = ["x", "y"][:source.choice([1, 2, 2])]
    for number in range(source.choice([2, 3, 3])):
        statements, registers, locked = [], [], None
        for _ in range(min(left, source.randint(1, 3))):
            condition = (source.choice(registers), source.randint(0, 2)) if registers and source.random() < 0.3 else None
            if source.random() < 0.5:
                register = f"$a{len(registers)}"
                statements.append((condition, ("read", register, source.choice(variables))))
                registers.append(register)
            else:
                value = (source.choice(registers), 1) if registers and source.random() < 0.5 else source.randint(1, 2)
                statements.append((condition, ("write", source.choice(variables), value)))
            left -= 1
        if source.random() < 0.25 and len(statements) > 0 and left >= 2:
            locked = "m"
            statements = [(None, ("lock", locked))] + statements + [(None, ("unlock", locked))]
            left -= 2
        threads.append(statements)
        del number
    return Program(threads)


class Everything:
    """All complete runs of a program: traces up to equivalence (which accesses of the same variable, not both reads, and
    which locks of the same mutex came in which order), read-value classes, results, deadlocks."""

    def __init__(self, program):
        self.program = program
        self.interleavings = 0
        self.traces, self.classes, self.results = set(), set(), set()
        count = len(program.threads)
        self.walk([0] * count, [{} for _ in range(count)], {}, {}, [])

    def next(self, thread, position, registers):
        statements = self.program.threads[thread]
        while position < len(statements):
            condition, statement = statements[position]
            if not condition or registers.get(condition[0], 0) == condition[1]:
                return position, statement
            position += 1
        return position, None

    def walk(self, positions, registers, memory, holders, events):
        moved = False
        for thread, position in enumerate(positions):
            at, statement = self.next(thread, position, registers[thread])
            if not statement or (statement[0] == "lock" and statement[1] in holders):
                continue
            moved = True
            new_positions, new_registers, new_memory, new_holders = positions[:], registers, memory, holders
            new_positions[thread] = at + 1
            kind, where, value = statement[0], statement[-1], None
            if kind == "read":
                value = memory.get(where, 0)
                new_registers = registers[:]
                new_registers[thread] = {**registers[thread], statement[1]: value}
            elif kind == "write":
                where, expression = statement[1], statement[2]
                value = expression if isinstance(expression, int) else registers[thread].get(expression[0], 0) + expression[1]
                new_memory = {**memory, where: value}
            elif kind == "lock":
                new_holders = {**holders, where: thread}
            else:
                new_holders = {name: owner for name, owner in holders.items() if name != where}
            self.walk(new_positions, new_registers, new_memory, new_holders, events + [(thread, at, kind, where, value)])
        if not moved:
            self.end(registers, memory, events)

    def end(self, registers, memory, events):
        self.interleavings += 1
        orders = set()
        for i, (thread, at, kind, where, _) in enumerate(events):
            for other, position, other_kind, other_where, _ in events[:i]:
                writes = {kind, other_kind} <= {"read", "write"} and {kind, other_kind} != {"read"}
                locks = kind == other_kind == "lock"
                if where == other_where and other != thread and (writes or locks):
                    orders.add(((other, position), (thread, at)))
        self.traces.add(frozenset(orders) | {frozenset((e[0], e[1]) for e in events)})
        self.classes.add(tuple(tuple(e[4] for e in events if e[0] == thread and e[2] == "read")
                               for thread in range(len(self.program.threads))))
        shared = [f"{name}={memory[name]}" for name in sorted(memory)]
        # Variables that were only read are known to the runtime, too.
        for name in sorted({e[3] for e in events if e[2] in ("read", "write")} - set(memory)):
            shared.append(f"{name}=0")
        own = [f"t{thread}.{name}={value}" for thread, values in enumerate(registers) for name, value in sorted(values.items())]
        self.results.add(" ".join(sorted(shared) + own))
