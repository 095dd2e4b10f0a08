// A stand-in for Weblech: benchmarks 1.10. Two spiders take pages from a shared queue; the number of pages in progress
// is incremented under the queue's lock and decremented and tested without it. WORK accesses to the page for each, so
// that the number of events scales; TURNS bounds each spider's loop. FIXED: the lock is held for all of it.
#include "start.h"
#ifndef WORK
#define WORK 1
#endif
#ifndef TURNS
#define TURNS 2
#endif
enum { kPages = 4 };

static shared_int queued = 1, in_progress, loaded, page[kPages];
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) { pthread_mutex_lock(&queue); }
static void leave(void) { pthread_mutex_unlock(&queue); }

static int more_to_come(void) {
#ifdef FIXED
  enter();
#endif
  const int more = queued > 0 || in_progress > 0;
#ifdef FIXED
  leave();
#endif
  return more;
}

static void* spider(void* unused) {
  for (int turn = 0; turn < TURNS && more_to_come(); ++turn) {
    enter();
    int mine = -1;
    if (queued > 0) {
      queued = queued - 1;
      in_progress = in_progress + 1;
      mine = loaded;
      loaded = mine + 1;
    }
    leave();
    if (mine < 0) continue;
    for (int k = 0; k < WORK; ++k) page[mine] = page[mine] + 1;
    enter();
    if (mine == 0) queued = queued + 1;  // the first page has one link
#ifndef FIXED
    leave();
#endif
    in_progress = in_progress - 1;
#ifdef FIXED
    leave();
#endif
  }
  return NULL;
}

int main(void) {
  void* (*const routines[])(void*) = {spider, spider};
  run_threads(routines, 2, NULL);
  property(in_progress == 0);
  return 0;
}
