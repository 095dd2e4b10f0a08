// Under sanitizers random tests ask a tenth: they look for bad accesses there; the plain build looks for wrong answers.
#pragma once

#include "trace/types.h"

namespace plait {

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr u64 kFewer = 10;
#else
constexpr u64 kFewer = 1;
#endif

constexpr u64 fewer(u64 rounds) { return rounds / kFewer; }

}  // namespace plait
