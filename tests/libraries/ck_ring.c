// Concurrency Kit, ck_ring (one producer, one consumer): in order.
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int values[] = {1, 2};

static void* produce(void* unused) {
  for (int i = 0; i < 2; ++i) assert(ck_ring_enqueue_spsc(&ring, buffer, &values[i]));
  return unused;
}

int main(void) {
  ck_ring_init(&ring, 4);
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  int last = 0;
  void* got;
  for (int i = 0; i < 2; ++i)
    if (ck_ring_dequeue_spsc(&ring, buffer, &got)) {
      assert(*(int*)got == last + 1);
      last = *(int*)got;
    }
#ifdef WRONG  // holds in some schedules only
  assert(last == 0);
#endif
  pthread_join(producer, NULL);
  while (ck_ring_dequeue_spsc(&ring, buffer, &got)) last = *(int*)got;
  assert(last == 2);
}
