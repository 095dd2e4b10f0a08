// The search of `dpor` (dpor.cc), as a whole or of one branch of it.
#pragma once
#include <functional>
#include <optional>
#include <set>

#include "explore/class_counter.h"
#include "explore/local_histories.h"
#include "explore/path_runs.h"
#include "explore/self_check.h"
#include "explore/wakeup_tree.h"

namespace plait {

struct DporFrame {
  size_t item = 0;  // the event performed here, in the order
  std::vector<Sleeper> sleep;
  WakeupNodes tree;       // its first branch is being explored
  u64 args_left = 0;      // other choices of the operation performed here
  bool choosing = false;  // one of these is being explored
};

/// A branch of a frame.
struct DporBranch {
  std::vector<Choice> steps;   // of the frames before it
  std::vector<Sleeper> sleep;  // at the frame
  WakeupNodes tree;            // the branch; none: the very first run
  bool choosing = false;
  std::vector<std::vector<Actor>> known;  // of the frames before it, and of its own: whose branches are known
};

/// What the exploration of a branch asks of its frame, or of one before it.
struct DporWish {
  u32 frame = 0;
  std::vector<TraceItem> sequence;  // to be explored from there; else:
  WakeupNode step;                  // one step
};

class Dpor {
 public:
  /// `contradiction`: see make_dpor_around_unseen.
  explicit Dpor(Exploration& exploration, std::string* contradiction = nullptr)
      : exploration_(exploration),
        runs_(exploration),
        order_(exploration.options.memory),
        contradiction_(contradiction) {}

  /// Only this branch is to be explored: what follows for other branches of its frame, and for frames before it, are
  /// wishes.
  void begin_at(DporBranch&& branch) {
    begin_ = std::move(branch);
    for (Sleeper& sleeper : begin_->sleep) sleeper.elsewhere = true;
    first_ = static_cast<u32>(begin_->steps.size());
  }

