// Offline exploration as in paper 001, Algorithms 1 and 2: seeds come from the conflicts of runs (pairs that
// interfere), one conflict reversed in each, and can be run in any order, by any number of processes.
//
// Which part of the run a seed keeps. The paper keeps the prefix of any order that satisfies the constraints, up to the
// reversed pair; the shorter, the better. That loses runs: of two independent conflicts (x, y) and (e, f), reversing
// the second in a run where the first is reversed already gives the seed "f" again, which is known. Here a seed keeps
// everything that does not happen after the first event of the pair. Then every run is found:
//   Let s be a run that is possible, up to equivalence. Of the runs made, take one that agrees with s on as many events
//   D as possible (a set closed under happened-before, with the same order), and let e be the next event of s. In that
//   run e comes after D and after some events that are not in D. One of them, f, interferes with e directly. Reversing
//   (f, e) keeps D, which has nothing that happens after f, and leaves fewer such events; in the end D and e agree.
//   A seed that is the beginning of a run that was made already, up to equivalence, need not be run: that run serves as
//   well.
// By the same rule no run is equivalent to another: a seed whose run were known would have been covered by it. Only
// runs that are under way at the same time can meet. The price is memory: all runs are remembered (explored.h).
#include <fmt/core.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <optional>
#include <thread>

#include "base/error.h"
#include "exogenous/explored.h"
#include "exogenous/explorer.h"
#include "exogenous/z3_orders.h"

namespace plait::exogenous {
namespace {

struct Seed {
  std::vector<Symbol> events;
  std::vector<Mark> marks;
  bool may_fail = false;
  Symbol first = kNoSymbol;  // of the pair that was reversed; the second is the last event
};

/// One run, and the seeds that follow from it.
class Analysis {
 public:
  Analysis(const Execution& run, const Relations& relations)
      : run_(run), relations_(relations), catalogue_(relations.catalogue()), order_(run, relations) {
    for (u32 j = 0; j < order_.size(); ++j) {
      Mark sum = 0;
      for (u32 i = 0; i < j; ++i)
        if (order_.tie(i, j) != Tie::None) sum += marks_[i];
      marks_.push_back(mark_of(id(j), sum));
    }
  }

  const std::vector<Mark>& marks() const { return marks_; }
  std::vector<Reversal> reversals(bool z3) const {
    std::vector<Reversal> all = z3 ? z3_reversals(order_, static_cast<u32>(run_.pending.size())) : order_.reversals();
    std::vector<Reversal> others = order_.alternatives();
    std::move(others.begin(), others.end(), std::back_inserter(all));
    return all;
  }

  Seed seed(const Reversal& reversal, bool shortest) const {
    std::vector<u32> kept;
    for (u32 i = 0; i < reversal.first; ++i) kept.push_back(i);
    kept.insert(kept.end(), reversal.between.begin(), reversal.between.end());
    if (shortest) kept = needed(reversal, kept);
    Seed seed;
    Mark sum = 0;
    for (const u32 k : kept) {
      seed.events.push_back(id(k));
      seed.marks.push_back(marks_[k]);
      if (comes_with(k, reversal)) sum += marks_[k];
    }
    const Symbol second = catalogue_[reversal.second].id;
    seed.events.push_back(second);
    seed.marks.push_back(mark_of(second, sum));
    seed.may_fail = reversal.may_fail;
    seed.first = id(reversal.first);
    return seed;
  }

 private:
  Symbol id(u32 i) const { return catalogue_[order_.event(i)].id; }

  bool comes_with(u32 k, const Reversal& reversal) const {
    if (reversal.index == kNotPerformed || k > reversal.index)
      return relations_.tie(order_.event(k), reversal.second) != Tie::None;
    return order_.tie(k, reversal.index) != Tie::None;
  }

  /// What the second event needs, and nothing else.
  std::vector<u32> needed(const Reversal& reversal, const std::vector<u32>& kept) const {
    std::vector<u32> result;
    for (size_t n = kept.size(); n-- > 0;) {
      const u32 k = kept[n];
      bool keeps = comes_with(k, reversal);
      for (const u32 other : result) keeps = keeps || order_.before(k, other);
      if (keeps) result.insert(result.begin(), k);
    }
    return result;
  }

  const Execution& run_;
  const Relations& relations_;
  const Catalogue& catalogue_;
  const RunOrder order_;
  std::vector<Mark> marks_;
};

class Conflicts {
 public:
  explicit Conflicts(Search& search) : search_(search) { queue_.push_back({}); }

  bool explore(Runtime& first) {
    std::vector<std::jthread> helpers;
    for (u32 n = 1; n < search_.options.jobs; ++n) helpers.emplace_back([this] { help(); });
    try {
      work(first);
    } catch (...) {
      fail(std::current_exception());
    }
    helpers.clear();  // joins
    if (error_) std::rethrow_exception(error_);
    search_.control.counters.interleavings = explored_.size();
    return !search_.control.stopped() && queue_.empty();
  }

