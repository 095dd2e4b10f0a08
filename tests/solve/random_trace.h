// Random traces for the solvers' tests: straight-line threads, main forks them all, performs steps of its own and joins
// them; a random legal interleaving of that. The results are what the machine says, and store buffers do what
// docs/memory-models.md says, so every trace is feasible.
#pragma once
#include <random>
#include <vector>

#include "trace/event.h"

namespace plait::solve {

struct TraceShape {
  unsigned threads = 3;  // besides main
  unsigned steps = 5;    // of each thread, about
  unsigned variables = 2;
  bool sync = true;  // mutexes, semaphores, conditions, barriers
  bool mixed_sizes = false;
  MemoryModel memory_model = MemoryModel::Sc;
};

std::vector<Event> random_trace(std::mt19937_64& random, const TraceShape& shape);

}  // namespace plait::solve
