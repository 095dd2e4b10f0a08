// What heap.c and locals.c have in common. A program lists its shapes; `NAME 1` gives every value before it is used,
// `NAME 0` leaves one out. A shape whose name begins with "fine_" is correct either way.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile int sink, zero __attribute__((unused));
static atomic_int flag;
__attribute__((unused, noinline)) static void look(void* memory) { __asm__ volatile("" : : "r"(memory)); }
__attribute__((unused, noinline)) static void give(int* place, int set) {
  if (set) *place = 3;
}

struct pair {
  int first, second;
};
struct holes {
  char letter;
  int number;
  char end;
};
struct two {
  unsigned char low, high;
};
struct bits {
  unsigned a : 3, b : 5, c : 9;
};
struct tail {
  long number;
  char text[3];
};
union both {
  int number;
  char letters[4];
  short halves[2];
};

typedef void Shape(int);
struct named {
  const char* name;
  Shape* shape;
};
#define SHAPE(name) {#name, name}

static Shape* chosen;
static int complete;
static void* work(void* unused) {
  (void)unused;
  sink = atomic_load(&flag);
  chosen(complete);
  return NULL;
}

static int run_shape(int count, char** words, const struct named* shapes, size_t number) {
  if (count != 3)
    for (size_t i = 0; i < number; ++i) puts(shapes[i].name);
  if (count != 3) return 0;
  for (size_t i = 0; i < number; ++i)
    if (strcmp(shapes[i].name, words[1]) == 0) chosen = shapes[i].shape;
  complete = atoi(words[2]);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  atomic_fetch_or(&flag, 1);
  pthread_join(thread, NULL);
  return 0;
}
