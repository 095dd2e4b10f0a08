// Data races in the runs that an explorer makes anyway: two conflicting accesses of a run, one of them not atomic, that
// nothing orders in the sense of C++ (machine/happens_before.h). Vector clocks tell.
//
// Happens-before does not depend on the order of independent steps. So an explorer that runs one of each set of
// equivalent interleavings finds every race in this way. Explorers that predict ask their knowledge instead
// (final_questions.h); for them this is what is left to say when they could not finish.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "machine/memory_model.h"
#include "run/batch.h"

namespace plait {

class RunRaces {
 public:
  RunRaces();
  ~RunRaces();
  RunRaces(const RunRaces&) = delete;
  RunRaces& operator=(const RunRaces&) = delete;

  /// All events of a run, from its beginning. Called by several engine threads at once.
  void look_at(const machine::MemoryRules& memory, std::span<const Event> events);
  /// For each pair of sites the shortest way to its race. Each pair once.
  std::vector<Schedule> take();
  /// What libraries' functions do unseen with memory that others use, too, at the same time: may be races. Each once.
  std::vector<std::string> take_possible();
  /// As if no run had been looked at.
  void clear();

 private:
  class Pass;
  struct Race {
    size_t later;  // the event of the second access
    ThreadId early_thread;
    u32 early_site;
  };
  /// Somebody uses memory that a library's function was handed, or the other way round.
  struct Unseen {
    u32 call, other;  // sites
    u64 address;
  };
  std::unique_ptr<Pass> take_pass();
  void keep(const Unseen& unseen);
  void keep(std::span<const Event> events, const Race& race);

  std::mutex mutex_;
  std::vector<std::unique_ptr<Pass>> passes_;  // not in use; kept for their memory
  std::map<std::pair<u32, u32>, Schedule> shortest_;
  std::set<std::pair<u32, u32>> taken_;
  std::map<std::pair<u32, u32>, u64> possible_;  // call and other: where
  std::set<std::pair<u32, u32>> taken_possible_;
};

}  // namespace plait
