// Maximal causality reduction (Huang, PLDI 2015, algorithms 1 to 3).
//
//   run the empty schedule
//   for each trace: look for races that follow from it; for each of its seeds (seeds.h): run the seed
//   no seed left: decide what is still missing over all that the traces have shown (complete_knowledge), so that the
//   answer is complete
//
// Runs and seeds of different traces are independent of each other, so any number of workers do the same runs
// (algorithm 3). Deviations from the paper: commitments in place of frozen prefixes (seeds.h), and the last line. One
// trace alone cannot tell that a value can be read which only other traces write.
#include "explore/mcr_member.h"

namespace plait {

namespace mcr {

Attempt decide_the_rest(Search& search) {
  Exploration& exploration = search.exploration();
  if (search.has_grown()) return Attempt::SharingGrew;
  if (!search.contradiction().empty()) return run_without_prediction(exploration, search.fallback());
  if (const u64 unknown = exploration.control.counters.unknown)
    exploration.sink.not_complete("solver: " + std::to_string(unknown) +
                                  (unknown == 1 ? " query was" : " queries were") + " given up (--solver-timeout)");
  return complete_knowledge(exploration, std::move(search.knowledge()), search.album());
}

}  // namespace mcr

namespace {

class McrExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    // Recorded stores to bytes that turn out to be shared did not wait in a buffer.
    if (exploration.options.memory.buffers) album_.close();
    mcr::Search search(exploration, album_);
    mine(search);
    if (exploration.control.stopped()) return Attempt::Stopped;
    return mcr::decide_the_rest(search);
  }

 private:
  static void mine(mcr::Search& search) {
    Exploration& exploration = search.exploration();
    mcr::Member first(search, exploration.crew.first());
    bool left = false;
    exploration.crew.work(1, [&](u32, Runner&) {
      first.first_run();
      left = first.work(64);
    });
    const u32 members = exploration.options.jobs;
    if (left) search.join(members - 1);
    if (left)
      exploration.crew.work(members, [&](u32 member, Runner& runner) {
        member == 0 ? first.work(~u64{0}) : mcr::Member(search, runner).work(~u64{0});
      });
    if (exploration.control.reason() == StopReason::MaxExecutions) first.confirm_failures(search.seeds());
  }

  Album album_;  // of all attempts
};

}  // namespace

std::unique_ptr<Explorer> make_mcr() { return std::make_unique<McrExplorer>(); }

}  // namespace plait
