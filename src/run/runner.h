// Runs as functions: a batch of schedules and a visibility in, traces out. Explorers see the program under test through
// this interface only. host/ implements it with processes of an instrumented program, tests with a script.
//
//   std::unique_ptr<Runner> runner = runners.make();
//   batch.clear();
//   batch.add(request, schedule);                    // up to kBatch times
//   runner->run(batch, visibility, cancel, [&](u32 index, const RunView& run) { ... });
#pragma once
#include <atomic>
#include <functional>
#include <memory>

#include "run/batch.h"
#include "run/run_view.h"
#include "run/visibility.h"

namespace plait {

struct LabelTables;

/// Makes one run at a time. Belongs to the thread that made it.
class Runner {
 public:
  using Consume = std::function<void(u32 index, const RunView&)>;

  virtual ~Runner() = default;
  /// Makes the batch's runs; `consume` sees each of them once, in order. Runs that were made, or may have been made,
  /// with more than `given` are marked (RunView::outgrown): with exactly that, a run is a function of its schedule.
  /// When `cancel` becomes true, the runs that have not finished are dropped: the result is then false.
  virtual bool run(const Batch& batch, const Visibility& given, const std::atomic<bool>& cancel,
                   const Consume& consume) = 0;

  /// For schedules that do not depend on what is visible: replays name operations by their positions.
  bool run_again(const Batch& batch, const std::atomic<bool>& cancel, const Consume& consume) {
    return run(batch, Visibility(), cancel, consume);
  }
};

/// All runners of one program; what one of them finds out, the others take over before their next run.
class Runners {
 public:
  virtual ~Runners() = default;
  /// For the calling thread, which must live as long as the runner.
  virtual std::unique_ptr<Runner> make() = 0;
  /// As runs made now would have it.
  virtual Visibility visibility() = 0;
  /// From now on the size of the block that begins there is something that threads share: who allocates the block
  /// writes it, who frees the block reads it. False if it was so already, or if the runners have no blocks.
  virtual bool share_block_size(u64 /*block*/) { return false; }
  /// What the labels of traces mean (request_flag::kLabels); null: they have none.
  virtual const LabelTables* labels() { return nullptr; }
  /// Begins new tables. Only while nobody runs.
  virtual void forget_labels() {}
};

/// Runners of a program for which this much is known already, under this memory model.
using MakeRunners = std::function<std::unique_ptr<Runners>(const Visibility& begin_with)>;

}  // namespace plait
