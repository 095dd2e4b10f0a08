"""An independent count of read-value classes: explores a program written as Python generators, state by state.

A thread is a generator that yields operations and is sent their results:
    value = yield read("x")       yield write("x", value)       yield write("x", value, RELEASE)
    yield lock("m")               yield unlock("m")             yield fence(SEQ_CST)
    yield fork(routine, *args)    yield join(number)            (children are numbered from 1 in the order of main's forks)
    old = yield cas("x", expected, desired)

Generators cannot be copied, but a thread is determined by the results that it has received. So a state is the results of
every thread, the memory, the store buffers and the owners of the locks, and a thread's next operation is found by running its generator on
its results again (remembered). Classes are the distinct tuples of results of complete runs; only reads have results that differ.

The memory model is that of docs/memory-models.md, written down a second time: "sc", "tso" or "pso".
"""
PLAIN, RELEASE, SEQ_CST = "plain", "release", "seq_cst"  # relaxed and volatile are as plain, acquire does nothing
BARRIER = (None, None)  # an entry of a store buffer that no later store may overtake


def read(name):
    return ("read", name)


def write(name, value, order=PLAIN):
    return ("write", name, value, order)


def cas(name, expected, desired):
    return ("cas", name, expected, desired)


def fence(order):
    return ("fence", order)


def lock(name):
    return ("lock", name)


def unlock(name):
    return ("unlock", name)


def fork(routine, *arguments):
    return ("fork", routine, arguments)


def join(number):
    return ("join", number)


def forking(*threads, meanwhile=None):
    """A main that forks these threads, does something of its own and joins them."""
    def main():
        for routine, *arguments in threads:
            yield fork(routine, *arguments)
        if meanwhile:
            yield from meanwhile()
        for number in range(1, len(threads) + 1):
            yield join(number)

    return main


def is_local(operation, model):
    """Only the thread's own buffer changes: the order with steps of others does not matter."""
    if model == "sc" or operation is None:
        return False
    return operation[0] in ("write", "fence") and operation[-1] != SEQ_CST


def without_leading_barriers(buffer):
    while buffer and buffer[0] == BARRIER:
        buffer = buffer[1:]
    return buffer


def flushes(buffer, model):
    """What can leave the buffer next: pairs of a store and the buffer without it."""
    if model == "tso":
        if buffer:
            yield buffer[0], without_leading_barriers(buffer[1:])
        return
    older = set()
    for i, entry in enumerate(buffer):
        if entry == BARRIER:
            return
        if entry[0] not in older:
            yield entry, without_leading_barriers(buffer[:i] + buffer[i + 1:])
        older.add(entry[0])


class Model:
    def __init__(self, main, memory):
        self.main, self.memory = main, dict(memory)
        # Threads in states are numbers: nodes[number] = routine with arguments, results so far, next operation.
        self.nodes, self.numbers, self.children = [], {}, []

    def node(self, body, results):
        number = self.numbers.get((body, results))
        if number is None:
            number = self.numbers[body, results] = len(self.nodes)
            self.nodes.append((body, results, self._next_operation(body, results)))
            self.children.append({})
        return number

    def child(self, number, result):
        """The thread after its next operation has returned this."""
        known = self.children[number]
        if result not in known:
            body, results, _ = self.nodes[number]
            known[result] = self.node(body, (*results, result))
        return known[result]

    @staticmethod
    def _next_operation(body, results):
        """What the thread does after these results; None at its end."""
        routine, arguments = body
        thread = routine(*arguments)
        try:
            operation = next(thread)
            for result in results:
                operation = thread.send(result)
        except StopIteration:
            return None
        return operation

    def classes(self, model="sc"):
        """The number of classes, and the number of states in which threads are left but none can step."""
        names = sorted(self.memory)
        place = {name: i for i, name in enumerate(names)}
        self.nodes, self.numbers, self.children = [], {}, []
        start = ((self.node((self.main, ()), ()),), tuple(self.memory[name] for name in names), (), ((),))
        seen, stack = {start}, [start]
        classes, stuck = set(), 0
        while stack:
            state = stack.pop()
            threads, _, _, buffers = state
            operations = [self.nodes[thread][2] for thread in threads]
            successors = self._successors(state, operations, place, model)
            for successor in successors:
                if successor not in seen:
                    seen.add(successor)
                    stack.append(successor)
            if not any(operations) and not any(buffers):
                classes.add(threads)
            elif not successors:
                stuck += 1
        return len(classes), stuck

    def _successors(self, state, operations, place, model):
        threads, memory, owners, buffers = state
        local = [number for number, operation in enumerate(operations) if is_local(operation, model)]
        steps = (self._step(state, number, operations, place, model) for number in local[:1] or range(len(threads)))
        successors = [after for after in steps if after is not None]
        if local:
            return successors
        for number, buffer in enumerate(buffers):
            for (name, value), rest in flushes(buffer, model):
                new_buffers = buffers[:number] + (rest,) + buffers[number + 1:]
                successors.append((threads, self._written(memory, place[name], value), owners, new_buffers))
        return successors

    @staticmethod
    def _written(memory, at, value):
        return memory[:at] + (value,) + memory[at + 1:]

    def _step(self, state, number, operations, place, model):
        """The state after the thread's next operation; None if it has none or must wait."""
        threads, memory, owners, buffers = state
        operation, buffer = operations[number], buffers[number]
        if operation is None:
            return None
        result, kind = None, operation[0]
        if kind == "read":
            result = memory[place[operation[1]]]
            for name, value in buffer:
                if name == operation[1]:
                    result = value
        elif is_local(operation, model):
            if operation[-1] == RELEASE and buffer:
                buffer += (BARRIER,)
            if kind == "write":
                buffer += ((operation[1], operation[2]),)
        elif buffer:
            return None  # all that is left drains
        elif kind == "write":
            memory = self._written(memory, place[operation[1]], operation[2])
        elif kind == "cas":
            result = memory[place[operation[1]]]
            if result == operation[2]:
                memory = self._written(memory, place[operation[1]], operation[3])
        elif kind == "lock":
            if operation[1] in dict(owners):
                return None
            owners = tuple(sorted([*owners, (operation[1], number)]))
        elif kind == "unlock":
            assert (operation[1], number) in owners, "unlock of a lock that is not held"
            owners = tuple(pair for pair in owners if pair[0] != operation[1])
        elif kind == "fork":
            threads += (self.node((operation[1], operation[2]), ()),)
            buffers += ((),)
        elif kind == "join":
            if operations[operation[1]] is not None or buffers[operation[1]]:
                return None
        threads = threads[:number] + (self.child(threads[number], result),) + threads[number + 1:]
        return threads, memory, owners, buffers[:number] + (buffer,) + buffers[number + 1:]
