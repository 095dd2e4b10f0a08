// One way to the last store has joined the other thread, one has not; both leave the thread in the same state.
// CHECK: verdict=bug kind=race line=@one|@two
// SELF-CHECK: off (exhaustive does not look for races)
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int g, joined;
static pthread_t other;

static void* store(void* unused) {
  g = 1;  // @one
  return unused;
}

static void* stranger(void* unused) {
  if (x == 1) {
    joined = 1;
    pthread_join(other, NULL);
  } else {
    (void)y, (void)y, (void)y;
  }
  g = 2;  // @two
  return unused;
}

static void* hint(void* unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&other, NULL, store, NULL);
  pthread_create(&b, NULL, stranger, NULL);
  pthread_create(&a, NULL, hint, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (!joined) pthread_join(other, NULL);
  return 0;
}
