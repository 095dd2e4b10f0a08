// Is the process as it was when main was called for the first time? Everything that runs can change and later runs can
// see is restored or refused (docs/process-state.md); this is the check that nothing was forgotten.
#pragma once

namespace plait::runtime {

/// Notes the state of the process: the first run is about to begin.
void note_first_start();

/// What differs from the first start, in words; null: nothing. Between runs, after everything has been restored.
const char* changed_since_first_start();

}  // namespace plait::runtime
