"""One C program that runs any of the shapes: its argument is the shape's name, its output the outcome.

Threads hand their registers to main in their return values: through memory they would be stores, too.
"""
ORDERS = {"rlx": "__ATOMIC_RELAXED", "rel": "__ATOMIC_RELEASE", "acq": "__ATOMIC_ACQUIRE", "sc": "__ATOMIC_SEQ_CST"}
FENCES = {"fence.sc": "__ATOMIC_SEQ_CST", "fence.rel": "__ATOMIC_RELEASE", "fence.acq": "__ATOMIC_ACQUIRE",
          "fence.ar": "__ATOMIC_ACQ_REL"}
PLAIN_STATEMENTS = {
    "mfence": "_mm_mfence();",
    "sfence": "_mm_sfence();",
    "lfence": "_mm_lfence();",
    "sync": "__sync_synchronize();",
    "signal-fence": "__atomic_signal_fence(__ATOMIC_SEQ_CST);",
    "compiler": '__asm__ volatile("" ::: "memory");',
    "lock": "pthread_mutex_lock(&mutex_{0});",
    "unlock": "pthread_mutex_unlock(&mutex_{0});",
    "read-lock": "pthread_rwlock_rdlock(&rwlock_{0});",
    "read-unlock": "pthread_rwlock_unlock(&rwlock_{0});",
    "post": "sem_post(&semaphore_{0});",
    "wait": "sem_wait(&semaphore_{0});",
    "notify": "pthread_cond_signal(&condition_{0});",
    "once": "pthread_once(&once_{0}, nothing);",
    "wake": "syscall(SYS_futex, &futex_{0}, FUTEX_WAKE, 1, NULL, NULL, 0);",
    "atomic-begin": "plait_atomic_begin();",
    "atomic-end": "plait_atomic_end();",
    "malloc": "block = malloc(1);",
    "free-own": "free(block), block = NULL;",
    "free": "free(variable_{0});",
    "yield": "sched_yield();",
}
HEAD = """#include <immintrin.h>
#include <linux/futex.h>
#include <plait.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Of any alignment, and of any memory.
typedef uint8_t __attribute__((may_alias)) bytes1;
typedef uint16_t __attribute__((may_alias, aligned(1))) bytes2;
typedef uint32_t __attribute__((may_alias, aligned(1))) bytes4;
typedef uint64_t __attribute__((may_alias, aligned(1))) bytes8;
typedef uint32_t __attribute__((may_alias)) word;  // for atomic accesses

#define START(routine) ({ pthread_t thread; if (pthread_create(&thread, NULL, routine, NULL)) abort(); thread; })
#define JOIN(thread) ({ void* value; if (pthread_join(thread, &value)) abort(); (uint64_t)(uintptr_t)value; })

static void nothing(void) {}
"""


def value_text(value):
    return f"(r{value[0]} + {value[1]})" if isinstance(value, tuple) else str(value)


def statement_text(one, shape):
    pointer = f"(variable_{one.variable} + {one.offset})"
    values = [value_text(value) for value in one.values]
    place = f"*(bytes{one.size}*){pointer}"
    atomic = f"(word*){pointer}"
    order = ORDERS.get(one.order)
    if one.order == "vol":
        place = f"*(volatile word*){pointer}"
    if one.kind == "load":
        text = f"r{one.register} = " + (f"__atomic_load_n({atomic}, {order});" if order else f"{place};")
    elif one.kind == "store":
        text = f"__atomic_store_n({atomic}, {values[0]}, {order});" if order else f"{place} = {values[0]};"
    elif one.kind == "xchg":
        text = f"r{one.register} = __atomic_exchange_n({atomic}, {values[0]}, {order});"
    elif one.kind == "add":
        text = f"r{one.register} = __atomic_fetch_add({atomic}, {values[0]}, {order});"
    elif one.kind == "cas":
        text = (f"{{ word old = {values[0]}; __atomic_compare_exchange_n({atomic}, &old, {values[1]}, 0, {order}, {order}); "
                f"r{one.register} = old; }}")
    elif one.kind == "set":
        text = f"memset(variable_{one.variable}, {values[0]}, 16);"
    elif one.kind == "copy":
        text = f"memcpy(variable_{one.variable}, all_{values[0]}, 16);"
    elif one.kind in FENCES:
        text = f"__atomic_thread_fence({FENCES[one.kind]});"
    elif one.kind == "fork":
        text = f"child_{one.variable} = START({routine(shape, int(one.variable))});"
    elif one.kind == "join":
        text = f"result |= JOIN(child_{one.variable});"
    else:
        text = PLAIN_STATEMENTS[one.kind].format(one.variable)
    return f"if (r{one.guard[0]} == {one.guard[1]}) {text}" if one.guard else text


