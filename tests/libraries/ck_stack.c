// Concurrency Kit, ck_stack (many producers, one trypop): nothing is lost.
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];

static void* push(void* unused) {
  ck_stack_push_upmc(&stack, &entries[1]);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, push, NULL);
  ck_stack_push_upmc(&stack, &entries[0]);
  pthread_join(other, NULL);
  ck_stack_entry_t* a = ck_stack_pop_npsc(&stack);
  ck_stack_entry_t* b = ck_stack_pop_npsc(&stack);
  assert(a && b && a != b && !ck_stack_pop_npsc(&stack));
#ifdef WRONG  // holds in some schedules only
  assert(a == &entries[1]);
#endif
}
