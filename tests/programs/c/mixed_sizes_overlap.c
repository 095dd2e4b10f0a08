// Stores of 1, 2 and 4 bytes to the same word, read as a whole: every combination of halves that the orders allow.
// EXPLORE: exhaustive
// CHECK: verdict=safe
// OUTCOMES: "11ccbbaa\n" "11cc3344\n" "1122bbaa\n" "11223344\n" "00cc0000\n"
// INTERLEAVINGS: 6
// OPTIONS: --races off
// Thread 1 stores the word, then its low half; thread 2 stores byte 2 and reads the word.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static union {
  volatile uint32_t word;
  volatile uint16_t half[2];
  volatile uint8_t byte[4];
} shared;

static void* writer(void* unused) {
  shared.word = 0x11223344;
  shared.half[0] = 0xbbaa;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  shared.byte[2] = 0xcc;
  uint32_t seen = shared.word;
  pthread_join(thread, NULL);
  printf("%08x\n", seen);
  return 0;
}
