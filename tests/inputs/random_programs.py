"""Random programs with inputs of small ranges, many in one file: main's argument says which one runs."""

RANGE = 3  # inputs go from 0 to this
SHARED = ("x", "y", "z")

HEAD = """#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
static _Atomic int x, y;
static _Atomic signed char z;
static int i0, i1, plain[4];
struct pair { short first; int second; };
static long taken(const char* name) { return plait_input_range(0, RANGE, name); }
static int twice(int v) { return v < 2 ? v + v : v - 1; }
__attribute__((noinline)) static unsigned char narrow(int v, long w) { return (unsigned char)(v * 3 + w); }
static int through(struct pair p) { struct pair q; memcpy(&q, &p, sizeof q); return q.first * 2 + q.second; }
"""


class Program:
    """One program: two or three threads, each a few statements."""

    def __init__(self, random, number):
        self.random = random
        self.number = number
        self.asserts = 0
        threads = random.choice((1, 2, 2, 2, 3))
        self.inputs = {"i0"} | ({"i1"} if random.random() < 0.6 else set())
        self.bodies = [self.body(1 + t, random.randint(1, 4)) for t in range(threads)]
        self.tail = self.body(0, random.randint(0, 3))

    def pick(self, *choices):
        return self.random.choice(choices)

    def atom(self):
        kinds = ["a", "b", "i0", str(self.random.randint(-2, 5)), "a"]
        if "i1" in self.inputs:
            kinds.append("i1")
        return self.random.choice(kinds)

    def value(self, depth=2):
        if depth == 0 or self.random.random() < 0.3:
            return self.atom()
        left, right = self.value(depth - 1), self.value(depth - 1)
        kind = self.random.randint(0, 13)
        if kind <= 5:
            return f"({left} {self.pick('+', '-', '*', '&', '|', '^')} {right})"
        if kind == 6:
            return f"({left} {self.pick('/', '%')} (({right} & 3) + 1))"
        if kind == 7:
            return f"((int)((unsigned){left} {self.pick('<<', '>>')} ({right} & 7)))"
        if kind == 8:
            return f"({self.condition(depth - 1)} ? {left} : {right})"
        if kind == 9:
            return f"(({self.pick('signed char', 'short', 'unsigned char', 'long')}){left})"
        if kind == 10:
            return f"twice({left})"
        if kind == 11:
            return f"narrow({left}, {right})"
        if kind == 12:
            return f"through((struct pair){{{left}, {right}}})"
        return f"((unsigned)({left}) % 7)"

    def condition(self, depth=1):
        return f"({self.value(depth)} {self.pick('==', '!=', '<', '<=', '>', '>=')} {self.value(depth)})"

    def order(self):
        return self.pick("memory_order_relaxed", "memory_order_seq_cst", "memory_order_seq_cst")

    def meeting(self):
        """Inputs meet constants in shared memory: values that are equal by chance, and who decides by them."""
        value = self.pick("i0", "i0", str(self.random.randint(0, 3)), "a", "i0 + 1", "i0 & 1")
        place, other = self.random.sample(SHARED, 2)
        if self.random.random() < 0.6:
            return f"atomic_store(&{place}, {value});"
        self.asserts += 1
        return (f"a = atomic_load(&{place});\nif (a == {self.random.randint(0, 3)}) {{ b = atomic_load(&{other});\n"
                f"plait_assert(b != {self.random.randint(0, 3)}); }}\n")

    def statement(self, depth):
        kind = self.random.randint(0, 14)
        place = self.random.choice(SHARED)
        local = self.pick("a", "b")
        if self.random.random() < 0.3:
            return self.meeting()
        if kind <= 2:
            return f"atomic_store_explicit(&{place}, {self.value()}, {self.order()});"
        if kind <= 5:
            return f"{local} = atomic_load_explicit(&{place}, {self.order()});"
        if kind == 6:
            operation = self.pick("add", "sub", "or", "and", "xor")
            return f"{local} = atomic_fetch_{operation}(&{place}, {self.value(1)});"
        if kind == 7:
            return f"{local} = atomic_exchange(&{place}, {self.value(1)});"
        if kind == 8:
            wanted = "int" if place != "z" else "signed char"
            return f"{{ {wanted} e = {self.value(1)}; {local} = atomic_compare_exchange_strong(&{place}, &e, {self.value(1)}) ? 9 : e; }}"
        if kind == 9:
            return f"{{ int row[4] = {{1, 2, a, 4}}; row[{self.value(1)} & 3] = b; {local} = row[{self.value(1)} & 3]; }}"
        if kind == 10 and depth:
            return f"if {self.condition()} {{ {self.statement(depth - 1)} }} else {{ {self.statement(depth - 1)} }}"
        if kind == 11 and depth:
            return f"for (int n = 0; n < ({self.value(1)} & 1) + 1; ++n) {{ {self.statement(depth - 1)} }}"
        if kind == 12:
            cases = "".join(f"case {k}: {local} = {self.value(1)}; break; " for k in self.random.sample(range(4), 2))
            return f"switch ({self.value(1)}) {{ {cases}default: {local} = {self.value(1)}; }}"
        if kind == 13:
            return f"{local} = {self.value()};"
        self.asserts += 1
        return f"\nplait_assert(!({self.condition()} && {self.condition(0)}));\n"

    def body(self, thread, count):
        text = f"  int a = {self.random.randint(0, 2)}, b = 1;\n"
        if thread and self.random.random() < 0.3:
            text += f'  a = (int)taken("t{thread}");\n'
        for _ in range(count):
            text += f"  {self.statement(2)}\n"
        return text + "  (void)a, (void)b;\n"

    def text(self):
        n = self.number
        text = ""
        for t, body in enumerate(self.bodies):
            text += f"static void* p{n}_{t}(void* argument) {{\n{body}  (void)argument;\n  return 0;\n}}\n"
        text += f"static void p{n}(void) {{\n  pthread_t thread[{len(self.bodies)}];\n"
        for name in sorted(self.inputs):
            text += f'  {name} = (int)taken("{name}");\n'
        for t in range(len(self.bodies)):
            text += f"  pthread_create(&thread[{t}], 0, p{n}_{t}, 0);\n"
        text += f"  {{\n{self.tail}  }}\n"
        for t in range(len(self.bodies)):
            text += f"  pthread_join(thread[{t}], 0);\n"
        text += '  printf("%d %d %d\\n", x == y, y > 2, z & 1);\n}\n'
        return text

    def names(self):
        taken = [f"t{t}" for t, body in enumerate(self.bodies, 1) if f'taken("t{t}")' in body]
        return sorted(self.inputs) + taken


def source(programs):
    text = f"#define RANGE {RANGE}\n" + HEAD
    for program in programs:
        text += program.text()
    text += "int main(int count, char** words) {\n  switch ((words[1][0] - '0') * 10 + words[1][1] - '0') {\n"
    for program in programs:
        text += f"    case {program.number}: p{program.number}(); break;\n"
    return text + "  }\n  return count > 9;\n}\n"
