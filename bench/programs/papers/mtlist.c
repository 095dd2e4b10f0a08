// MTList: benchmarks 1.6, the faithful core: two linked lists, each with a lock of its own, and THREADS threads with
// one call each. Calls that look at the other list do so without its lock. FIXED: they take it, in a fixed order.
// PROPERTY: what the Java library reports by an exception is a failure.
#include "start.h"
#ifndef THREADS
#define THREADS 2
#endif
enum { kFine, kModified, kNull, kNoElement };
enum { kNodes = 16 };

// Node 0 and 1 are the headers of the two lists; element 0 stands for null.
struct Node {
  shared_int next, previous, element;
};
struct List {
  shared_int size, modifications;
  int header, other;
};
static struct Node node[kNodes];
static struct List lists[2] = {{0, 0, 0, 1}, {0, 0, 1, 0}};
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void add(struct List* list, int fresh, int element) {
  const int last = node[list->header].previous;
  node[fresh].element = element;
  node[fresh].next = list->header;
  node[fresh].previous = last;
  node[last].next = fresh;
  node[list->header].previous = fresh;
  list->size = list->size + 1;
  list->modifications = list->modifications + 1;
}

static void clear(struct List* list) {
  list->modifications = list->modifications + 1;
  node[list->header].next = list->header;
  node[list->header].previous = list->header;
  list->size = 0;
}

static int contains(const struct List* list, int element) {
  for (int at = node[list->header].next; at != list->header; at = node[at].next)
    if (node[at].element == element) return 1;
  return 0;
}

static void remove_element(struct List* list, int element) {
  for (int at = node[list->header].next; at != list->header; at = node[at].next) {
    if (node[at].element != element) continue;
    const int before = node[at].previous, after = node[at].next;
    node[before].next = after;
    node[after].previous = before;
    list->size = list->size - 1;
    list->modifications = list->modifications + 1;
    return;
  }
}

struct Iterator {
  const struct List* list;
  int expected, next, index;
};

static struct Iterator iterator(const struct List* list) {
  struct Iterator i = {list, list->modifications, 0, 0};
  i.next = node[list->header].next;
  return i;
}

static int has_next(const struct Iterator* i) { return i->index != i->list->size; }

/// The element, or minus an error.
static int next(struct Iterator* i) {
  if (i->list->modifications != i->expected) return -kModified;
  if (i->index == i->list->size) return -kNoElement;
  const int at = i->next;
  i->next = node[at].next;
  ++i->index;
  const int element = node[at].element;
  return element == 0 ? -kNull : element;
}

static int contains_all(const struct List* list, const struct List* other) {
  struct Iterator i = iterator(other);
  while (has_next(&i)) {
    const int element = next(&i);
    if (element < 0) return -element;
    if (!contains(list, element)) break;
  }
  return kFine;
}

static int equals(const struct List* list, const struct List* other) {
  struct Iterator a = iterator(list), b = iterator(other);
  while (has_next(&a) && has_next(&b)) {
    const int left = next(&a), right = next(&b);
    if (left < 0) return -left;
    if (right < 0) return -right;
    if (left != right) break;
  }
  return kFine;
}

/// One call by one thread on one of the lists, as the synchronised wrapper makes it.
static long call(int number) {
  static const int on[] = {0, 1, 1, 1, 0};
  struct List* list = &lists[on[number]];
  const struct List* other = &lists[list->other];
  long result = kFine;
#ifdef FIXED
  pthread_mutex_lock(&lock[0]);
  pthread_mutex_lock(&lock[1]);
#else
  pthread_mutex_lock(&lock[list->header]);
#endif
  switch (number) {
    case 0: result = contains_all(list, other); break;
    case 1: clear(list); break;
    case 2: add(list, 10, 2); break;
    case 3: remove_element(list, 1); break;
    case 4: result = equals(list, other); break;
  }
#ifdef FIXED
  pthread_mutex_unlock(&lock[1]);
  pthread_mutex_unlock(&lock[0]);
#else
  pthread_mutex_unlock(&lock[list->header]);
#endif
  return result;
}

static void* thread(void* number) { return (void*)call((int)(long)number); }

int main(void) {
  for (int i = 0; i < 2; ++i) {
    node[i].next = node[i].previous = i;
    add(&lists[i], 2 + 2 * i, 1);
    add(&lists[i], 3 + 2 * i, 2);
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
