// Properties: which ends of a run are bugs of the program, what they are called, and when two of them are the same bug.
// This folder owns findings and their confirmation by replay; it may depend on explore/ and below.
#pragma once
#include <optional>
#include <string_view>

#include "trace/event.h"

namespace plait {

/// The name in JSON and in reports: "assertion", "deadlock" ...
std::string_view kind_name(FailureKind);
std::optional<FailureKind> kind_from_name(std::string_view);

/// In words: "assertion failed".
std::string_view kind_title(FailureKind);

/// False for what is Plait's limit and not the program's fault: Unsupported, Divergence, OutOfResources.
bool is_bug(FailureKind);

}  // namespace plait
