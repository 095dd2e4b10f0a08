#include "check/minimise.h"

#include <chrono>
#include <tuple>

#include "explore/schedule.h"

namespace plait {
namespace {

constexpr u32 kVariantsAtOnce = 64;

using Blocks = std::vector<Choice>;

struct Cost {
  u32 switches = 0, points = 0;
  auto operator<=>(const Cost&) const = default;
};

class Minimiser {
 public:
  Minimiser(Worker& worker, const FoundBug& found, const MinimiseOptions& options)
      : worker_(worker), options_(options), begin_(std::chrono::steady_clock::now()) {
    // A data race is asked for by the last entry, which no event shows.
    const std::vector<Choice>& steps = found.witness.steps;
    if (!steps.empty() && steps.back().position == kNextPoint && (steps.back().arg & kRaceWith)) ending_ = steps.back();
  }

  Minimised run(const FoundBug& found) {
    Minimised result{found.witness, 0, 0};
    if (found.witness.steps.empty() || !learn(found)) return result;
    while (improve_by_ranges() || improve_by_extending()) continue;
    result.witness.steps = steps_;
    if (ending_) result.witness.steps.push_back(*ending_);
    result.witness.switches = switches_;
    result.witness.points = cost_.points;
    result.switches = cost_.switches;
    result.runs = runs_;
    return result;
  }

 private:
  bool out_of_budget() const {
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    return runs_ >= options_.runs || elapsed.count() > options_.seconds;
  }

  /// Runs the schedule as found: which bug is it?
  bool learn(const FoundBug& found) {
    bool same = false;
    run_all({merged(found.witness.steps)}, [&](const RunView& view) {
      same = view.reply->status == RunStatus::Failed && view.reply->failure.kind == found.failure.kind &&
             !view.reply->sharing_grew;
      if (!same) return;
      key_ = bug_key(view);
      keep(view);
    });
    return same;
  }

  static Cost cost_of(const RunView& view) { return {count_switches(view.events), view.reply->points}; }

  void keep(const RunView& view) {
    cost_ = cost_of(view);
    switches_ = view.reply->switches;
    steps_.clear();
    append_steps(view.events, steps_);
  }

  template <class Use>
  void run_all(const std::vector<Blocks>& variants, Use&& use) {
    static const std::atomic<bool> never{false};
    Request request{};
    request.tail = Tail::First;
    request.flags = request_flag::kAllEvents;
    worker_.clear();
    for (const Blocks& blocks : variants) worker_.add(request, blocks);
    runs_ += static_cast<u32>(variants.size());
    worker_.run(never, [&](u32, const RunView& view) { use(view); });
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

  bool improve_by_ranges() {
    std::vector<Blocks> variants;
    Blocks blocks = merged(steps_);
    for (size_t length = blocks.size(); length > 0; length /= 2) {
      for (size_t from = 0; from < blocks.size(); from += length) {
        if (out_of_budget()) return false;
        Blocks variant(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(from));
        variant.insert(variant.end(), blocks.begin() + static_cast<std::ptrdiff_t>(std::min(from + length, blocks.size())),
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

  Worker& worker_;
  MinimiseOptions options_;
  std::chrono::steady_clock::time_point begin_;
  std::optional<Choice> ending_;
  BugKey key_{};
  Cost cost_;
  std::vector<Choice> steps_;
  u32 switches_ = 0;
  u32 runs_ = 0;
};

}  // namespace

Minimised minimise(Worker& worker, const FoundBug& found, const MinimiseOptions& options) {
  return Minimiser(worker, found, options).run(found);
}

u32 count_switches(std::span<const Event> events) {
  u32 switches = 0;
  ThreadId last = kNoThread;
  for (const Event& event : events) {
    if (!(event.flags & event_flag::kPoint)) continue;
    switches += last != kNoThread && last != event.thread;
    last = event.thread;
  }
  return switches;
}

}  // namespace plait