  /// `is_over`: it is time to leave; what is left stands in the frames.
  Attempt explore(const std::function<bool()>& is_over = nullptr) {
    Attempt result = run_on();
    while (result == Attempt::Complete && frames_.size() > first_ && !is_contradicted()) {
      if (is_over && is_over()) break;
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

  /// Those of the branch; empty: nothing is left. The first branch of each tree has been taken; of the last frame, it
  /// is done, unless its run was not made (`is_waiting`).
  std::span<const DporFrame> frames() const {
    return std::span(frames_).subspan(std::min<size_t>(first_, frames_.size()));
  }
  bool is_waiting() const { return is_waiting_; }
  const TraceItem& item(const DporFrame& frame) const { return order_[frame.item]; }
  /// What the branch does first; null: nothing has been run, or there is no step at all.
  const TraceItem* first_item() const { return order_.size() > first_item_ ? &order_[first_item_] : nullptr; }
  const std::vector<DporWish>& wishes() const { return wishes_; }
  const ClassCounter& classes() const { return classes_; }
  Operations& operations() { return order_.operations(); }

 private:
  bool is_contradicted() const { return contradiction_ && !contradiction_->empty(); }

  /// The branch at this frame is done; false if it was the last.
  bool next_branch(DporFrame& frame) {
    const TraceItem& done = order_[frame.item];
    if (frame.args_left) {
      const u16 arg = lowest(frame.args_left);
      frame.args_left &= frame.args_left - 1;
      frame.tree.front() = wakeup_node(done);
      frame.tree.front().step.arg = arg;
      frame.choosing = true;
      return true;
    }
    if (is_foreign(frame)) return false;  // the other branches are somebody else's
    frame.choosing = false;
    frame.sleep.push_back({done.actor(), done.operation});
    frame.tree.erase(frame.tree.begin());
    return !frame.tree.empty();
  }

  /// Up to the one whose branch is explored here.
  bool is_foreign(const DporFrame& frame) const { return begin_ && &frame <= frames_.data() + first_; }

  /// Runs the path of all frames but the last, then the first branches of the last one's tree, then on without
  /// sleepers.
  Attempt run_on() {
    std::vector<Choice> steps;
    std::vector<Sleeper> sleep;
    const bool at_begin = frames_.empty() && begin_;
    if (at_begin) steps = begin_->steps;
    for (size_t i = 0; i + 1 < frames_.size(); ++i) steps.push_back(step_of(order_[frames_[i].item].event));
    if (!frames_.empty() || at_begin) {
      sleep = at_begin ? begin_->sleep : frames_.back().sleep;
      const WakeupNodes& tree = at_begin ? begin_->tree : frames_.back().tree;
      for (const WakeupNode* node = tree.empty() ? nullptr : &tree.front(); node; node = &node->children.front()) {
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
    is_waiting_ = true;
    return runs_.run(steps, Tail::Sleep, asleep, [&](const RunView& run) {
      is_waiting_ = false;
      learn(run);
    });
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
    order_.truncate(frames_.empty() ? 0 : frames_.back().item);
    order_.append(run.events, order_.size());
    if (frames_.empty() && begin_ && !begin_->tree.empty() && !find_begin()) return;
    const bool root = frames_.empty();
    const size_t known = root ? 0 : frames_.back().item;
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
      if (frames_.empty()) first_item_ = fresh;
      DporFrame next;
      if (!frames_.empty()) {
        DporFrame& last = frames_.back();
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

  /// The frames before the branch, and its own.
  bool find_begin() {
    for (size_t i = 0; i < order_.size(); ++i) {
      if (!order_[i].is_point()) continue;
      if (frames_.size() == first_) {
        frames_.push_back({i, begin_->sleep, begin_->tree, 0, begin_->choosing});
        first_item_ = i;
        return true;
      }
      const Choice &was = begin_->steps[frames_.size()], is = step_of(order_[i].event);
      if (was.thread != is.thread || was.position != is.position) break;
      frames_.push_back({i, {}, {wakeup_node(order_[i])}, 0, false});
    }
    diverged(order_.size());
    return false;
  }

  /// What code that nobody sees does not explain; empty: nothing.
  std::string unexplained(const RunView& run) {
    if (run.reply->unpredictable == Unpredictable::Unexplained) return what_is_unseen(run.events);
    const size_t at = histories_.add(order_);
    return at == order_.size() ? "" : "more than that is not seen, for " + raw_text(order_[at].event) + " surprises";
  }

  void enter(DporFrame& frame, size_t item) {
    const Event& event = order_[item].event;
    frame.item = item;
    frame.tree.front().known = true;
    frame.tree.front().operation = order_[item].operation;
    const bool chooses = has_choices(event) && event.op != Op::Flush;  // another flush is a step of another actor
    if (!frame.choosing) frame.args_left = chooses ? event.extra & ~(u64{1} << event.arg) : 0;
  }

  /// A store to memory that is dead fails at once. Where the memory is alive, the store waits, and the step is its
  /// flush: does what comes before it now let the memory live?
  TraceItem as_step(size_t late, size_t early, const std::vector<const TraceItem*>& sequence) const {
    TraceItem step = order_[late];
    const Event& event = step.event;
    if (!(event.flags & event_flag::kRefused) || !memory().is_buffered(event.op, event.order)) return step;
    bool dead = false;
    const auto pass = [&](const TraceItem& item) {
      const machine::Operation& block = item.operation;
      const bool meets = machine::is_block(block.op) && block.location < event.location + event.size &&
                         event.location < block.location + block.span;
      if (meets && !(item.event.flags & event_flag::kRefused)) dead = block.op == Op::Free;
    };
    for (size_t k = 0; k < early; ++k) pass(order_[k]);
    for (const TraceItem* item : sequence) pass(*item);
    if (dead) return step;
    step.event.op = step.operation.op = Op::Flush;
    step.event.thread = buffer_of(event.thread);
    step.event.extra = step.event.arg = 0;
    return step;
  }

  void reverse_races(size_t late) {
    for (const size_t early : order_.reversible(late, CausalOrder::Which::Nearest)) {
      if (!order_.possible_before(late, early)) continue;
      DporFrame* frame = frame_at(early);
      if (!frame) continue;
      std::vector<const TraceItem*> sequence;
      for (const size_t k : order_.independent_of(early, late)) sequence.push_back(&order_[k]);
      const TraceItem effect = as_step(late, early, sequence);
      sequence.push_back(&effect);
      bool explored = false;
      for (const Sleeper& sleeper : frame->sleep) explored |= starts_with(sleeper, sequence);
      if (explored) continue;
      if (is_foreign(*frame))
        wish(*frame, sequence);
      else
        insert(frame->tree, std::move(sequence));
    }
  }

  /// One of those who can begin the sequence has to have a branch at the frame.
  void wish(const DporFrame& frame, const std::vector<const TraceItem*>& sequence) {
    DporWish wish{static_cast<u32>(&frame - frames_.data()), {}, {}};
    for (const Actor& actor : begin_->known[wish.frame])
      if (is_initial(actor, sequence)) return;
    std::vector<u32> key = {wish.frame};
    for (const TraceItem* item : sequence) {
      wish.sequence.push_back(*item);
      if (is_initial(item->actor(), sequence)) key.insert(key.end(), {item->actor().thread, item->actor().store});
    }
    if (wished_.insert(std::move(key)).second) wishes_.push_back(std::move(wish));
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
          let_step(i, unknown_step(thread));
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
        let_step(frame, std::move(step));
      }
  }

  void let_step(size_t at, WakeupNode step) {
    DporFrame& frame = frames_[at];
    for (const Sleeper& sleeper : frame.sleep)
      if (sleeper.actor == step.actor()) return;
    for (const WakeupNode& node : frame.tree)
      if (node.actor() == step.actor()) return;
    if (!is_foreign(frame)) return frame.tree.push_back(std::move(step));
    for (const Actor& actor : begin_->known[at])
      if (actor == step.actor()) return;
    if (wished_.insert({static_cast<u32>(at), step.step.thread, step.actor().store}).second)
      wishes_.push_back({static_cast<u32>(at), {}, std::move(step)});
  }

  DporFrame* frame_at(size_t item) {
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
  std::optional<DporBranch> begin_;
  u32 first_ = 0;  // the frame whose branch is explored
  size_t first_item_ = ~size_t{0};
  bool is_waiting_ = false;  // the run of the last branch was not made
  std::vector<DporWish> wishes_;
  std::set<std::vector<u32>> wished_;
  std::vector<DporFrame> frames_;
  ClassCounter classes_;
  std::string* contradiction_;
  LocalHistories histories_;
};

}  // namespace plait
