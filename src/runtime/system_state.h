// What a run may have left behind outside of its memory.
#pragma once

namespace plait::runtime {

/// What belongs to the process as a whole is as it was when main was called for the first time.
void reset_process_state();

void reset_environment();
/// The last run has changed it. Until the next reset_environment().
bool environment_changed();
/// What libc and libstdc++ keep for the whole process. After the environment.
void reset_library_state();

/// The run has opened, closed or copied a descriptor.
extern bool descriptors_changed;
void forget_copies();

/// Closes the files that the last run left open, rewinds stdin, forgets thread keys.
void reset_system_state();

}  // namespace plait::runtime