 private:
  static constexpr size_t kWorthAHelper = 64;  // seeds
  static constexpr size_t kSeedsForEach = 16;  // that wait, for each run under way

  void help() {
    try {
      std::unique_lock lock(mutex_);
      wait(lock, [&] { return over() || queue_.size() >= kWorthAHelper; });
      if (over()) return;
      lock.unlock();
      Runtime runtime(search_.options.runtime, search_.catalogue, search_.control.cancel_flag());
      work(runtime);
    } catch (...) {
      fail(std::current_exception());
    }
  }

  /// The clock and the user stop the search without a word to those who wait.
  void wait(std::unique_lock<std::mutex>& lock, const std::function<bool()>& until) {
    while (!wake_.wait_for(lock, std::chrono::milliseconds(20), until)) continue;
  }

  void fail(const std::exception_ptr& error) {
    std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
    wake_.notify_all();
  }

  bool over() const { return error_ || search_.control.stopped() || (queue_.empty() && busy_ == 0); }

  /// Under the lock.
  size_t most_under_way(const Runtime& runtime) const {
    if (search_.options.window) return *search_.options.window;
    return std::clamp<size_t>(queue_.size() / (kSeedsForEach * search_.options.jobs), 1, runtime.hello().window);
  }

  /// A seed that has to be run, if there is one.
  std::optional<Seed> take() {
    while (!queue_.empty() && !search_.control.stopped()) {
      Seed seed = std::move(queue_.back());
      queue_.pop_back();
      if (is_covered(seed)) continue;
      if (search_.control.take(1) == 0) {
        queue_.push_back(std::move(seed));
        break;
      }
      return seed;
    }
    return std::nullopt;
  }

  void work(Runtime& runtime) {
    const Relations relations = search_.relations;  // with answers of its own
    std::deque<Seed> asked;
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        if (asked.empty()) wait(lock, [&] { return over() || !queue_.empty(); });
        while (!error_ && asked.size() < most_under_way(runtime)) {
          std::optional<Seed> seed = take();
          if (!seed) break;
          ++busy_;
          runtime.ask(seed->events);
          asked.push_back(std::move(*seed));
        }
        if (asked.empty()) {
          wake_.notify_all();
          if (over()) return;
          continue;
        }
      }
      Execution run;
      try {
        run = runtime.next();
      } catch (const Cancelled&) {
        return;
      }
      const Seed seed = std::move(asked.front());
      asked.pop_front();
      learn(run, seed, relations);
    }
  }

  std::string reason(const Seed& seed) const {
    if (seed.first == kNoSymbol) return "the first run";
    return fmt::format("'{}' before '{}', which interferes", search_.catalogue.symbols.text(seed.events.back()),
                       search_.catalogue.symbols.text(seed.first));
  }

  void learn(const Execution& run, const Seed& seed, const Relations& relations) {
    std::vector<Seed> seeds;
    std::vector<Mark> marks;
    if (search_.accept(run, seed.may_fail, reason(seed))) {
      const Analysis analysis(run, relations);
      for (const Reversal& reversal : analysis.reversals(search_.options.z3))
        seeds.push_back(analysis.seed(reversal, search_.options.shortest_seeds));
      marks = analysis.marks();
    }
    std::lock_guard lock(mutex_);
    --busy_;
    if (run.status != EndStatus::Diverged) {
      note_prefixes(marks);
      explored_.add(std::move(marks));
    }
    for (Seed& one : seeds)
      if (is_new(one)) queue_.push_back(std::move(one));
    wake_.notify_all();
  }

  bool is_new(const Seed& seed) {
    Mark sum = 0;
    for (const Mark mark : seed.marks) sum += mark;
    return seeds_.insert(sum).second && !is_covered(seed);
  }

  bool is_covered(const Seed& seed) const { return !search_.options.shortest_seeds && explored_.covers(seed.marks); }

  /// PrefixesOf in Algorithm 1, compared by their conflicts.
  void note_prefixes(const std::vector<Mark>& marks) {
    if (!search_.options.shortest_seeds) return;
    Mark sum = 0;
    for (const Mark mark : marks) seeds_.insert(sum += mark);
  }

  Search& search_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Seed> queue_;  // the newest first
  std::unordered_set<Mark, MarkHash> seeds_;
  Explored explored_;
  u32 busy_ = 0;  // runs under way
  std::exception_ptr error_;
};

}  // namespace

bool explore_conflicts(Search& search, Runtime& first) { return Conflicts(search).explore(first); }

}  // namespace plait::exogenous
