// The end of a list is not marked as one.
// CHECK: verdict=bug kind=uninitialised-read line=@use
// CHECK-FIXED: verdict=safe
// OPTIONS: --check uninitialised-read
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

__attribute__((noinline)) static struct node *push(struct node *list, int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
#ifndef FIXED
  if (list)
#endif
    node->next = list;
  return node;
}

int main(void) {
  struct node *list = push(push(NULL, 1), 2);
  int sum = 0;
  while (list) {  // @use
    struct node *next = list->next;
    sum += list->value;
    free(list);
    list = next;
  }
  return sum != 3;
}
