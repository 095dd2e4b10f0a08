// The session: what all workers of one check agree on (trace/session.h), and the class map, created here and inherited.
#pragma once
#include <vector>

#include "host/memory.h"
#include "trace/session.h"

namespace plait {

/// What a session has learned about a program, as plain values: saved in bug files, so that a replay sees the same
/// operations as visible and gives threads the same numbers.
struct Knowledge {
  struct Range {
    u64 begin;
    u32 size;
    bool operator==(const Range&) const = default;
  };
  std::vector<Identity> identities;  // entry 0 is main
  std::vector<Range> shared;
  bool end_visible = false;
};

class SessionMemory {
 public:
  explicit SessionMemory(const SessionOptions&);
  Session& session() { return *reinterpret_cast<Session*>(memory_.data()); }
  int descriptor() const { return memory_.descriptor(); }
  int class_descriptor() const { return classes_.number(); }

  Knowledge knowledge();
  /// What runs have noted, ordered, without duplicates.
  std::vector<Note> notes();
  /// Throws Error (internal) if a run has left something behind that later runs see.
  void require_no_leaks();
  /// Grows with what counts as a visible operation. A worker sees that before each run, whoever has found it.
  u32 version();
  /// Only before the first worker starts.
  void teach(const Knowledge&);

 private:
  SharedMemory memory_;
  Descriptor classes_;
};

}  // namespace plait
