#include "check/minimise.h"

#include <chrono>
#include <tuple>

#include "check/buffered_stores.h"
#include "explore/schedule.h"

namespace plait {
namespace {

constexpr u32 kVariantsAtOnce = 64;

using Blocks = std::vector<Choice>;
using Fate = BufferedStores::Fate;

struct Cost {
  u32 delays = 0, switches = 0, points = 0;
  auto operator<=>(const Cost&) const = default;
};

class Minimiser {
 public:
  Minimiser(Runner& runner, const FoundBug& found, const MinimiseOptions& options)
      : runner_(runner), options_(options), begin_(std::chrono::steady_clock::now()) {
    // A failure behind those of others is asked for by the last entry, which no event shows.
    const std::vector<Choice>& steps = found.witness.schedule.choices;
    if (!steps.empty() && steps.back().position == kNextPoint) ending_ = steps.back();
    claim_ = found.witness.schedule.claim;
  }

  Minimised run(const FoundBug& found) {
    Minimised result{found.witness};
    // That a program never ends cannot be seen in a run: of another schedule it may not be true.
    if (claim_.kind == Claim::Endless || found.witness.schedule.choices.empty() || !learn(found)) return result;
    while (improve_by_flushing() || improve_by_ranges() || improve_by_extending()) continue;
    if (ending_) steps_.push_back(*ending_);
    result.witness.schedule.choices = steps_;
    result.witness.switches = switches_;
    result.witness.points = cost_.points;
    result.switches = cost_.switches;
    result.delays = cost_.delays;
    result.runs = runs_;
    result.points = points_;
    return result;
  }

 private:
  bool out_of_budget() const {
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    return runs_ >= options_.runs || points_ >= options_.points || elapsed.count() > options_.seconds ||
           (options_.stop && *options_.stop);
  }

  /// Runs the schedule as found: which bug is it?
  bool learn(const FoundBug& found) {
    if (learn_with(found, 0)) return true;
    // Other threads may have failed before, and stopped.
    return learn_with(found, request_flag::kAgain);
  }

  bool learn_with(const FoundBug& found, u8 flags) {
    bool same = false;
    flags_ = flags;
    run_all({merged(std::span(found.witness.schedule.choices))}, [&](const RunView& view) {
      same = view.reply->status == RunStatus::Failed && view.reply->failure.kind == found.failure.kind &&
             !view.reply->sharing_grew;
      if (!same) return;
      key_ = bug_key(view);
      keep(view);
    });
    return same;
  }

  Cost cost_of(const RunView& view) const {
    const BufferedStores stores(view.events, options_.memory);
    return {stores.delayed(), count_switches(view.events), view.reply->points};
  }

  void keep(const RunView& view) {
    cost_ = cost_of(view);
    switches_ = view.reply->switches;
    steps_.clear();
    append_steps(view.events, steps_);
    if (options_.memory.buffers) events_.assign(view.events.begin(), view.events.end());
  }

  template <class Use>
  void run_all(const std::vector<Blocks>& variants, Use&& use) {
    static const std::atomic<bool> never{false};
    Request request{};
    request.tail = Tail::First;
    request.flags = request_flag::kAllEvents | flags_;
    request.claim = claim_;
    batch_.clear();
    for (const Blocks& blocks : variants) batch_.add(request, blocks);
    runs_ += static_cast<u32>(variants.size());
    runner_.run_again(batch_, options_.stop ? *options_.stop : never, [&](u32, const RunView& view) {
      points_ += view.reply->points;
      use(view);
    });
  }

  /// Keeps the best of the variants if it beats what is known.
  bool try_variants(std::vector<Blocks>& variants) {
    bool better = false;
    for (Blocks& blocks : variants)
      if (ending_) blocks.push_back(*ending_);
    run_all(variants, [&](const RunView& view) {
      if (view.reply->status != RunStatus::Failed || view.reply->sharing_grew) return;
      if (cost_of(view) >= cost_ || bug_key(view) != key_) return;
      keep(view);
      better = true;
    });
    variants.clear();
    return better;
  }

  enum class Place { BehindStore, BeforeNextStep };

