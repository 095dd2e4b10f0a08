// A value is in the register REG while another function performs an operation; then it is used, or not. With SAVES that
// function needs all registers for itself, and keeps its caller's in its frame.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int x, z;

__attribute__((noinline)) int read_x(void) { return atomic_load(&x); }
__attribute__((noinline)) void read_z(void) {
#ifdef SAVES
  __asm__ volatile("" : : : "rbx", "rbp", "r12", "r13", "r14", "r15");
#endif
  atomic_load(&z);
#ifdef SAVES
  __asm__ volatile("" : : : "rbx", "rbp", "r12", "r13", "r14", "r15");
#endif
}

void* reader(void* unused);
__asm__(
    "  .text\n"
    "  .type reader, @function\n"
    "reader:\n"
    "  .cfi_startproc\n"
    "  pushq %" REG
    "\n"
    "  .cfi_def_cfa_offset 16\n"
    "  .cfi_offset " REG
    ", -16\n"
    "  leaq __plait_unknown(%rip), %rax\n"  // as instrumented functions do when they are entered
    "  movq $0, (%rax)\n"
    "  call read_x\n"
    "  movslq %eax, %" REG
    "\n"
    "  call read_z\n"
#ifdef USED
    "  movq %" REG
    ", %rax\n"
#else
    "  xorl %eax, %eax\n"
#endif
    "  popq %" REG
    "\n"
    "  .cfi_def_cfa_offset 8\n"
    "  retq\n"
    "  .cfi_endproc\n"
    "  .size reader, .-reader\n");

static void* writer(void* unused) {
  atomic_store(&z, 0);
  for (int value = 1; value < 4; ++value) atomic_store(&x, value);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  void* result;
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, writer, NULL);
  pthread_join(threads[0], &result);
  pthread_join(threads[1], NULL);
  printf("%ld\n", (long)(intptr_t)result);
  return 0;
}
