// What connects the events of a recorded run: which write a read saw, which release let a lock be taken, who woke whom,
// who started and awaited whom, which store a flush took to memory. For drawings; the order of the trace is the order in which things happened.
#pragma once
#include <string_view>
#include <vector>

#include "report/bug.h"

namespace plait {

enum class RelationKind { ReadsFrom, Lock, Wake, Thread, Flush };

struct Relation {
  size_t from, to;  // indices into bug.events, from < to
  RelationKind kind;
  bool operator==(const Relation&) const = default;
};

/// In order of `to`. A read of bytes that several writes left has one relation for each of them. It reads from the flush of a store
/// that was delayed, or from the store itself if that is in its own buffer.
std::vector<Relation> relations(const Bug&);

/// "reads-from", "lock", "wake", "thread", "flush".
std::string_view relation_name(RelationKind);

/// What is at the event's location once it has happened, for accesses of up to 8 bytes; none for other operations.
std::optional<u64> value_after(const Event&);

}  // namespace plait
