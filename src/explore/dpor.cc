// Optimal dynamic partial-order reduction (Abdulla, Aronis, Jonsson, Sagonas: Source sets: a foundation for optimal
// dynamic partial order reduction, JACM 64(4), 2017, algorithm 2): exactly one run for each Mazurkiewicz trace.
//
// Depth first. A frame per scheduling point of the current run keeps the threads asleep there and the wakeup tree: its
// first branch is the one being explored. When a run has ended, each pair of events that could have come the other way
// round puts the sequence that makes it so into the tree of the frame before the pair.
//
// Beyond the paper:
// - Operations that block (locks, waits, semaphores, barriers, joins) are paired with every earlier event that they
// could have overtaken, which the
//   machine decides; a sequence too many costs nothing, as the tree takes only what is new.
// - Operations with several results (which waiter a signal wakes) are performed once for each.
// - A run that ends early (a failure, a false assumption, exit) hides what the other threads would have done: each of
// them steps once at
//   the last point where it could. That may cost runs that end in a sleep set (`blocked_executions`).
#include "explore/class_counter.h"
#include "explore/local_histories.h"
#include "explore/path_runs.h"
#include "explore/self_check.h"
#include "explore/wakeup_tree.h"

namespace plait {
namespace {

struct Frame {
  size_t item = 0;  // the event performed here, in the order
  std::vector<Sleeper> sleep;
  WakeupNodes tree;       // its first branch is being explored
  u64 args_left = 0;      // other choices of the operation performed here
  bool choosing = false;  // one of these is being explored
};

class Dpor {
 public:
  /// `contradiction`: see make_dpor_around_unseen.
  explicit Dpor(Exploration& exploration, std::string* contradiction = nullptr)
      : exploration_(exploration),
        runs_(exploration),
        order_(exploration.options.memory),
        contradiction_(contradiction) {}

  Attempt explore() {
    Attempt result = run_on();
    while (result == Attempt::Complete && !frames_.empty() && !is_contradicted()) {
      if (next_branch(frames_.back()))
        result = run_on();
      else
        frames_.pop_back();
    }
    if (is_contradicted()) return Attempt::Stopped;
    if (result == Attempt::Complete && order_.was_full())
      exploration_.sink.not_complete("store-buffer: one was full under PSO; which store makes room is not varied");
    return result;
  }

 private:
  bool is_contradicted() const { return contradiction_ && !contradiction_->empty(); }

  /// The branch at this frame is done; false if it was the last.
  bool next_branch(Frame& frame) {
    const TraceItem& done = order_[frame.item];
    if (frame.args_left) {
      const u16 arg = lowest(frame.args_left);
      frame.args_left &= frame.args_left - 1;
      frame.tree.front() = wakeup_node(done);
      frame.tree.front().step.arg = arg;
      frame.choosing = true;
      return true;
    }
    frame.choosing = false;
    frame.sleep.push_back({done.actor(), done.operation});
    frame.tree.erase(frame.tree.begin());
    return !frame.tree.empty();
  }

  /// Runs the path of all frames but the last, then the first branches of the last one's tree, then on without
  /// sleepers.
  Attempt run_on() {
    std::vector<Choice> steps;
    std::vector<Sleeper> sleep;
    for (size_t i = 0; i + 1 < frames_.size(); ++i) steps.push_back(step_of(order_[frames_[i].item].event));
    if (!frames_.empty()) {
      sleep = frames_.back().sleep;
      for (const WakeupNode* node = &frames_.back().tree.front();; node = &node->children.front()) {
        steps.push_back(node->step);
        if (node->children.empty()) break;
        sleep = still_asleep(sleep, node->actor(), node->operation);
      }
    }
    PathRuns::SleepSet asleep;
    for (const Sleeper& sleeper : sleep) {
      if (sleeper.operation.unseen) continue;  // the last step wakes it, which only we know
      if (sleeper.operation.op == Op::Flush)
        asleep.stores.push_back({Choice::Asleep, sleeper.actor.thread, 0, sleeper.actor.store});
      else
        asleep.threads |= bit(sleeper.actor.thread);
    }
    return runs_.run(steps, Tail::Sleep, asleep, [&](const RunView& run) { learn(run); });
  }

  static std::vector<Sleeper> still_asleep(const std::vector<Sleeper>& sleep, Actor actor,
                                           const machine::Operation& operation) {
    std::vector<Sleeper> result;
    for (const Sleeper& sleeper : sleep)
      if (sleeper.actor != actor &&
          !machine::dependent(actor.thread, operation, sleeper.actor.thread, sleeper.operation))
        result.push_back(sleeper);
    return result;
  }

  void learn(const RunView& run) {
    if (exploration_.options.classes && run.reply->status == RunStatus::Complete) {
      classes_.add(run.events);
      exploration_.control.counters.classes.store(classes_.size());
    }
    const bool root = frames_.empty();
    const size_t known = root ? 0 : frames_.back().item;
    order_.truncate(known);
    order_.append(run.events, known);
    if (contradiction_) *contradiction_ = unexplained(run);
    if (is_contradicted()) return;
    size_t fresh = known;
    if (!root) {
      if (fresh == order_.size() || order_[fresh].actor() != frames_.back().tree.front().actor())
        return diverged(fresh);
      enter(frames_.back(), fresh++);
    }
    for (; fresh < order_.size(); ++fresh) {
      if (!order_[fresh].is_point()) continue;
      Frame next;
      if (!frames_.empty()) {
        Frame& last = frames_.back();
        const TraceItem& done = order_[last.item];
        next.sleep = still_asleep(last.sleep, done.actor(), done.operation);
        next.tree = std::move(last.tree.front().children);
        last.tree.front().children.clear();
      }
      if (next.tree.empty()) next.tree.push_back(wakeup_node(order_[fresh]));
      if (next.tree.front().actor() != order_[fresh].actor()) return diverged(fresh);
      frames_.push_back(std::move(next));
      enter(frames_.back(), fresh);
    }
    for (size_t late = known; late < order_.size(); ++late) reverse_races(late);
    if (run.reply->status != RunStatus::Complete && run.reply->status != RunStatus::Redundant) let_others_step();
  }

