// One thread that does nothing: what it costs a tool to start, and a peer to compile.
#include "classic.h"

static void* idle(void* unused) { return NULL; }

int main(void) {
  pthread_t thread;
  start(thread, idle, 0);
  finish(thread);
  return 0;
}
