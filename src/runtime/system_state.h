// What a run may have left behind outside of its memory.
#pragma once

namespace plait::runtime {

/// Closes the files that the last run left open, rewinds stdin, forgets thread keys.
void reset_system_state();

}  // namespace plait::runtime
