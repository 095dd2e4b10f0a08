// A second process is outside of Plait's control.
// CHECK: verdict=inconclusive
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void* other(void* unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
  pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  return 0;
}