  /// The steps, but with the flushes of these stores (indices of events) directly behind their stores, or in front of
  /// what their threads do next but store: either makes them look like stores under SC. A store is no step: behind it
  /// is behind all steps before it.
  Blocks with_moved_flushes(const std::vector<size_t>& stores, Place place) const {
    std::vector<bool> moved(events_.size());
    for (size_t store : stores) moved[store] = true;
    const BufferedStores fates(events_, options_.memory);
    std::vector<Choice> steps;
    std::vector<std::vector<Choice>> held(kMaxThreads);
    for (size_t i = 0; i < events_.size(); ++i) {
      const Event& e = events_[i];
      std::vector<Choice>& own = held[owner_of(e.thread)];
      if (moved[i]) own.push_back({kChosenStep, buffer_of(e.thread), 0, e.position});
      const bool only_stores = fates.fate(i) != Fate::NotBuffered || e.op == Op::Fence || e.op == Op::Extension;
      if (place == Place::BehindStore || !only_stores) {
        steps.insert(steps.end(), own.begin(), own.end());
        own.clear();
      }
      const bool is_moved = e.op == Op::Flush && fates.partner(i) != BufferedStores::kNone && moved[fates.partner(i)];
      if ((e.flags & event_flag::kPoint) && !is_moved) steps.push_back(step_of(e));
    }
    return merged(steps);
  }

  /// Stores that do not wait are easier to understand: those of all threads, of one thread, one and what must leave the
  /// buffer before it, one alone (PSO).
  bool improve_by_flushing() {
    if (cost_.delays == 0) return false;
    const BufferedStores fates(events_, options_.memory);
    std::vector<size_t> all;
    std::vector<std::vector<size_t>> of_thread(kMaxThreads);
    std::vector<std::vector<size_t>> sets;
    for (size_t i = 0; i < events_.size(); ++i) {
      if (fates.fate(i) == Fate::NotBuffered || events_[i].op == Op::Flush) continue;
      std::vector<size_t>& own = of_thread[events_[i].thread];
      all.push_back(i);
      own.push_back(i);
      if (fates.fate(i) != Fate::Delayed) continue;
      sets.push_back(own);
      if (own.size() > 1 && !options_.memory.in_order) sets.push_back({i});
    }
    sets.insert(sets.begin(), of_thread.begin(), of_thread.end());
    sets.insert(sets.begin(), all);
    std::vector<Blocks> variants;
    for (size_t i = 0; i < sets.size(); ++i) {
      if (!sets[i].empty())
        for (Place place : {Place::BehindStore, Place::BeforeNextStep})
          variants.push_back(with_moved_flushes(sets[i], place));
      const bool last = i + 1 == sets.size();
      if (variants.empty() || (variants.size() < kVariantsAtOnce && !last)) continue;
      if (out_of_budget()) return false;
      if (try_variants(variants)) return true;
    }
    return false;
  }

  bool improve_by_ranges() {
    std::vector<Blocks> variants;
    Blocks blocks = merged(steps_);
    for (size_t length = blocks.size(); length > 0; length /= 2) {
      for (size_t from = 0; from < blocks.size(); from += length) {
        if (out_of_budget()) return false;
        Blocks variant(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(from));
        variant.insert(variant.end(),
                       blocks.begin() + static_cast<std::ptrdiff_t>(std::min(from + length, blocks.size())),
                       blocks.end());
        variants.push_back(std::move(variant));
        bool last = from + length >= blocks.size();
        if ((variants.size() == kVariantsAtOnce || last) && try_variants(variants)) return true;
      }
    }
    return false;
  }

  bool improve_by_extending() {
    std::vector<Blocks> variants;
    Blocks blocks = merged(steps_);
    for (size_t i = 0; i < blocks.size(); ++i) {
      size_t next = i + 1;
      while (next < blocks.size() && blocks[next].thread != blocks[i].thread) ++next;
      if (next < blocks.size()) {
        Blocks variant = blocks;
        variant[i] = blocks[next];
        variant.erase(variant.begin() + static_cast<std::ptrdiff_t>(next));
        variants.push_back(std::move(variant));
      }
      bool last = i + 1 == blocks.size();
      if (variants.empty() || (variants.size() < kVariantsAtOnce && !last)) continue;
      if (out_of_budget()) return false;
      if (try_variants(variants)) return true;
    }
    return false;
  }

  Runner& runner_;
  Batch batch_;
  MinimiseOptions options_;
  std::chrono::steady_clock::time_point begin_;
  std::optional<Choice> ending_;
  Claim claim_ = {};
  BugKey key_{};
  Cost cost_;
  std::vector<Choice> steps_;
  std::vector<Event> events_;  // TSO, PSO: of the run that is kept
  u32 switches_ = 0;
  u32 runs_ = 0;
  u64 points_ = 0;
  u8 flags_ = 0;
};

}  // namespace

Minimised minimise(Runner& runner, const FoundBug& found, const MinimiseOptions& options) {
  return Minimiser(runner, found, options).run(found);
}

u32 count_switches(std::span<const Event> events) {
  u32 switches = 0;
  ThreadId last = kNoThread;
  for (const Event& event : events) {
    if (!(event.flags & event_flag::kPoint) || event.op == Op::Flush) continue;
    switches += last != kNoThread && last != event.thread;
    last = event.thread;
  }
  return switches;
}

}  // namespace plait
