"""An independent count of read-value classes: explores a program written as Python generators, state by state.

A thread is a generator that yields operations and is sent their results:
    value = yield read("x")       yield write("x", value)
    yield lock("m")               yield unlock("m")
    yield fork(routine, *args)    yield join(number)      (children are numbered from 1 in the order of main's forks)

Generators cannot be copied, but a thread is determined by the results that it has received. So a state is the results of
every thread, the memory and the owners of the locks, and a thread's next operation is found by running its generator on
its results again (remembered). Classes are the distinct tuples of results of complete runs; only reads have results that differ.
"""
from functools import lru_cache


def read(name):
    return ("read", name)


def write(name, value):
    return ("write", name, value)


def lock(name):
    return ("lock", name)


def unlock(name):
    return ("unlock", name)


def fork(routine, *arguments):
    return ("fork", routine, arguments)


def join(number):
    return ("join", number)


class Model:
    def __init__(self, main, memory):
        self.main, self.memory = main, dict(memory)
        self.next_operation = lru_cache(maxsize=None)(self._next_operation)

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

    def classes(self):
        """The number of classes, and the number of states in which threads are left but none can step."""
        names = sorted(self.memory)
        place = {name: i for i, name in enumerate(names)}
        start = ((((self.main, ()), ()),), tuple(self.memory[name] for name in names), ())
        seen, stack = {start}, [start]
        classes, stuck = set(), 0
        while stack:
            threads, memory, owners = stack.pop()
            held = dict(owners)
            moved = ended = 0
            for number, (body, results) in enumerate(threads):
                operation = self.next_operation(body, results)
                if operation is None:
                    ended += 1
                    continue
                result, new_memory, new_owners, new_threads = None, memory, owners, threads
                kind = operation[0]
                if kind == "read":
                    result = memory[place[operation[1]]]
                elif kind == "write":
                    at = place[operation[1]]
                    new_memory = memory[:at] + (operation[2],) + memory[at + 1:]
                elif kind == "lock":
                    if operation[1] in held:
                        continue
                    new_owners = tuple(sorted([*owners, (operation[1], number)]))
                elif kind == "unlock":
                    assert held.get(operation[1]) == number, "unlock of a lock that is not held"
                    new_owners = tuple(pair for pair in owners if pair[0] != operation[1])
                elif kind == "fork":
                    new_threads = (*threads, ((operation[1], operation[2]), ()))
                elif kind == "join":
                    other_body, other_results = threads[operation[1]]
                    if self.next_operation(other_body, other_results) is not None:
                        continue
                moved += 1
                new_threads = (*new_threads[:number], (body, (*results, result)), *new_threads[number + 1:])
                state = (new_threads, new_memory, new_owners)
                if state not in seen:
                    seen.add(state)
                    stack.append(state)
            if ended == len(threads):
                classes.add(tuple(results for _, results in threads))
            elif not moved:
                stuck += 1
        return len(classes), stuck
