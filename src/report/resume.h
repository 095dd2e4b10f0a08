// What a check that did not finish leaves behind, so that --resume can go on: what counted as visible, and the
// schedules that taught something. They are run again and their traces learned anew: traces are large, and runs are
// quick.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "report/json.h"
#include "run/visibility.h"

namespace plait {

struct Resume {
  std::string program;   // the instrumented program, as it was checked
  std::string identity;  // of its contents (host/program.h)
  Visibility visibility;
  std::vector<std::vector<Choice>> schedules;
};

void write_resume(const std::string& directory, const Resume& resume);
/// Removes what an earlier check left there.
void remove_resume(const std::string& directory);
/// Throws Error when there is nothing to go on from, or it is damaged.
Resume read_resume(const std::string& directory);
/// `path` is for messages.
Resume resume_from_json(const Json& json, const std::string& path);

}  // namespace plait
