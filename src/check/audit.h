// A `safe` put to the test (--audit): random schedules, half of them by priorities (pct), whose traces must show
// nothing that the exploration does not know. An explorer that keeps behaviour graphs claims to have seen every
// operation and every result, so each event must follow them; of the others no run may fail, share more memory, or
// print something new. Whatever is found is a mistake of Plait, not of the program.
#pragma once
#include <set>

#include "check/replay.h"
#include "knowledge/behaviour.h"

namespace plait {

/// What an exploration claims to know. Sharing is in the session.
struct Claims {
  std::optional<Behaviour> behaviour;            // none: the explorer keeps none
  std::optional<std::set<std::string>> outputs;  // none: not collected
  KindSet checked = KindSet::standard();
};

struct AuditOptions {
  u64 runs = 0;
  u64 seed = 1;
  u32 pct_depth = 3;
  machine::MemoryRules memory = {};
};

/// A run that should not be possible.
struct Surprise {
  std::string message;
  u32 site = kNoSite;
  Witness witness;
};

struct Audit {
  u64 runs = 0;
  std::optional<Surprise> surprise;  // the first one; the audit ends there
};

/// The claims are used up.
Audit audit(Runners&, Claims&, const AuditOptions&, const std::atomic<bool>& cancel);

}  // namespace plait
