#include "explore/local_histories.h"

namespace plait {
namespace {

u64 mixed(u64 history, u64 word) {
  history = (history ^ word) * 0x9e3779b97f4a7c15ull;
  return history ^ history >> 29;
}

}  // namespace

size_t LocalHistories::add(const CausalOrder& order) {
  std::vector<std::vector<u64>> history(kMaxThreads);  // of each thread, after each of its operations
  for (ThreadId t = 0; t < kMaxThreads; ++t) history[t].push_back(mixed(t, 1));
  std::vector<u32> ordinals[kMaxThreads];  // of these operations in the order
  for (size_t i = 0; i < order.size(); ++i) {
    const TraceItem& item = order[i];
    const Event& event = item.event;
    if (event.op == Op::Extension || event.op == Op::Initial || event.op == Op::Flush) continue;
    std::vector<u64>& own = history[event.thread];
    const Next next{event.op, event.size, event.location, machine::is_memory(event.op) ? event.operand : 0};
    const auto [known, fresh] = next_.try_emplace(own.back(), next);
    if (!fresh && known->second != next) return i;
    if (item.is_pending()) continue;
    u64 after = mixed(mixed(own.back(), static_cast<u64>(event.op)), machine::result_of(event));
    if (event.op == Op::Fork) history[event.location].assign(1, mixed(mixed(event.location, event.operand), after));
    // What code that nobody sees has read, and what it leaves behind: the past of the step decides.
    if (item.operation.unseen)
      for (ThreadId t = 0; t < kMaxThreads; ++t) {
        size_t seen = 0;
        while (seen < ordinals[t].size() && t < item.after.size() && ordinals[t][seen] <= item.after[t]) ++seen;
        after = mixed(after, history[t][seen]);
      }
    own.push_back(after);
    ordinals[event.thread].push_back(item.ordinal);
  }
  return order.size();
}

}  // namespace plait
