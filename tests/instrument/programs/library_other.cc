#include "library.h"
char large[70000];
void bump() {
  inline_counter *= 2;
  Holder<int>::count *= 3;
  Holder<long>::count++;
  large[69999] = 42;
}
