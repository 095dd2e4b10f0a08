// plait.h without the wrapper, as C++; header_test_c.c does the same in C.
#include <gtest/gtest.h>

#include "plait.h"

extern "C" int use_header_in_c(int value);

namespace {

TEST(Header, NoOpsWithoutTheWrapper) {
  int evaluated = 0;
  plait_assume(++evaluated == 1);
  EXPECT_EQ(evaluated, 0) << "an assumption is for Plait only";
  plait_yield();
  plait_atomic_begin();
  plait_atomic_end();
  {
    plait::atomic_section section;
  }
  plait_assert(evaluated == 0);
  EXPECT_EQ(use_header_in_c(4), 4);
}

}  // namespace
