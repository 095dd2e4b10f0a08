// Parameters of main that nobody looks at are no input.
// CHECK: verdict=safe
// INPUTS: none
#include <pthread.h>

static void* worker(void* unused) { return unused; }

int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  return pthread_join(thread, NULL);
}
