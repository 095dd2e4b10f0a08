// What a check that did not finish leaves behind, so that --resume can go on: what the session had learned, and the
// schedules that taught something. They are run again and their traces learned anew: traces are large, and runs are
// quick.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "host/session_memory.h"
#include "trace/event.h"

namespace plait {

struct Resume {
  std::string program;    // the instrumented program, as it was checked
  u64 fingerprint = 0;    // of its contents
  Knowledge knowledge;
  std::vector<std::vector<Choice>> schedules;
};

/// Of a file's contents. Throws Error if it cannot be read.
u64 file_fingerprint(const std::string& path);

void write_resume(const std::string& directory, const Resume& resume);
/// Removes what an earlier check left there.
void remove_resume(const std::string& directory);
/// Throws Error when there is nothing to go on from, or it is damaged.
Resume read_resume(const std::string& directory);

}  // namespace plait