def routine(shape, t):
    return "shape_" + "".join(c if c.isalnum() else "_" for c in shape.name) + f"_P{t}"


def width(shape):
    """Bits of a result."""
    return 64 // max(1, len(shape.registers))


def thread_text(shape, t):
    code = shape.threads[t]
    own = [r for thread, r in shape.registers if thread == t]
    forked = [one.variable for one in code if one.kind == "fork"]
    joined = [one.variable for one in code if one.kind == "join"]
    kinds = {one.kind for one in code}
    lines = [f"static void* {routine(shape, t)}(void* unused) {{", "  (void)unused;", "  uint64_t result = 0;"]
    lines += [f"  uint64_t r{r} = 0;" for r in own]
    lines += [f"  pthread_t child_{child};" for child in forked]
    # What is freed was allocated before anything else happened.
    if kinds & {"malloc", "free-own"}:
        lines.append("  void* volatile block = " + ("malloc(1);" if "free-own" in kinds else "NULL;"))
    lines += ["  " + statement_text(one, shape) for one in code]
    lines += [f"  result |= JOIN(child_{child});" for child in forked if child not in joined]
    for index, (thread, r) in enumerate(shape.registers):
        if thread == t:
            lines.append(f"  result |= r{r} << {index * width(shape)};")
    return lines + ["  return (void*)(uintptr_t)result;", "}", ""]


def main_text(shape):
    started = [t for t in range(len(shape.threads)) if t not in shape.forked]
    name = routine(shape, 0)[:-3]
    lines = [f"static void {name}(void) {{", "  uint64_t result = 0;"]
    lines += [f"  *(word*)variable_{variable} = {value};" for variable, value in shape.start.items()]
    lines += [f"  const pthread_t child_{t} = START({routine(shape, t)});" for t in started]
    lines += [f"  result |= JOIN(child_{t});" for t in started]
    mask = "~0ull" if width(shape) == 64 else f"{(1 << width(shape)) - 1}ull"
    prints = [f"(unsigned long long)(result >> {index * width(shape)} & {mask})" for index in range(len(shape.registers))]
    prints += [f"(unsigned long long)*(word*)variable_{variable}" for variable in shape.finals]
    form = ",".join(["%llx"] * len(prints))
    if not shape.registers:
        lines.append("  (void)result;")
    return lines + [f'  printf("{form}\\n", {", ".join(prints)});', "}", ""]


OBJECTS = (("mutex_", ("lock",), "static pthread_mutex_t mutex_{} = PTHREAD_MUTEX_INITIALIZER;"),
           ("rwlock_", ("read-lock",), "static pthread_rwlock_t rwlock_{} = PTHREAD_RWLOCK_INITIALIZER;"),
           ("semaphore_", ("post", "wait"), "static sem_t semaphore_{};"),
           ("condition_", ("notify",), "static pthread_cond_t condition_{} = PTHREAD_COND_INITIALIZER;"),
           ("once_", ("once",), "static pthread_once_t once_{} = PTHREAD_ONCE_INIT;"),
           ("futex_", ("wake",), "static uint32_t futex_{};"))
HEAP = "p"
ACCESSES = ("load", "store", "xchg", "add", "cas", "set", "copy")


def program_text(shapes):
    every = [one for shape in shapes for code in shape.threads for one in code]

    def names(kinds):
        return sorted({one.variable for one in every if one.kind in kinds})

    lines = [HEAD]
    lines += [f"static _Alignas(64) unsigned char variable_{name}[64];" for name in names(ACCESSES) if name != HEAP]
    lines.append(f"static unsigned char* variable_{HEAP};")
    for value in sorted({one.values[0] for one in every if one.kind == "copy"}):
        lines.append(f"static const unsigned char all_{value}[16] = {{{', '.join([str(value)] * 16)}}};")
    for _, kinds, text in OBJECTS:
        lines += [text.format(name) for name in names(kinds)]
    lines.append("")
    for shape in shapes:
        for t in reversed(range(len(shape.threads))):  # a thread forks later ones
            lines += thread_text(shape, t)
        lines += main_text(shape)
    lines += ["int main(int argc, char** argv) {", "  if (argc != 2) return 2;",
              f"  variable_{HEAP} = calloc(1, 16);"]
    lines += [f"  sem_init(&semaphore_{name}, 0, 0);" for name in names(("post", "wait"))]
    lines += [f'  if (!strcmp(argv[1], "{shape.name}")) return {routine(shape, 0)[:-3]}(), 0;' for shape in shapes]
    return "\n".join(lines + ["  return 2;", "}", ""])
