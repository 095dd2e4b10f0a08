// A 4-byte store is read byte by byte. Each byte is old or new, and once a byte is new all later reads are new:
// of the two bytes read, "new then old" must not exist.
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
// OUTCOMES-FIXED: "00 00\n" "00 22\n" "33 22\n"
// OPTIONS: --races off
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static volatile uint32_t word;

static void* writer(void* unused) {
  word = 0x11223344;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  volatile const uint8_t* bytes = (volatile const uint8_t*)&word;
  unsigned low = bytes[1], high = bytes[2];
#ifndef FIXED
  // A reader that trusts the two bytes to come from one store.
  assert((low == 0) == (high == 0));  // @assert
#endif
  pthread_join(thread, NULL);
  printf("%02x %02x\n", low, high);
  return 0;
}
