// A crash inside libc, while it may hold locks: the worker process is given up, the exploration goes on.
// CHECK: verdict=bug kind=crash|null-dereference
// CHECK-FIXED: verdict=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static const char* _Atomic name;

static void* set(void* unused) {
  name = "set";
  return unused;
}

int main(void) {
#ifdef FIXED
  name = "initial";
#else
  name = (const char*)8;
#endif
  pthread_t thread;
  pthread_create(&thread, NULL, set, NULL);
  char text[64];
  FILE* out = fmemopen(text, sizeof text, "w");
  fprintf(out, "%s", name);
  fclose(out);
  pthread_join(thread, NULL);
  return 0;
}
