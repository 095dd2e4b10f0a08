// Who creates its key first gets the lower one; deleting one makes its number free again, without its values.
// CHECK: verdict=bug kind=assertion line=@first
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t keys[2];

static void* creates(void* key) {
  pthread_key_create(key, NULL);
  return NULL;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, NULL, creates, &keys[0]);
  pthread_create(&b, NULL, creates, &keys[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(keys[0] != keys[1]);
#ifndef FIXED
  assert(keys[0] < keys[1]);  // @first
#endif
  assert(pthread_setspecific(keys[0], &a) == 0);
  assert(pthread_key_delete(keys[0]) == 0);
  assert(pthread_getspecific(keys[0]) == NULL);
  pthread_key_t again;
  assert(pthread_key_create(&again, NULL) == 0);
  assert(again == keys[0] && pthread_getspecific(again) == NULL);
  assert(pthread_getspecific(keys[1]) == NULL);
  return 0;
}
