#include "exogenous/findings.h"

#include <algorithm>

namespace plait::exogenous {

FailureKey failure_key(const Execution& run, const Catalogue& catalogue) {
  if (run.status == EndStatus::Failed)
    return {run.failure.kind, run.failure.message, run.failure.file, run.failure.line};
  std::vector<std::string> waiting;
  for (const u32 event : run.pending) waiting.push_back(catalogue.text(event));
  std::sort(waiting.begin(), waiting.end());
  std::string message = run.message;
  if (message.empty())
    for (const std::string& one : waiting) message += (message.empty() ? "" : "; ") + one;
  return {"deadlock", message, "", 0};
}

u32 switches_of(const Execution& run, const Catalogue& catalogue) {
  u32 switches = 0;
  for (size_t i = 1; i < run.events.size(); ++i)
    switches += catalogue[run.events[i]].actor != catalogue[run.events[i - 1]].actor;
  return switches;
}

template <typename Key>
void Findings::keep(std::map<Key, Kept>& map, const Key& key, const Execution& run) {
  Kept kept;
  kept.switches = switches_of(run, catalogue_);
  for (const u32 event : run.events) kept.events.push_back(catalogue_[event].id);
  const auto [at, fresh] = map.try_emplace(key, kept);
  if (!fresh && kept.better_than(at->second)) at->second = std::move(kept);
}

void Findings::finished(const Execution& run) {
  std::lock_guard lock(mutex_);
  if (run.failed()) {
    const FailureKey key = failure_key(run, catalogue_);
    const bool counts = is_bug_(key.kind);
    keep(counts ? bugs : ignored, key, run);
    if (counts && !keep_going_) control_.stop(StopReason::Bug);
  } else if (outcomes_wanted_ && run.status == EndStatus::Complete && run.result) {
    keep(outcomes, *run.result, run);
  }
}

namespace {

/// Tries seeds as long as it may, and remembers the best failing run.
class Shortening {
 public:
  Shortening(Runtime& runtime, const Catalogue& catalogue, Execution failing, const FailureKey& key,
             const std::atomic<bool>& stop)
      : runtime_(runtime), catalogue_(catalogue), best_(std::move(failing)), key_(key), stop_(stop) {}

  Execution run() {
    // The runtime goes on by itself, as a rule without changing the actor: less to follow may be easier to read.
    for (size_t length = 0; length < best_.events.size() && may_try(); length = length ? length * 2 : 1)
      if (attempt(ids(length))) break;
    for (bool better = true; better && may_try();) {
      better = false;
      for (size_t at = 1; at < best_.events.size() && may_try(); ++at) better |= join_at(at);
      for (size_t at = best_.events.size(); at-- > 0 && may_try();) better |= leave_out(at);
    }
    return best_;
  }

 private:
  static constexpr u32 kLeastRuns = 50, kMostRuns = 2000;
  static constexpr auto kTime = std::chrono::milliseconds(300);  // for more than the least

  bool may_try() const {
    return runs_ < kMostRuns && !stop_ && (runs_ < kLeastRuns || std::chrono::steady_clock::now() - begin_ < kTime);
  }

  u32 actor(size_t i) const { return catalogue_[best_.events[i]].actor; }

  std::vector<Symbol> ids(size_t length) const {
    std::vector<Symbol> seed;
    for (size_t i = 0; i < length; ++i) seed.push_back(catalogue_[best_.events[i]].id);
    return seed;
  }

  u32 cost(const Execution& run) const { return switches_of(run, catalogue_) * 100000 + run.events.size(); }

  bool attempt(const std::vector<Symbol>& seed) {
    ++runs_;
    return is_better(runtime_.run(seed));
  }

  bool is_better(Execution run) {
    if (!run.failed() || !(failure_key(run, catalogue_) == key_) || cost(run) >= cost(best_)) return false;
    best_ = std::move(run);
    return true;
  }

  /// Where the actor changes: the one that ran goes on, or the one that comes next has come earlier.
  bool join_at(size_t at) {
    if (actor(at) == actor(at - 1)) return false;
    size_t next = at;
    while (next < best_.events.size() && actor(next) != actor(at - 1)) ++next;
    if (next < best_.events.size()) {  // its next block moves here
      size_t end = next;
      while (end < best_.events.size() && actor(end) == actor(at - 1)) ++end;
      std::vector<Symbol> seed = ids(best_.events.size());
      std::rotate(seed.begin() + static_cast<std::ptrdiff_t>(at), seed.begin() + static_cast<std::ptrdiff_t>(next),
                  seed.begin() + static_cast<std::ptrdiff_t>(end));
      seed.resize(end);
      if (attempt(seed)) return true;
      seed.resize(at + end - next);
      if (attempt(seed)) return true;
    }
    return attempt(ids(at));  // and then as the runtime likes
  }

  /// Without this event, and without those that are not possible then.
  bool leave_out(size_t at) {
    if (at >= best_.events.size()) return false;
    std::vector<Symbol> seed = ids(best_.events.size());
    drop(seed, at);
    while (may_try()) {
      ++runs_;
      Execution run = runtime_.run(seed);
      if (run.status != EndStatus::Diverged) return is_better(std::move(run));
      drop(seed, run.at);
    }
    return false;
  }

  /// Takes an event out of a seed. "ACTOR:3" is not possible without "ACTOR:2": those behind it go with it.
  void drop(std::vector<Symbol>& seed, size_t at) const {
    const std::string& id = catalogue_.symbols.text(seed[at]);
    const auto counts = [&](Symbol symbol) {
      const std::string& other = catalogue_.symbols.text(symbol);
      const size_t colon = other.rfind(':');
      return colon != std::string::npos && other.compare(0, colon + 1, id, 0, id.rfind(':') + 1) == 0 &&
             other.find_first_not_of("0123456789", colon + 1) == std::string::npos;
    };
    const auto first = seed.begin() + static_cast<std::ptrdiff_t>(at);
    const bool numbered = counts(*first);
    seed.erase(numbered ? std::remove_if(first, seed.end(), counts) : first, numbered ? seed.end() : first + 1);
  }

  Runtime& runtime_;
  const Catalogue& catalogue_;
  Execution best_;
  const FailureKey& key_;
  const std::atomic<bool>& stop_;
  u32 runs_ = 0;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

Execution minimise(Runtime& runtime, const Catalogue& catalogue, Execution failing, const FailureKey& key,
                   const std::atomic<bool>& stop) {
  return Shortening(runtime, catalogue, std::move(failing), key, stop).run();
}

}  // namespace plait::exogenous
