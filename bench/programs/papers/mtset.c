// MTSet: benchmarks 1.6, the core with hash sets in place of lists: two sets, each with a lock of its own, and THREADS
// threads with one call each. Calls that look at the other set do so without its lock. FIXED: they take it, in a fixed
// order. PROPERTY: what the Java library reports by an exception is a failure.
#include "start.h"
#ifndef THREADS
#define THREADS 2
#endif
enum { kFine, kModified, kNoElement };
enum { kBuckets = 2, kEntries = 16 };

// Entries have numbers from 1; 0 is the end of a chain.
struct Entry {
  shared_int next, key;
};
struct Set {
  shared_int bucket[kBuckets], size, modifications;
};
static struct Entry entry[kEntries];
static struct Set sets[2];
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static int contains(const struct Set* set, int key) {
  for (int at = set->bucket[key % kBuckets]; at != 0; at = entry[at].next)
    if (entry[at].key == key) return 1;
  return 0;
}

static void add(struct Set* set, int fresh, int key) {
  if (contains(set, key)) return;
  set->modifications = set->modifications + 1;
  entry[fresh].key = key;
  entry[fresh].next = set->bucket[key % kBuckets];
  set->bucket[key % kBuckets] = fresh;
  set->size = set->size + 1;
}

static void clear(struct Set* set) {
  set->modifications = set->modifications + 1;
  for (int i = 0; i < kBuckets; ++i) set->bucket[i] = 0;
  set->size = 0;
}

static void remove_key(struct Set* set, int key) {
  shared_int* link = &set->bucket[key % kBuckets];
  for (int at = *link; at != 0; at = *link) {
    if (entry[at].key == key) {
      set->modifications = set->modifications + 1;
      *link = entry[at].next;
      set->size = set->size - 1;
      return;
    }
    link = &entry[at].next;
  }
}

struct Iterator {
  const struct Set* set;
  int expected, bucket, next;
};

static void to_next_chain(struct Iterator* i) {
  while (i->next == 0 && i->bucket > 0) i->next = i->set->bucket[--i->bucket];
}

static struct Iterator iterator(const struct Set* set) {
  struct Iterator i = {set, set->modifications, kBuckets, 0};
  if (set->size != 0) to_next_chain(&i);
  return i;
}

/// The key, or minus an error.
static int next(struct Iterator* i) {
  if (i->set->modifications != i->expected) return -kModified;
  if (i->next == 0) return -kNoElement;
  const int at = i->next;
  i->next = entry[at].next;
  to_next_chain(i);
  return entry[at].key;
}

static int contains_all(const struct Set* set, const struct Set* other) {
  struct Iterator i = iterator(other);
  while (i.next != 0) {
    const int key = next(&i);
    if (key < 0) return -key;
    if (!contains(set, key)) break;
  }
  return kFine;
}

static int add_all(struct Set* set, const struct Set* other, int fresh) {
  struct Iterator i = iterator(other);
  while (i.next != 0) {
    const int key = next(&i);
    if (key < 0) return -key;
    add(set, fresh++, key);
  }
  return kFine;
}

static long call(int number) {
  static const int on[] = {0, 1, 1, 1, 0};
  const int mine = on[number];
  struct Set* set = &sets[mine];
  const struct Set* other = &sets[1 - mine];
  long result = kFine;
#ifdef FIXED
  pthread_mutex_lock(&lock[0]);
  pthread_mutex_lock(&lock[1]);
#else
  pthread_mutex_lock(&lock[mine]);
#endif
  switch (number) {
    case 0: result = contains_all(set, other); break;
    case 1: clear(set); break;
    case 2: add(set, 10, 6); break;
    case 3: remove_key(set, 2); break;
    case 4: result = add_all(set, other, 11); break;
  }
#ifdef FIXED
  pthread_mutex_unlock(&lock[1]);
  pthread_mutex_unlock(&lock[0]);
#else
  pthread_mutex_unlock(&lock[mine]);
#endif
  return result;
}

static void* thread(void* number) { return (void*)call((int)(long)number); }

int main(void) {
  for (int i = 0; i < 2; ++i) {
    add(&sets[i], 1 + 2 * i, 2);
    add(&sets[i], 2 + 2 * i, 4);
  }
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, thread, (void*)i);
  for (int i = 0; i < THREADS; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    property(result == NULL);
  }
  return 0;
}
