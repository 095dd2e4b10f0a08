// A thread is joined or detached once: whoever comes second fails. One detaches it while another joins it; two join it.
// CHECK: verdict=bug kind=lock-misuse line=@second|@third|@fourth|@fifth
// CHECK-FIXED: verdict=safe
// OUTCOMES-FIXED: "0 0\n"
// EXPLORERS: all
// OPTIONS: --keep-going
// BUGS: 4
#include <pthread.h>
#include <stdio.h>

static pthread_t detached, joined;

static void* nothing(void* unused) { return unused; }
static void* detaches(void* unused) {
  pthread_detach(detached);  // @second
  return unused;
}
static void* joins(void* unused) {
  pthread_join(joined, NULL);  // @third
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
  pthread_join(detached, NULL);  // @fourth
  pthread_join(joined, NULL);    // @fifth
  pthread_join(first, NULL);
  pthread_join(second, NULL);
#endif
  return 0;
}
