// CHECK: verdict=safe
// INPUTS: fixed
// ARGS: one
#include <pthread.h>

static void* worker(void* unused) { return unused; }

int main(int argc, char** argv) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return argc == 2 && argv[1][0] == 'x';
}
