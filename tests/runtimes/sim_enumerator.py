"""Random worlds for sim_world.cc, and everything that they can do, found out by walking through all orders of events.
Shares no code with the kit: a state is a tuple of values."""
import random
from collections import namedtuple

# left: of the budgets; log: what each actor has received; order: who used the budgets.
State = namedtuple("State", "network log timers fired down copies left sent order")
Rules = namedtuple("Rules", "actors rules stale budget timeouts fifo")


def random_world(seed, **budget):
    source = random.Random(seed)
    actors = "abc"[:source.choice([2, 2, 3])]
    rules, stale = {}, {}
    for actor in actors:
        for what in ("start", "1", "2", "timer"):
            for parity in (0, 1):
                least = 0 if what in ("start", "timer") else int(what)
                words = [source.choice(actors) + str(source.randint(least + 1, 3))
                         for _ in range(source.choice([0, 1, 1, 2] if what == "start" else [0, 0, 1])) if least < 3]
                if what == "start" and parity == 0 and source.random() < 0.3:
                    words.append("!")
                if words:
                    rules[actor, what, parity] = words
    if source.random() < 0.5 and not budget.get("fifo"):
        stale[source.choice(actors), "3"] = source.choice("12")
    left = {name: budget.get(name, 0) for name in ("losses", "duplicates", "crashes", "reorders")}
    return Rules(actors, rules, stale, left, 1, bool(budget.get("fifo")))


def words_of(world):
    lines = [f"actor {actor}" for actor in world.actors]
    lines += [f"{actor} {what} {parity} " + " ".join(words) for (actor, what, parity), words in world.rules.items()]
    lines += [f"stale {actor} {number} {killer}" for (actor, number), killer in world.stale.items()]
    options = [word for name, value in world.budget.items() for word in (f"--{name}", str(value))]
    return lines + options + (["--fifo"] if world.fifo else [])


class TooMany(Exception):
    pass


class Everything:
    """All that can happen: logs at rest, with and without losses; logs at any time; complete classes."""

    def __init__(self, world, most=30000):
        self.world, self.most = world, most
        self.ends, self.classes, self.states, self.rests = set(), set(), set(), set()
        self.seen = set()
        count = len(world.actors)
        state = State((), ((),) * count, (0,) * count, (0,) * count, (False,) * count, (), tuple(world.budget.values()), (), ())
        for actor in range(count):
            state = self.follow(state, actor, "start")
        self.walk(state)

    def left(self, state, name):
        return state.left[list(self.world.budget).index(name)]

    def spend(self, state, name, what, amount=1):
        left = list(state.left)
        left[list(self.world.budget).index(name)] -= amount
        return state._replace(left=tuple(left), order=state.order + ((name, what),))

    def follow(self, state, actor, what):
        name = self.world.actors[actor]
        for word in self.world.rules.get((name, what, len(state.log[actor]) % 2), ()):
            if word == "!":
                state = state._replace(timers=put(state.timers, actor, 1))
            else:
                to = self.world.actors.index(word[0])
                number = state.sent.count((actor, to)) + 1
                state = state._replace(network=state.network + ((actor, to, number, word[1:]),), sent=state.sent + ((actor, to),))
        return state

    def is_stale(self, state, letter):
        killer = self.world.stale.get((self.world.actors[letter[1]], letter[3]))
        return killer is not None and killer in [word[-1] for word in state.log[letter[1]]]

    def receive(self, state, letter, again=False):
        if self.is_stale(state, letter):
            return state
        state = self.follow(state, letter[1], letter[3])
        return log(state, letter[1], (letter[0], letter[2], again, letter[3]))

    def steps(self, state):
        """(has to, state) for each event that is possible."""
        for i, letter in enumerate(state.network):
            older = [other for other in state.network[:i] if self.world.fifo and other[:2] == letter[:2]]
            rest = state._replace(network=state.network[:i] + state.network[i + 1:])
            kept = rest._replace(copies=rest.copies + (letter,))
            if state.down[letter[1]]:
                continue
            if not older:
                yield True, self.receive(kept, letter)
            if older and self.left(state, "reorders"):
                yield False, self.receive(self.spend(kept, "reorders", letter), letter)
            if older and self.left(state, "losses") >= len(older):
                fewer = kept._replace(network=tuple(other for other in kept.network if other not in older))
                yield False, self.receive(self.spend(fewer, "losses", letter, len(older)), letter)
        for letter in set(state.copies):
            if self.left(state, "duplicates") and not state.down[letter[1]] and not self.is_stale(state, letter):
                copies = list(state.copies)
                copies.remove(letter)
                yield False, self.receive(self.spend(state, "duplicates", letter)._replace(copies=tuple(copies)), letter, True)
        yield from self.steps_of_actors(state)

    def steps_of_actors(self, state):
        for actor in range(len(state.log)):
            if state.timers[actor] and state.fired[actor] < self.world.timeouts:
                fired = state._replace(timers=put(state.timers, actor, 0), fired=put(state.fired, actor, state.fired[actor] + 1))
                yield True, log(self.follow(fired, actor, "timer"), actor, ("timer",))
            if state.down[actor]:
                yield True, log(state._replace(down=put(state.down, actor, False)), actor, ("restart",))
            elif self.left(state, "crashes"):
                down = state._replace(down=put(state.down, actor, True), timers=put(state.timers, actor, 0))
                yield False, self.spend(down, "crashes", (actor, len(state.log[actor])))

    def walk(self, start):
        todo = [start]
        while todo:
            state = todo.pop()
            # Copies of what was received are kept only while they count.
            if not self.left(state, "duplicates"):
                state = state._replace(copies=())
            state = state._replace(copies=tuple(sorted(state.copies)))
            if not self.world.fifo:
                state = state._replace(network=tuple(sorted(one for one in state.network if not self.is_stale(state, one))))
            if state in self.seen:
                continue
            self.seen.add(state)
            if len(self.seen) > self.most:
                raise TooMany
            self.look_at(state)
            todo += [after for _, after in self.steps(state)]

    def look_at(self, state):
        self.states.add(tuple(map(len, state.log)))
        undelivered = [one for one in state.network if not self.is_stale(state, one)]
        waits = any(state.down) or any(t and f < self.world.timeouts for t, f in zip(state.timers, state.fired))
        if waits or len(undelivered) > self.left(state, "losses"):
            return
        self.rests.add(tuple(map(len, state.log)))
        if not undelivered and (not self.world.fifo or not state.network):
            self.ends.add("".join(f"{name}:" + "".join(f" {word[-1]}" for word in words) + "; "
                                  for name, words in zip(self.world.actors, state.log)))
            self.classes.add((state.log, tuple(sorted(state.order, key=lambda spent: spent[0]))))


def put(values, index, value):
    return values[:index] + (value,) + values[index + 1:]


def log(state, actor, what):
    return state._replace(log=put(state.log, actor, state.log[actor] + (what,)))
