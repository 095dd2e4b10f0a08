// GoogleTest's failures. With --gtest_break_on_failure a failed EXPECT or ASSERT prints what it expected and then
// traps, in whatever thread it stands. The trap is always the same one; what was printed tells which failure it is.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "trace/event.h"

namespace plait {

struct GTestFailure {
  std::string file;
  u32 line;
  std::string message;
};

/// If the run that failed in this way, with this output, ended in such a trap.
std::optional<GTestFailure> gtest_failure(FailureKind, std::string_view message, std::string_view output);

}  // namespace plait
