// Interprets one program of the sweep (its text form is described in program.h) with real threads.
// Long because it has a case for each operation of the sweep, and must be one file for the wrapper.
//
// Only the operations of the program may be visible to Plait. Hence: the decoded program is built by main before the
// first fork and only read afterwards; registers live on each thread's own stack; a thread hands its registers to the
// thread that joins it in its return value (12 bits per thread), not through memory.
//
// Lines that access a variable say so in a comment, and so do those that can fail otherwise: that is how the sweep knows
// which accesses a race report means, and where a failure is. (Also in interp_library.c.)
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fenv.h>
#include <plait.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "interp_library.h"

enum { kThreads = 5, kRegisters = 3, kOperations = 64, kMask = 15, kOrder = __ATOMIC_SEQ_CST };

struct operation {
  char code;
  unsigned char arg[4];
};

struct thread {
  int number;
  int count;
  struct operation operations[kOperations];
};

// One cache line each: neighbours must not look shared.
struct variable {
  _Alignas(64) unsigned value;
};

struct block {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  sem_t semaphore;
  unsigned value;
};

struct padded {
  unsigned char first;
  unsigned second;
};

union record {
  _Alignas(64) struct padded members;
  uint64_t whole;
};

static struct thread threads[kThreads];
static struct block* blocks[2];
static pthread_mutex_t recursive;
static pthread_t handles[kThreads];
static int first_descriptor;
static int* const nowhere = NULL;
static const int roundings[4] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
static const char* const directories[4] = {"/", "/usr", "/tmp", "/etc"};
static struct variable variables[4];
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t conditions[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static sem_t semaphores[2];
static pthread_rwlock_t rwlocks[1] = {PTHREAD_RWLOCK_INITIALIZER};
static pthread_barrier_t barriers[1];
static unsigned* pointers[2];
static union record records[2];
static unsigned* locals[kThreads];

// A static variable of a function, as a compiler of C++ makes it.
struct guarded {
  _Alignas(64) uint64_t guard;
  unsigned value;
};
static struct guarded statics[2];
extern int __cxa_guard_acquire(uint64_t*);
extern void __cxa_guard_release(uint64_t*);
extern int __cxa_atexit(void (*)(void*), void*, void*);
extern void* __dso_handle;

static void fail(const char* message) {
  fprintf(stderr, "interp: %s\n", message);
  abort();  // a bug in the eyes of Plait, so that it cannot pass unnoticed
}

static unsigned* address_of(unsigned variable) {
  return variable < 4 ? &variables[variable].value : &blocks[variable - 4]->value;
}

static pthread_mutex_t* mutex_of(unsigned mutex) {
  return mutex < 2 ? &mutexes[mutex] : mutex < 4 ? &blocks[mutex - 2]->mutex : &recursive;
}

static pthread_cond_t* condition_of(unsigned condition) {
  return condition < 2 ? &conditions[condition] : &blocks[condition - 2]->condition;
}

static sem_t* semaphore_of(unsigned semaphore) {
  return semaphore < 2 ? &semaphores[semaphore] : &blocks[semaphore - 2]->semaphore;
}

static unsigned number_of(unsigned value) { return (value ^ value >> 8) & kMask; }
static unsigned char* bytes_of(unsigned variable) { return (unsigned char*)address_of(variable); }

static void decode(const char* text) {
  int number = 0;
  for (const char* p = text; *p;) {
    if (*p == ' ') {
      ++p;
      continue;
    }
    if (*p == '/') {
      if (++number == kThreads) fail("too many threads");
      ++p;
      continue;
    }
    struct thread* thread = &threads[number];
    if (thread->count == kOperations) fail("too many operations");
    struct operation* operation = &thread->operations[thread->count++];
    operation->code = *p++;
    for (int i = 0; i < 4 && *p && *p != ' '; ++i, ++p) operation->arg[i] = (unsigned char)(*p <= '9' ? *p - '0' : *p - 'A' + 10);
  }
  for (int i = 0; i < kThreads; ++i) threads[i].number = i;
}

static unsigned index_of_directory(void) {
  char name[256];
  if (!getcwd(name, sizeof name)) fail("getcwd");
  for (unsigned i = 0; i < 4; ++i)
    if (!strcmp(name, directories[i])) return i;
  return kMask;
}

static void at_end_0(void) { printf("h0\n"); }
static void at_end_1(void) { printf("h1\n"); }
static void at_end_2(void) { printf("h2\n"); }
static void at_end_3(void) { printf("h3\n"); }
static void (*const handlers[4])(void) = {at_end_0, at_end_1, at_end_2, at_end_3};

static uint64_t packed(const unsigned* registers, int number) {
  uint64_t result = 0;
  for (int i = 0; i < kRegisters; ++i) result |= (uint64_t)registers[i] << (4 * (kRegisters * number + i));
  return result;
}

static void* run(void* argument);

static void fork_detached(const struct thread* thread) {
  pthread_t handle;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const int late = thread->number % 2;
  pthread_attr_setdetachstate(&attributes, late ? PTHREAD_CREATE_JOINABLE : PTHREAD_CREATE_DETACHED);
  if (pthread_create(&handle, &attributes, run, (void*)thread)) fail("pthread_create");
  if (late) pthread_detach(handle);
}

/// The local variable dies when this returns.
static __attribute__((noinline)) void fork_with_local(const struct thread* thread, unsigned loads, pthread_t* handle) {
  unsigned local = 0;
  locals[thread->number] = &local;
  if (pthread_create(handle, NULL, run, (void*)thread)) fail("pthread_create");
  for (unsigned i = 0; i < loads; ++i) __atomic_load_n(address_of(0), kOrder);  // access <
}

static void point_to_new(unsigned pointer, unsigned value) {
  unsigned* cell = malloc(sizeof *cell);
  *cell = value;
  __atomic_store_n(&pointers[pointer], cell, kOrder);
}

static __attribute__((noinline)) void copy_struct(struct padded* to, const struct padded* from) {
  *to = *from;  // access _
}

static void destroy_static(void* object) { printf("s%d\n", (int)((struct guarded*)object - statics)); }

static struct guarded* static_of(unsigned number) {
  struct guarded* object = &statics[number];
  if (!__atomic_load_n((char*)&object->guard, __ATOMIC_ACQUIRE) && __cxa_guard_acquire(&object->guard)) {
    object->value = number_of(__atomic_fetch_add(address_of(number), 1, kOrder) + 1);  // access O
    __cxa_atexit(destroy_static, object, &__dso_handle);
    __cxa_guard_release(&object->guard);
  }
  return object;
}

static void fail_if(int condition, unsigned way) {
  switch (way) {
    case 0:
      assert(!condition);  // site X0
      break;
    case 1:
      if (condition) abort();  // site X1
      break;
    default:
      if (condition) *(volatile int*)nowhere = 1;  // site X2
      break;
  }
}

static void* run(void* argument) {
  const struct thread* self = argument;
  unsigned registers[kRegisters] = {0};
  unsigned char turns[kOperations] = {0};  // of the loops
  pthread_t children[kThreads];
  int forked = 0, joined = 0;
  uint64_t result = 0;
  for (int pc = 0; pc <= self->count; ++pc) {
    // The thread's end joins too.
    const struct operation end = {'j', {0}};
    const struct operation* op = pc < self->count ? &self->operations[pc] : &end;
    const unsigned a = op->arg[0], b = op->arg[1], c = op->arg[2], d = op->arg[3];
    switch (op->code) {
      case 'l':
        registers[b] = number_of(*address_of(a));  // access l
        break;
      case 'L':
        registers[b] = number_of(__atomic_load_n(address_of(a), kOrder));  // access L
        break;
      case 'Q':
        registers[b] = number_of(__atomic_load_n(address_of(a), __ATOMIC_RELAXED));  // access Q
        break;
      case 'H':
        registers[c] = bytes_of(a)[b] & kMask;  // access H
        break;
      case 's':
        *address_of(a) = b;  // access s
        break;
      case 'A':
        __atomic_store_n(address_of(a), b, kOrder);  // access A
        break;
      case 'R':
        __atomic_store_n(address_of(a), b, __ATOMIC_RELAXED);  // access R
        break;
      case 'U':
        __atomic_store_n(address_of(a), b, __ATOMIC_RELEASE);  // access U
        break;
      case 'h':
        bytes_of(a)[b] = (unsigned char)c;  // access h
        break;
      case 'S':
        *address_of(a) = registers[b] + c;  // access S
        break;
      case 'a': {
        const unsigned old = *address_of(a);  // access a
        *address_of(a) = old + b;             // access +
        break;
      }
      case 'F':
        registers[c] = number_of(__atomic_fetch_add(address_of(a), b, kOrder));  // access F
        break;
      case 'C': {
        unsigned expected = b;
        __atomic_compare_exchange_n(address_of(a), &expected, c, 0, kOrder, kOrder);  // access C
        registers[d] = number_of(expected);
        break;
      }
      case 'M':
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        break;
      case 'N':
        __atomic_thread_fence(__ATOMIC_RELEASE);
        break;
      case 'k':
        pthread_mutex_lock(mutex_of(a));  // site k
        break;
      case 'u':
        pthread_mutex_unlock(mutex_of(a));  // site u
        break;
      case 't':
        registers[b] = pthread_mutex_trylock(mutex_of(a)) == 0;  // site t
        break;
      case 'w':
        pthread_cond_wait(condition_of(a), mutex_of(b));  // site w
        break;
      case 'E': {
        const struct timespec deadline = {1, 0};  // long ago for a real clock, and any time for Plait's
        registers[c] = pthread_cond_timedwait(condition_of(a), mutex_of(b), &deadline) == ETIMEDOUT;  // site E
        break;
      }
      case 'r':
        pthread_rwlock_rdlock(&rwlocks[a]);
        break;
      case 'x':
        pthread_rwlock_wrlock(&rwlocks[a]);
        break;
      case 'z':
        pthread_rwlock_unlock(&rwlocks[a]);
        break;
      case 'B':
        registers[b] = pthread_barrier_wait(&barriers[a]) == PTHREAD_BARRIER_SERIAL_THREAD;
        break;
      case 'g':
        pthread_cond_signal(condition_of(a));  // site g
        break;
      case 'b':
        pthread_cond_broadcast(condition_of(a));  // site b
        break;
      case 'P':
        sem_post(semaphore_of(a));  // site P
        break;
      case 'W':
        sem_wait(semaphore_of(a));  // site W
        break;
      case 'T':
        registers[b] = sem_trywait(semaphore_of(a)) == 0;  // site T
        break;
      case '?':
        if (registers[a] != b) pc += (int)c;
        if (pc >= self->count) pc = self->count - 1;
        break;
      case 'o':
        if (turns[pc]++ < b)
          pc -= (int)a + 1;
        else
          turns[pc] = 0;
        break;
      case 'y':
        if (registers[a] != b && turns[pc]++ < d)
          pc -= (int)c + 1;
        else
          turns[pc] = 0;
        break;
      case 'i':
        if (++registers[a] < b) pc -= (int)c + 1;
        registers[a] &= kMask;
        break;
      case 'f':
        if (pthread_create(&children[forked++], NULL, run, (void*)&threads[a])) fail("pthread_create");
        break;
      case 'j':
        for (; joined < forked; ++joined) {
          void* value;
          if (pthread_join(children[joined], &value)) fail("pthread_join");
          result |= (uint64_t)(uintptr_t)value;
        }
        break;
      case 'V':
        plait_assume(registers[a] == b);
        break;
      case 'X':
        fail_if(registers[a] == b, c);
        break;
      case 'e':
        printf("%d:%x%x%x\n", self->number, registers[0], registers[1], registers[2]);
        exit(0);
      case 'q':
        return (void*)(uintptr_t)(result | packed(registers, self->number));
      case 'p':
        pthread_exit((void*)(uintptr_t)(result | packed(registers, self->number)));
      case 'd':
        fork_detached(&threads[a]);
        break;
      case '>':
        if (pthread_create(&handles[a], NULL, run, (void*)&threads[a])) fail("pthread_create");  // access >
        break;
      case '(': {
        void* value;
        const pthread_t handle = handles[a];  // access (
        if (pthread_join(handle, &value)) fail("pthread_join");
        result |= (uint64_t)(uintptr_t)value;
        break;
      }
      case 'n':
        free(blocks[a]);  // site n
        break;
      case 'Y':
        pthread_mutex_destroy(mutex_of(a));  // site Y
        break;
      case '~':
        if (registers[a] != b) pc -= (int)c + 1;
        break;
      case '{':
        plait_atomic_begin();
        break;
      case '}':
        plait_atomic_end();
        break;
      case '$': {
        const char value[] = {(char)('0' + a), 0};
        if (setenv("PLAIT_SWEEP_VALUE", value, 1)) fail("setenv");
        break;
      }
      case '%': {
        const char* value = getenv("PLAIT_SWEEP_VALUE");
        registers[a] = value ? (unsigned)(value[0] - '0') : kMask;
        break;
      }
      case '&':
        registers[b] = umask(a);
        break;
      case '@':
        if (chdir(directories[a])) fail("chdir");
        break;
      case '^':
        registers[a] = index_of_directory();
        break;
      case '!':
        registers[a] = (unsigned)(dup(0) - first_descriptor) & kMask;
        break;
      case ';':
        registers[b] = close(first_descriptor + (int)a) == 0;
        break;
      case '#':
        fesetround(roundings[a]);
        break;
      case ':':
        for (unsigned i = 0; i < 4; ++i)
          if (roundings[i] == fegetround()) registers[a] = i;
        break;
      case '=':
        written_by_library(b, &registers[a], c);
        break;
      case '|':
        written_by_library(b, address_of(a), c);
        break;
      case ',':
        atexit(handlers[a]);
        break;
      case ')':
        registers[c] = number_of(read_by_library(b, address_of(a)));
        break;
      case 'm':
        point_to_new(a, b);
        break;
      case 'c': {
        const unsigned* cell = __atomic_load_n(&pointers[a], kOrder);
        registers[b] = cell ? number_of(*cell) : kMask;  // access c
        break;
      }
      case 'v': {
        unsigned* cell = __atomic_load_n(&pointers[a], kOrder);
        if (cell) *cell = b;  // access v
        break;
      }
      case 'D': {
        unsigned* cell = __atomic_exchange_n(&pointers[a], NULL, kOrder);
        if (cell) free(cell);  // site D
        break;
      }
      case 'G': {
        unsigned* cell = __atomic_load_n(&pointers[a], kOrder);
        if (cell) free(cell);  // site G
        break;
      }
      case 'O':
        registers[b] = static_of(a)->value & kMask;
        break;
      case 'I':
        records[a].members.first = (unsigned char)b;  // access I
        break;
      case 'J':
        records[a].members.second = b;  // access J
        break;
      case 'K':
        records[a].whole = b | (uint64_t)b << 32;  // access K
        break;
      case 'Z': {
        const uint64_t whole = records[a].whole;  // access Z
        registers[b] = ((unsigned)(whole & 0xff) + (unsigned)(whole >> 32)) & kMask;
        break;
      }
      case '_': {
        struct padded copy;
        copy_struct(&copy, &records[a].members);
        registers[b] = (copy.first + copy.second) & kMask;
        break;
      }
      case '<':
        fork_with_local(&threads[a], b, &children[forked++]);
        break;
      case '[':
        registers[a] = number_of(*locals[self->number]);  // access [
        break;
      case ']':
        *locals[self->number] = a;  // access ]
        break;
      default:
        fail("unknown operation");
    }
  }
  return (void*)(uintptr_t)(result | packed(registers, self->number));
}

int main(int argc, char** argv) {
  if (argc != 2) fail("usage: interp PROGRAM");
  decode(argv[1]);
  for (unsigned i = 0; i < 2; ++i) sem_init(&semaphores[i], 0, i);
  pthread_barrier_init(&barriers[0], NULL, 2);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  for (int i = 0; i < 2; ++i) {
    blocks[i] = malloc(sizeof(struct block));
    pthread_mutex_init(&blocks[i]->mutex, NULL);
    pthread_cond_init(&blocks[i]->condition, NULL);
    sem_init(&blocks[i]->semaphore, 0, (unsigned)i);
    blocks[i]->value = 0;
  }
  umask(0);
  first_descriptor = dup(0);
  close(first_descriptor);
  const uint64_t result = (uint64_t)(uintptr_t)run(&threads[0]);
  printf("%015llx\n", (unsigned long long)result);
  return 0;
}
