// A text without an end, and one whose end came too late.
// CHECK: verdict=bug kind=uninitialised-read line=@use
// CHECK-FIXED: verdict=safe
// BUGS: 3
// OPTIONS: --keep-going --check uninitialised-read
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *measure(void *unused) {
  (void)unused;
  char *text = malloc(8);
  text[0] = 'a';
#ifdef FIXED
  text[1] = '\0';
#endif
  if (strlen(text) > 1) abort();  // @use
  free(text);
  return NULL;
}

static void *compare(void *unused) {
  (void)unused;
  char text[8];
  strncpy(text, "ab", 2);
#ifdef FIXED
  text[2] = '\0';
#endif
  if (strcmp(text, "ab") != 0) abort();  // @use
  return NULL;
}

static void *print(void *unused) {
  (void)unused;
  char *text = malloc(8);
#ifdef FIXED
  memset(text, 0, 8);
#endif
  printf("%s\n", text);  // @use
  free(text);
  return NULL;
}

int main(void) {
  void *(*routines[])(void *) = {measure, compare, print};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, routines[i], NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
