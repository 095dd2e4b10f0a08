#!/usr/bin/env python3
"""One C program with many small random ones in it: `prog N` is program N. Two threads, shared variables, some under a
lock, decisions on what was read, addresses from what was read, helpers with parameters and results, private memory."""
import random

NAMES = ("a", "b", "c")


class Body:
    """Statements of one thread."""

    def __init__(self, rng, lines):
        self.rng, self.lines, self.locals = rng, lines, 0

    def value(self):
        choices = [str(self.rng.randrange(3))]
        choices += [f"v{i}" for i in range(self.locals)] * 2
        text = self.rng.choice(choices)
        kind = self.rng.randrange(6)
        if kind == 0:
            return f"({text} + 1)"
        if kind == 1:
            return f"helper({text})"
        if kind == 2:
            return f"({text} > 1 ? 1 : 2)"
        return text

    def place(self):
        if self.rng.randrange(6) == 0 and self.locals:
            return f"array[v{self.rng.randrange(self.locals)} & 1]"
        return self.rng.choice(NAMES)

    def read(self):
        name = f"v{self.locals}"
        kind = self.rng.randrange(5)
        if kind == 0:
            self.lines.append(f"int {name} = __atomic_fetch_add(&counter, {self.value()}, __ATOMIC_SEQ_CST);")
        elif kind == 1:
            self.lines.append(f"own[{self.locals}] = {self.place()}; int {name} = own[{self.locals}];")
        elif kind == 2:
            self.lines.append(f"int {name} = look(&{self.place()});")
        else:
            self.lines.append(f"int {name} = {self.place()};")
        self.locals += 1

    def statement(self):
        kind = self.rng.randrange(12)
        if kind < 3:
            self.read()
        elif kind < 6:
            self.lines.append(f"{self.place()} = {self.value()};")
        elif kind < 10:
            self.lines.append(f"if ({self.value()} == {self.rng.randrange(3)}) {self.place()} = {self.value()};")
        elif kind == 10:
            self.lines.append(f"own[{self.rng.randrange(3)}] = {self.value()};")
        else:
            self.lines.append(f"pthread_mutex_lock(&mutex); {self.place()} = {self.value()}; pthread_mutex_unlock(&mutex);")


HEAD = """#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int a, b, c, array[2];
static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) static int helper(int value) { return value == 1 ? 2 : value; }
__attribute__((noinline)) static int look(volatile int* at) { return *at; }
"""


def source(count, seed):
    rng = random.Random(seed)
    text = [HEAD]
    for number in range(count):
        for thread in range(2):
            lines = []
            body = Body(rng, lines)
            body.read()
            for _ in range(rng.randrange(2, 5)):
                body.statement()
            kept = f"(void*)(long)v{rng.randrange(body.locals)}" if rng.randrange(2) else "NULL"
            text.append(f"static void* thread_{number}_{thread}(void* unused) {{\n  int* own = calloc(8, sizeof *own);\n  (void)unused;\n  "
                        + "\n  ".join(lines) + f"\n  free(own);\n  return {kept};\n}}\n")
    text.append("typedef void* Routine(void*);\nstatic Routine* const routines[][2] = {\n")
    text += [f"    {{thread_{number}_0, thread_{number}_1}},\n" for number in range(count)]
    text.append("};\n")
    text.append("""int main(int argc, char** argv) {
  Routine* const* chosen = routines[argc > 1 ? atoi(argv[1]) : 0];
  pthread_t threads[2];
  void* results[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, chosen[i], NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], &results[i]);
  printf("%d %d %d %d %d %d %ld %ld\\n", a, b, c, array[0], array[1], counter, (long)results[0], (long)results[1]);
  return 0;
}
""")
    return "".join(text)


if __name__ == "__main__":
    import sys
    print(source(int(sys.argv[1]), int(sys.argv[2])), end="")
