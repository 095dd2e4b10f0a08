// GoogleTest's failures. With --gtest_break_on_failure a failed EXPECT or ASSERT prints what it expected and then traps, in
// whatever thread it stands; what it printed is the better message.
#pragma once
#include <string>

#include "report/bug.h"

namespace plait {

/// If the run ended in such a trap: kind, message and place as GoogleTest gave them, from the program's output.
void tell_gtest_failure(BugFailure&, const std::string& output);

}  // namespace plait
