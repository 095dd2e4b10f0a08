// A mutex on the stack: whoever has waited for the flag returns, and the other thread unlocks what is gone.
// CHECK: verdict=bug kind=use-after-scope line=@unlock
// CHECK-FIXED: verdict=safe
#include <pthread.h>

struct request {
  pthread_mutex_t mutex;
  int done;
};

static void *serve(void *argument) {
  struct request *request = argument;
  pthread_mutex_lock(&request->mutex);  // @unlock
  request->done = 1;
  pthread_mutex_unlock(&request->mutex);  // @unlock
  return NULL;
}

static __attribute__((noinline)) pthread_t ask(void) {
  struct request request = {PTHREAD_MUTEX_INITIALIZER, 0};
  pthread_t server;
  pthread_create(&server, NULL, serve, &request);
#ifdef FIXED
  pthread_join(server, NULL);
#else
  pthread_mutex_lock(&request.mutex);
  pthread_mutex_unlock(&request.mutex);
#endif
  return server;
}

int main(void) {
  pthread_t server = ask();
#ifdef FIXED
  (void)server;
#else
  pthread_join(server, NULL);
#endif
}
