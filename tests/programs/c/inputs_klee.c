// KLEE's functions.
// CHECK: verdict=bug kind=assertion line=@fails
// CHECK-FIXED: verdict=safe
// INPUTS: explored
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

void klee_make_symbolic(void* object, size_t size, const char* name);
int klee_range(int begin, int end, const char* name);
void klee_assume(uintptr_t condition);

int main(void) {
  unsigned char text[5];
  klee_make_symbolic(text, sizeof text, "text");
  int at = klee_range(0, 5, "at");
  klee_assume(text[0] == 'p');
  assert(at < 5 && text[0] == 'p');
  if (text[1] == 'l' && text[at] == 'a' && text[4] == 't') {
#ifdef FIXED
    assert(at != 1);
#else
    assert(at != 2);  // @fails
#endif
  }
  return 0;
}
