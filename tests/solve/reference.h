// What a query's answer should be, found without the model's needs and forwarding: every interleaving of the trace's
// threads, with store buffers that hold stores. For traces of memory accesses, fences, forks and joins only.
#pragma once
#include <set>

#include "solve/solver.h"

namespace plait::solve {

class Reference {
 public:
  Reference(const CausalModel& model, MemoryModel memory_model) : model_(model), memory_model_(memory_model) {}

  /// Only the requirements of threads count, not those of buffers.
  bool is_satisfiable(const Query& query);

 private:
  struct Entry {
    u32 store;  // number of its step
    u32 barriers;
    auto operator<=>(const Entry&) const = default;
  };
  struct State {
    std::vector<u32> at;  // by thread
    std::vector<std::vector<Entry>> buffers;
    std::vector<u32> barriers;
    std::vector<u8> memory;
    auto operator<=>(const State&) const = default;
  };
  bool search(const State& state);
  bool step(State& state, u32 thread) const;
  bool flush(State& state, u32 thread, size_t index) const;

  const CausalModel& model_;
  MemoryModel memory_model_;
  const Query* query_ = nullptr;
  std::set<State> seen_;
};

}  // namespace plait::solve
