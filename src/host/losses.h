// The processes that one run has cost. A process can die or hang because of the program, or because of something
// outside: the kernel has no memory left, somebody kills or stops it. Only what happens again at the same step, in a
// fresh process, is the program's doing.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "host/process.h"
#include "trace/event.h"

namespace plait {

struct Loss {
  enum class How { Ended, Hung, Stopped } how;
  ProcessEnd end;  // Ended: how
  u32 events;      // of the run, until then
  bool from_outside() const { return how == How::Stopped || (how == How::Ended && end.from_outside()); }
  bool like(const Loss& other) const;
};

/// What is to be said of a run that cannot be finished.
struct Blame {
  FailureKind kind;
  std::string message;
};

class Losses {
 public:
  /// `once`: a run cannot be made again, because its output has been seen.
  Losses(u32 hang_seconds, bool once) : hang_seconds_(hang_seconds), once_(once) {}
  /// Of run number `run` of its batch. Nothing: run it again.
  std::optional<Blame> add(u32 run, const Loss&);
  /// A while to wait before that: what is outside may need it to get better.
  u32 pause_milliseconds() const;

 private:
  Blame blame(const Loss&) const;

  u32 hang_seconds_;
  bool once_;
  u32 run_ = ~0u;
  std::vector<Loss> losses_;
};

}  // namespace plait