  /// What code that nobody sees does not explain; empty: nothing.
  std::string unexplained(const RunView& run) {
    if (run.reply->unpredictable == Unpredictable::Unexplained) return what_is_unseen(run.events);
    const size_t at = histories_.add(order_);
    return at == order_.size() ? "" : "more than that is not seen, for " + raw_text(order_[at].event) + " surprises";
  }

  void enter(Frame& frame, size_t item) {
    const Event& event = order_[item].event;
    frame.item = item;
    frame.tree.front().known = true;
    const bool chooses = has_choices(event) && event.op != Op::Flush;  // another flush is a step of another actor
    if (!frame.choosing) frame.args_left = chooses ? event.extra & ~(u64{1} << event.arg) : 0;
  }

  /// A store to memory that is dead fails at once. Where the memory is alive, the store waits, and the step is its
  /// flush.
  TraceItem as_step(const TraceItem& item) const {
    TraceItem step = item;
    const Event& event = item.event;
    if (!(event.flags & event_flag::kRefused) || !memory().is_buffered(event.op, event.order)) return step;
    step.event.op = step.operation.op = Op::Flush;
    step.event.thread = buffer_of(event.thread);
    step.event.extra = step.event.arg = 0;
    return step;
  }

  void reverse_races(size_t late) {
    for (const size_t early : order_.reversible(late, CausalOrder::Which::Nearest)) {
      if (!order_.possible_before(late, early)) continue;
      Frame* frame = frame_at(early);
      if (!frame) continue;
      std::vector<const TraceItem*> sequence;
      for (const size_t k : order_.independent_of(early, late)) sequence.push_back(&order_[k]);
      const TraceItem effect = as_step(order_[late]);
      sequence.push_back(&effect);
      bool explored = false;
      for (const Sleeper& sleeper : frame->sleep) explored |= starts_with(sleeper, sequence);
      if (!explored) insert(frame->tree, std::move(sequence));
    }
  }

  /// The run ended before the others did: nobody knows what they would have done next.
  void let_others_step() {
    ThreadSet seen = 0;
    for (size_t i = frames_.size(); i-- > 0;) {
      const Event& event = order_[frames_[i].item].event;
      if (!memory().is_buffer(event.thread)) seen |= bit(event.thread);
      for (ThreadSet set = event.enabled & ~seen; set; set &= set - 1) {
        const ThreadId thread = lowest(set);
        if (memory().is_buffer(thread))
          let_flush(i, thread);
        else
          let_step(frames_[i], unknown_step(thread));
      }
      seen |= event.enabled;
    }
  }

  /// What this buffer holds at the end of the run and could have flushed at the frame.
  void let_flush(size_t frame, ThreadId buffer) {
    for (size_t k = order_.size(); k-- > 0 && order_[k].is_pending();)
      if (order_[k].event.thread == buffer && !order_.waits_for(k, frames_[frame].item)) {
        WakeupNode step = wakeup_node(order_[k]);
        step.known = false;
        let_step(frames_[frame], std::move(step));
      }
  }

  static void let_step(Frame& frame, WakeupNode step) {
    for (const Sleeper& sleeper : frame.sleep)
      if (sleeper.actor == step.actor()) return;
    for (const WakeupNode& node : frame.tree)
      if (node.actor() == step.actor()) return;
    frame.tree.push_back(std::move(step));
  }

  Frame* frame_at(size_t item) {
    for (size_t i = frames_.size(); i-- > 0;)
      if (frames_[i].item == item) return &frames_[i];
    return nullptr;
  }

  void diverged(size_t at) {
    exploration_.sink.not_deterministic("scheduling point " + std::to_string(frames_.size()) + ": unexpected " +
                                        (at < order_.size() ? raw_text(order_[at].event) : std::string("end")));
    exploration_.control.stop(StopReason::NotCheckable);
  }

  const machine::MemoryRules& memory() const { return exploration_.options.memory; }

  Exploration& exploration_;
  PathRuns runs_;
  CausalOrder order_;
  std::vector<Frame> frames_;
  ClassCounter classes_;
  std::string* contradiction_;
  LocalHistories histories_;
};

class DporExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    return exploration.options.preemption_bound ? explore_bounded_dpor(exploration) : Dpor(exploration).explore();
  }
};

class DporAroundUnseen : public Explorer {
 public:
  explicit DporAroundUnseen(std::string& contradiction) : contradiction_(contradiction) {}
  Attempt attempt(Exploration& exploration) override { return Dpor(exploration, &contradiction_).explore(); }

 private:
  std::string& contradiction_;
};

}  // namespace

std::unique_ptr<Explorer> make_dpor_around_unseen(std::string& contradiction) {
  return std::make_unique<DporAroundUnseen>(contradiction);
}

std::unique_ptr<Explorer> make_dpor() { return std::make_unique<DporExplorer>(); }

}  // namespace plait
