// Words for operations and values: the one table behind stories, bug files and messages.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "trace/event.h"

namespace plait {

/// The name in bug files: "load", "try-lock" ...
std::string_view op_name(Op);
std::optional<Op> op_from_name(std::string_view);
std::string_view order_name(Order);
/// "sc", "tso", "pso", as on the command line. Unknown names are sc's.
std::string_view model_name(MemoryModel);
MemoryModel model_of(std::string_view name);

/// "main", "T1" ...
std::string thread_name(ThreadId);

/// A value of `size` bytes for people: decimal (signed) where that is readable, else hexadecimal.
std::string value_text(u64 value, u32 size);

/// What the values of an event stand for, if that says more than their numbers: "&settings", "uninitialised".
struct ValueNames {
  std::string value, operand, extra;
  bool operator==(const ValueNames&) const = default;
};

/// What the event did, in words: "write balance = 20 (was 10)"; `where` is the location's readable name. Whom a signal
/// wakes is not in the event: see sync_words.h.
std::string event_text(const Event&, const std::string& where, const ValueNames& = {});

/// What a thread that is stuck in this operation waits for: "waits for mutex m".
std::string waiting_text(const Event&, const std::string& where);

}  // namespace plait
