// The determinism check (--self-check): every run is done a second time, from an explicit schedule of its whole trace,
// and must give the same trace.
#pragma once
#include <string>
#include <vector>

#include "explore/explorer.h"

namespace plait {

class SelfCheck {
 public:
  /// The run's events must be complete (request_flag::kAllEvents). Runs that discovered sharing are skipped: their
  /// second trace has to differ.
  void remember(const RunView&);
  /// Runs what was remembered again; reports the first difference to the sink and stops the exploration.
  void verify(Runner&, Exploration&);

 private:
  struct Remembered {
    std::vector<Event> events;
    Reply reply;
    std::string output;
  };
  std::vector<Remembered> runs_;
};

/// Empty, or what differs first: "event 12: expected ..., got ...".
std::string first_difference(std::span<const Event> expected, std::span<const Event> got);
/// An event in one line without names, for messages about traces.
std::string raw_text(const Event&);
/// "thread 1", "the buffer of thread 1".
std::string actor_text(const machine::MemoryRules&, ThreadId);

}  // namespace plait
