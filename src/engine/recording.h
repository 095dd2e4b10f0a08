// What every kind of check has in common: bug files, and what its limits say in the end.
#pragma once
#include "engine/check_options.h"
#include "explore/control.h"
#include "report/result.h"

namespace plait {

/// Writes recordings into the output directory. What has been found is told also if that is not possible.
class Recorder {
 public:
  explicit Recorder(std::string directory) : directory_(std::move(directory)) {}
  /// The file, or nothing.
  std::string record(const std::string& name, const Bug& bug);
  /// Each once: a full disk is not told for every file.
  void warn(const std::string& message);

 private:
  std::string directory_;
  bool warned_ = false;
};

/// The limits that were reached, and with `obstacles` the verdict.
void conclude(CheckResult& result, const Control& control, const CheckOptions& options, bool samples, bool complete,
              const std::vector<std::string>& obstacles);

}  // namespace plait
