// What all engine threads of `mcr` work on: seeds to run, and what the traces have shown (mcr.cc).
#pragma once
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <span>
#include <unordered_set>

#include "depend/relation.h"
#include "explore/album.h"
#include "explore/explorer.h"
#include "explore/part_bytes.h"
#include "explore/predict.h"
#include "explore/shared_bytes.h"
#include "knowledge/behaviour.h"
#include "knowledge/trace_filter.h"

namespace plait::mcr {

/// An access is one thing: where some of its bytes are shared, all must be (runtime/shadow.cc, share_rest). A run makes
/// them so; a picture of an earlier one cannot, and has to be run again.
inline bool fits(std::span<const Event> events, const SharedBytes& shared) {
  return std::all_of(events.begin(), events.end(), [&](const Event& event) {
    return !machine::is_access(event.op) || event.size == 0 || !shared(event.location, event.size) ||
           shared.has_all(event.location, event.size);
  });
}

/// A run as somebody else learns from it.
inline void write_run(PartWriter& writer, const RunView& run) {
  writer.value(*run.reply);
  writer.list(run.events);
  writer.block(run.output);
  writer.list(run.more_failures);
}

/// What all engine threads work on.
class Search {
 public:
  Search(Exploration& exploration, Album& album)
      : exploration_(exploration),
        control_(exploration.control),
        album_(album),
        knowledge_(exploration.options.memory) {
    const SharedBytes shared(exploration.visibility);
    for (const auto& picture : album.pictures())
      if (fits(picture->events, shared)) old_.push_back({picture, model_of(shared_events(picture->events, shared))});
  }

  /// This is a part of a whole: runs are not learned from, but kept for somebody who does.
  void hand_over_to(PartWriter& runs) { handed_over_ = &runs; }

  /// A run from before more memory turned out to be shared.
  struct Old {
    std::shared_ptr<const Album::Picture> picture;
    std::shared_ptr<const solve::CausalModel> model;
  };
  const std::vector<Old>& old() const { return old_; }
  const Old* find_old(const Seed& seed) const {
    for (const Old& old : old_)
      if (keeps(seed, *old.model)) return &old;
    return nullptr;
  }
  Album& album() { return album_; }

  /// Seeds to run next; empty when nothing is left.
  std::vector<Seed> take() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    for (;;) {
      if (control_.stopped() || is_over()) break;
      drop_known();
      if (!seeds_.empty()) {
        // Few at a time while there are few, so that a bug is found with few runs.
        const size_t most = std::clamp<size_t>(seeds_.size() / 64, 1, 64);
        std::vector<Seed> seeds;
        for (; seeds.size() < most && !seeds_.empty(); drop_known()) {
          seeds.push_back(std::move(seeds_.back()));
          seeds_.pop_back();
        }
        --waiting_;
        return seeds;
      }
      if (waiting_ == members_) break;
      changed_.wait_for(lock, std::chrono::milliseconds(20));
    }
    changed_.notify_all();
    return {};
  }
  void join(u32 members) {
    std::lock_guard lock(mutex_);
    members_ += members;
  }
  void add(std::vector<Seed>&& seeds) {
    std::lock_guard lock(mutex_);
    for (Seed& seed : seeds) {
      if (seed.history) waiting_for_.insert(seed.history);
      if (!seed.guess || guessed_.insert(seed.guess).second) seeds_.push_back(std::move(seed));
    }
    changed_.notify_all();
  }
  /// Those that were taken, and could not be run.
  void put_back(std::vector<Seed>&& seeds) {
    std::lock_guard lock(mutex_);
    for (Seed& seed : seeds) seeds_.push_back(std::move(seed));
    changed_.notify_all();
  }
  /// Has no trace shown this history, and will none of the seeds that were found?
  bool is_new(u64 history) {
    std::lock_guard lock(mutex_);
    return !histories_.contains(history) && !waiting_for_.contains(history);
  }
  /// What this trace shows is not new any more.
  void note(const solve::CausalModel& model) {
    std::lock_guard lock(mutex_);
    for (const u64 history : histories_of(model))
      if (histories_.insert(history).second) noted_.push_back(history);
  }
  /// Nor is what others have shown.
  void hear(std::span<const u64> histories) {
    std::lock_guard lock(mutex_);
    histories_.insert(histories.begin(), histories.end());
  }
  /// What traces have shown that was new since the last call.
  std::vector<u64> take_noted() {
    std::lock_guard lock(mutex_);
    return std::exchange(noted_, {});
  }
  /// Up to so many of the seeds that would be next, the next one last, for somebody else.
  std::vector<Seed> give(size_t most) {
    std::lock_guard lock(mutex_);
    std::vector<Seed> given;
    for (drop_known(); given.size() < most && !seeds_.empty(); drop_known()) {
      given.push_back(std::move(seeds_.back()));
      seeds_.pop_back();
    }
    std::reverse(given.begin(), given.end());
    return given;
  }
  template <class IsShared>
  void learn(const RunView& run, IsShared&& shared) {
    std::lock_guard lock(mutex_);
    if (contradicted_) return;
    if (handed_over_) {
      write_run(*handed_over_, run);
      contradicted_ = run.reply->unpredictable != Unpredictable::No;
      return;
    }
    unseen_code_ |= shows_unseen_code(run);
    if (run.reply->unpredictable != Unpredictable::No)
      contradiction_ = what_is_unseen(run.events);
    else
      contradiction_ = knowledge_.learn(run.events, run.output, run.failures(), merges(), shared);
    contradicted_ = !contradiction_.empty();
    unseen_code_ &= run.reply->unpredictable != Unpredictable::Unexplained;
    control_.counters.histories.store(knowledge_.histories());
  }
  void sharing_grew() { grew_ = true; }
  void contradict(const std::string& why) {
    std::lock_guard lock(mutex_);
    if (contradiction_.empty()) contradiction_ = why;
    contradicted_ = true;
  }
  std::vector<PredictedRace> predict(const solve::CausalModel& model, solve::Solver& solver) {
    std::lock_guard lock(race_mutex_);
    return predictor_.predict(model, solver);
  }

