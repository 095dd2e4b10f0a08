// Is all that a thread does explained by what is seen? Used where some code is known not to be (event_flag::kUnseen):
// behind such code a thread may do whatever the whole past of that step could have caused; everywhere else its local
// history decides what it does next. A thread that does something else after the same means that more is hidden than
// is known, and then no order of operations can be left out.
#pragma once
#include <unordered_map>

#include "explore/causal_order.h"

namespace plait {

class LocalHistories {
 public:
  /// The first item that contradicts what earlier runs have shown, else the order's size. Items of earlier runs that
  /// the order has kept need not be shown again, but may be.
  size_t add(const CausalOrder& order);

 private:
  struct Next {
    Op op;
    u8 size;
    u64 location, operand;
    bool operator==(const Next&) const = default;
  };
  std::unordered_map<u64, Next> next_;  // by local history
};

}  // namespace plait
