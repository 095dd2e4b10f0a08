// A thread is joined or detached once: whoever comes second is told. One detaches it while another joins it; two join it.
// CHECK: verdict=bug kind=assertion line=@fails
// CHECK-FIXED: verdict=safe
// OUTCOMES-FIXED: "0 0\n"
// EXPLORERS: all
// OPTIONS: --keep-going
// BUGS: 2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_t detached, joined;
static int answer;

static void* nothing(void* unused) { return unused; }
static void* detaches(void* unused) {
  pthread_detach(detached);
  return unused;
}
static void* joins(void* unused) {
  answer = pthread_join(joined, NULL);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&detached, NULL, nothing, NULL);
  pthread_create(&joined, NULL, nothing, NULL);
#ifdef FIXED
  (void)first, (void)second, (void)detaches, (void)joins;
  printf("%d ", pthread_join(detached, NULL));
  printf("%d\n", pthread_join(joined, NULL));
#else
  pthread_create(&first, NULL, detaches, NULL);
  pthread_create(&second, NULL, joins, NULL);
  const int own = pthread_join(joined, NULL);
  const int error = pthread_join(detached, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(own + answer == EINVAL);  // one of them got it
  assert(error == 0);  // @fails
  assert(own != 0);    // @fails
#endif
  return 0;
}
