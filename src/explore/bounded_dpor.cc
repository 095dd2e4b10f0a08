// Dynamic partial-order reduction within a preemption bound (Coons, Musuvathi, McKinley: Bounded partial-order
// reduction, OOPSLA 2013, section 4; on Flanagan and Godefroid, POPL 2005).
//
// A step that must come before another one may be out of reach of the bound where it stands, and in reach where the
// running thread took over from its predecessor: each pair of dependent events adds a choice at both points. No sleep
// sets: a sleeping thread's run may have been outside of the bound, so they would lose behaviour. And all pairs count,
// not only the nearest ones: what follows from reversing several pairs one after the other may be out of reach on the
// way.
#include "explore/causal_order.h"
#include "explore/path_runs.h"
#include "explore/preemption.h"
#include "explore/self_check.h"

namespace plait {
namespace {

struct Frame {
  size_t item = 0;
  ThreadSet enabled = 0;
  ThreadSet wanted = 0, done = 0;
  u64 args_left = 0;
  u32 preemptions = 0;  // up to this point, its own step not included
  Turn turn;            // likewise
};

class BoundedDpor {
 public:
  explicit BoundedDpor(Exploration& exploration)
      : exploration_(exploration),
        runs_(exploration),
        bound_(*exploration.options.preemption_bound),
        order_(exploration.options.memory) {}

  Attempt explore() {
    Attempt result = run_on({});
    while (result == Attempt::Complete && !frames_.empty()) {
      Choice next;
      if (!next_step(frames_.back(), next)) {
        frames_.pop_back();
        continue;
      }
      std::vector<Choice> steps;
      for (size_t i = 0; i + 1 < frames_.size(); ++i) steps.push_back(step_of(order_[frames_[i].item].event));
      steps.push_back(next);
      result = run_on(steps);
    }
    return result;
  }
  bool left_something_out() const { return left_out_; }

 private:
  Attempt run_on(const std::vector<Choice>& steps) {
    return runs_.run(steps, Tail::First, {}, [&](const RunView& run) { learn(run); });
  }

  const Event& event_at(size_t frame) const { return order_[frames_[frame].item].event; }

  /// Does it cost a preemption if this thread or buffer steps at the frame?
  bool preempts(const Frame& frame, ThreadId thread) const {
    return frame.turn.is_preempted(exploration_.options.memory, frame.enabled, thread);
  }

  bool next_step(Frame& frame, Choice& next) {
    const Event& event = order_[frame.item].event;
    if (frame.args_left) {
      // Of a flush, its position would say which.
      const u32 position = event.op == Op::Flush ? kNextPoint : event.position;
      next = Choice{kChosenStep, event.thread, lowest(frame.args_left), position};
      frame.args_left &= frame.args_left - 1;
      return true;
    }
    frame.done |= bit(event.thread);
    for (ThreadSet set = frame.wanted & ~frame.done; set; set &= set - 1) {
      const ThreadId thread = lowest(set);
      frame.done |= bit(thread);
      if (frame.preemptions + preempts(frame, thread) > bound_) {
        left_out_ = true;
        continue;
      }
      next = Choice{kPlainStep, thread, 0, kNextPoint};
      return true;
    }
    return false;
  }

  void learn(const RunView& run) {
    const size_t known = frames_.empty() ? 0 : frames_.back().item;
    const bool other_choice = !frames_.empty() && known < order_.size() && known < run.events.size() &&
                              order_[known].event.thread == run.events[known].thread;
    order_.truncate(known);
    order_.append(run.events, known);
    size_t next = known;
    if (!frames_.empty()) {
      if (next == order_.size() || !order_[next].is_point()) return diverged();
      const Event& event = order_[next].event;
      if (!other_choice) frames_.back().args_left = other_args(event);
      frames_.back().done |= bit(event.thread);
      ++next;
    }
    for (; next < order_.size(); ++next) {
      const Event& event = order_[next].event;
      if (!order_[next].is_point()) continue;
      Frame frame{next, event.enabled, bit(event.thread), bit(event.thread), other_args(event), 0, {}};
      if (!frames_.empty()) {
        const Event& last = event_at(frames_.size() - 1);
        frame.preemptions = frames_.back().preemptions + preempts(frames_.back(), last.thread);
        frame.turn = frames_.back().turn;
        frame.turn.note(last);
      }
      frames_.push_back(frame);
    }
    for (size_t late = known; late < order_.size(); ++late)
      for (const size_t early : order_.reversible(late, CausalOrder::Which::All))
        want(frame_at(early), order_[late].event.thread, late);
    if (run.reply->status != RunStatus::Complete) let_others_step();
  }

  static u64 other_args(const Event& event) { return has_choices(event) ? event.extra & ~(u64{1} << event.arg) : 0; }

  /// `thread` is to come to its step `late` from this frame, and from where the thread that runs there took over. If
  /// that would interrupt a thread that is not the one to be overtaken, a flush is: it may also wait until that
  /// thread's turn is over.
  void want(size_t at, ThreadId thread, size_t late) {
    if (at == frames_.size()) return;
    want_here(frames_[at], thread, late);
    const bool is_flush = event_at(at).op == Op::Flush;
    const ThreadId running = is_flush ? frames_[at].turn.thread() : event_at(at).thread;
    if (is_flush && preempts(frames_[at], thread)) frames_[at].wanted |= bit(running);
    while (at > 0 && running != kNoThread && frames_[at].turn.thread() == running) --at;
    want_here(frames_[at], thread, late);
  }

  /// The thread steps here if it can: that is on its way to `late`. A flush of another store would not be, so if the
  /// store is not in its buffer yet, anybody may have to step first.
  void want_here(Frame& frame, ThreadId thread, size_t late) const {
    const bool ready =
        (frame.enabled & bit(thread)) && (order_[late].event.op != Op::Flush || !order_.waits_for(late, frame.item));
    frame.wanted |= ready ? bit(thread) : frame.enabled;
  }

  /// The run ended early: what the others would have done next is not known.
  void let_others_step() {
    ThreadSet seen = 0;
    for (size_t i = frames_.size(); i-- > 0;) {
      seen |= bit(order_[frames_[i].item].event.thread);
      for (ThreadSet set = frames_[i].enabled & ~seen; set; set &= set - 1) want(i, lowest(set), frames_[i].item);
      seen |= frames_[i].enabled;
    }
  }

  size_t frame_at(size_t item) const {
    for (size_t i = frames_.size(); i-- > 0;)
      if (frames_[i].item == item) return i;
    return frames_.size();
  }

  void diverged() {
    exploration_.sink.not_deterministic("scheduling point " + std::to_string(frames_.size()));
    exploration_.control.stop(StopReason::NotCheckable);
  }

  Exploration& exploration_;
  PathRuns runs_;
  const u32 bound_;
  CausalOrder order_;
  std::vector<Frame> frames_;
  bool left_out_ = false;
};

}  // namespace

Attempt explore_bounded_dpor(Exploration& exploration) {
  BoundedDpor dpor(exploration);
  const Attempt result = dpor.explore();
  if (result == Attempt::Complete && dpor.left_something_out())
    exploration.sink.not_complete("preemption-bound: " + std::to_string(*exploration.options.preemption_bound) +
                                  "; schedules with more preemptions were left out");
  return result;
}

}  // namespace plait