  /// What counts of a run that recorded everything.
  std::vector<Event> shared_events(std::span<const Event> events, const SharedBytes& shared) const {
    std::vector<Event> kept;
    filter_trace(events, memory(), Flushes::Keep, shared, kept);
    return kept;
  }

  std::shared_ptr<const solve::CausalModel> model_of(std::span<const Event> events) const {
    auto model = std::make_shared<solve::CausalModel>(events, memory());
    if (const depend::Relation* relation = exploration_.options.dependence.get()) model->depend(relation->of(*model));
    return model;
  }

  Exploration& exploration() { return exploration_; }
  const machine::MemoryRules& memory() const { return exploration_.options.memory; }
  /// Are histories after which a thread is in the same state one? As complete_knowledge has it.
  bool merges() const { return exploration_.options.merge && !exploration_.options.classes; }
  bool has_grown() const { return grew_; }
  /// What was found so far cannot be used.
  bool is_over() const { return grew_ || contradicted_; }
  const std::string& contradiction() const { return contradiction_; }
  Fallback fallback() const { return {contradiction_, !unseen_code_}; }
  Behaviour& knowledge() { return knowledge_; }
  const std::deque<Seed>& seeds() const { return seeds_; }

 private:
  /// A seed must show its thread something new (000 §3.4: at least one new event). A run since may have shown it; were
  /// it only that two hashes are equal, complete knowledge would still find out.
  void drop_known() {
    while (!seeds_.empty() && histories_.contains(seeds_.back().history)) seeds_.pop_back();
  }

  Exploration& exploration_;
  Control& control_;
  Album& album_;
  std::vector<Old> old_;
  std::mutex mutex_, race_mutex_;
  std::condition_variable changed_;
  std::deque<Seed> seeds_;  // the last ones go first: they change what a run did last, where most checks are
  std::unordered_set<u64> histories_, waiting_for_, guessed_;
  std::vector<u64> noted_;
  PartWriter* handed_over_ = nullptr;
  Behaviour knowledge_;
  RacePredictor predictor_;
  std::string contradiction_;
  bool unseen_code_ = false;  // is known to run, and may explain it
  u32 members_ = 1, waiting_ = 0;
  std::atomic<bool> grew_{false}, contradicted_{false};
};

}  // namespace plait::mcr
