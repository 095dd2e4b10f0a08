// Interprets one program of the sweep (its text form is described in program.h) with real threads.
//
// Only the operations of the program may be visible to Plait. Hence: the decoded program is built by main before the
// first fork and only read afterwards; registers live on each thread's own stack; a thread hands its registers to the
// thread that joins it in its return value (12 bits per thread), not through memory.
//
// Lines that access a variable say so in a comment: that is how the sweep knows which accesses a race report means.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

static struct thread threads[kThreads];
static struct variable variables[4];
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t conditions[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static sem_t semaphores[2];
static pthread_rwlock_t rwlocks[1] = {PTHREAD_RWLOCK_INITIALIZER};
static pthread_barrier_t barriers[1];

static void fail(const char* message) {
  fprintf(stderr, "interp: %s\n", message);
  abort();  // a bug in the eyes of Plait, so that it cannot pass unnoticed
}

static unsigned number_of(unsigned value) { return (value ^ value >> 8) & kMask; }
static unsigned char* bytes_of(unsigned variable) { return (unsigned char*)&variables[variable].value; }

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
    for (int i = 0; i < 4 && *p >= '0' && *p <= '9'; ++i) operation->arg[i] = (unsigned char)(*p++ - '0');
  }
  for (int i = 0; i < kThreads; ++i) threads[i].number = i;
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
        registers[b] = number_of(variables[a].value);  // access l
        break;
      case 'L':
        registers[b] = number_of(__atomic_load_n(&variables[a].value, kOrder));  // access L
        break;
      case 'Q':
        registers[b] = number_of(__atomic_load_n(&variables[a].value, __ATOMIC_RELAXED));  // access Q
        break;
      case 'H':
        registers[c] = bytes_of(a)[b] & kMask;  // access H
        break;
      case 's':
        variables[a].value = b;  // access s
        break;
      case 'A':
        __atomic_store_n(&variables[a].value, b, kOrder);  // access A
        break;
      case 'R':
        __atomic_store_n(&variables[a].value, b, __ATOMIC_RELAXED);  // access R
        break;
      case 'U':
        __atomic_store_n(&variables[a].value, b, __ATOMIC_RELEASE);  // access U
        break;
      case 'h':
        bytes_of(a)[b] = (unsigned char)c;  // access h
        break;
      case 'S':
        variables[a].value = registers[b] + c;  // access S
        break;
      case 'a': {
        const unsigned old = variables[a].value;  // access a
        variables[a].value = old + b;             // access +
        break;
      }
      case 'F':
        registers[c] = number_of(__atomic_fetch_add(&variables[a].value, b, kOrder));  // access F
        break;
      case 'C': {
        unsigned expected = b;
        __atomic_compare_exchange_n(&variables[a].value, &expected, c, 0, kOrder, kOrder);  // access C
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
        pthread_mutex_lock(&mutexes[a]);
        break;
      case 'u':
        pthread_mutex_unlock(&mutexes[a]);
        break;
      case 't':
        registers[b] = pthread_mutex_trylock(&mutexes[a]) == 0;
        break;
      case 'w':
        pthread_cond_wait(&conditions[a], &mutexes[b]);
        break;
      case 'E': {
        const struct timespec deadline = {1, 0};  // long ago for a real clock, and any time for Plait's
        registers[c] = pthread_cond_timedwait(&conditions[a], &mutexes[b], &deadline) == ETIMEDOUT;
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
        pthread_cond_signal(&conditions[a]);
        break;
      case 'b':
        pthread_cond_broadcast(&conditions[a]);
        break;
      case 'P':
        sem_post(&semaphores[a]);
        break;
      case 'W':
        sem_wait(&semaphores[a]);
        break;
      case 'T':
        registers[b] = sem_trywait(&semaphores[a]) == 0;
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
      default:
        fail("unknown operation");
    }
  }
  for (int i = 0; i < kRegisters; ++i) result |= (uint64_t)registers[i] << (4 * (kRegisters * self->number + i));
  return (void*)(uintptr_t)result;
}

int main(int argc, char** argv) {
  if (argc != 2) fail("usage: interp PROGRAM");
  decode(argv[1]);
  for (unsigned i = 0; i < 2; ++i) sem_init(&semaphores[i], 0, i);
  pthread_barrier_init(&barriers[0], NULL, 2);
  const uint64_t result = (uint64_t)(uintptr_t)run(&threads[0]);
  printf("%015llx\n", (unsigned long long)result);
  return 0;
}
