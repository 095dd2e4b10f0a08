// `dpor` in parts. A part is a branch of a frame: the steps before it, who sleeps there, and the step or the wakeup
// sequence that begins it. Branches of one frame are explored at the same time: the one that was handed out first
// sleeps in the others.
//
// The whole search (dpor.cc) puts what the races of one branch ask for deep into the wakeup trees of later ones, and
// counts on it: that is what makes it optimal. Between parts this is not done. What a part finds for the frames at or
// before its own comes back as wishes, and the plan, which owns these frames, sees to it that one of those who can
// begin the sequence has a branch there. In turn, somebody who sleeps since before the part covers only the sequences
// that he can begin (Sleeper::elsewhere). That is the rule of source sets (same paper, algorithm 1), where the search
// of a branch depends on nothing but the steps before it and its sleepers. So each trace is still run once, but there
// may be runs that end in a sleep set (`blocked_executions`).
//
// What is left of a part when its time is over comes back as frames, and these are the plan's then. A branch whose
// operation no run has shown (what others would have done when a run ended early) holds up its frame until it is known.
#include <map>
#include <unordered_set>

#include "explore/dpor_search.h"
#include "explore/part_bytes.h"
#include "explore/parts.h"

namespace plait {
namespace {

void write_tree(PartWriter& writer, const WakeupNodes& nodes) {
  writer.value(static_cast<u32>(nodes.size()));
  for (const WakeupNode& node : nodes) {
    writer.value(node.step);
    writer.value(u8{node.known});
    writer.value(node.operation);
    write_tree(writer, node.children);
  }
}

/// What is read from bytes, with numbers of objects as they are here.
class DporReader {
 public:
  DporReader(PartReader& reader, Operations& operations) : reader_(reader), operations_(operations) {}

  machine::Operation operation(ThreadId thread) {
    auto operation = reader_.value<machine::Operation>();
    operations_.renumber(thread, operation);
    return operation;
  }
  WakeupNodes tree(u32 depth = 0) {
    if (depth > (1u << 15)) throw std::runtime_error("a tree is too deep");
    WakeupNodes nodes;
    for (u32 left = reader_.value<u32>(); left > 0; --left) {
      WakeupNode& node = nodes.emplace_back();
      node.step = reader_.value<Choice>();
      node.known = reader_.value<u8>() != 0;
      node.operation = operation(node.step.thread);
      node.children = tree(depth + 1);
    }
    return nodes;
  }
  std::vector<Sleeper> sleep() {
    std::vector<Sleeper> sleep;
    for (u32 left = reader_.value<u32>(); left > 0; --left) {
      const Actor actor = reader_.value<Actor>();
      sleep.push_back({actor, operation(actor.thread)});
    }
    return sleep;
  }
  DporBranch branch() {
    DporBranch branch;
    branch.steps = reader_.list<Choice>();
    branch.sleep = sleep();
    branch.tree = tree();
    branch.choosing = reader_.value<u8>() != 0;
    for (size_t k = 0; k <= branch.steps.size(); ++k) branch.known.push_back(reader_.list<Actor>());
    return branch;
  }
  TraceItem item() {
    TraceItem item;
    item.event = reader_.value<Event>();
    item.operation = operation(item.event.thread);
    item.chain = reader_.value<u32>();
    item.ordinal = reader_.value<u32>();
    item.before = reader_.list<u32>();
    return item;
  }

 private:
  PartReader& reader_;
  Operations& operations_;
};

void write_sleep(PartWriter& writer, const std::vector<Sleeper>& sleep) {
  writer.value(static_cast<u32>(sleep.size()));
  for (const Sleeper& sleeper : sleep) {
    writer.value(sleeper.actor);
    writer.value(sleeper.operation);
  }
}

void write_branch(PartWriter& writer, const DporBranch& branch) {
  writer.list(std::span(branch.steps));
  write_sleep(writer, branch.sleep);
  write_tree(writer, branch.tree);
  writer.value(u8{branch.choosing});
  for (const std::vector<Actor>& known : branch.known) writer.list(std::span(known));
}

void write_item(PartWriter& writer, const TraceItem& item) {
  writer.value(item.event);
  writer.value(item.operation);
  writer.value(item.chain);
  writer.value(item.ordinal);
  writer.list(std::span(item.before));
}

/// A frame that has something left, or is on the way to one that has.
struct PlanFrame {
  std::shared_ptr<PlanFrame> before;
  Choice way{};  // from there
  u32 number = 0;
  std::vector<Sleeper> sleep;  // also those whose branches were handed out
  WakeupNodes tree;            // not handed out yet
  struct Ready {
    std::vector<Sleeper> sleep;
    WakeupNodes tree;
    bool choosing;
  };
  std::vector<Ready> ready;       // branches that have their sleepers already
  bool has_unknown = false;       // handed out: a branch whose operation nobody knows
  std::vector<DporWish> waiting;  // until it is known
  bool is_open = false;           // stands in the plan's list

  bool has_work() const { return !ready.empty() || (!has_unknown && !tree.empty()); }
};
using FramePtr = std::shared_ptr<PlanFrame>;

class DporPlan : public PartPlan {
 public:
  explicit DporPlan(Exploration& exploration) : exploration_(exploration) {
    auto root = std::make_shared<PlanFrame>();
    root->ready.push_back({{}, {}, false});
    root->has_unknown = true;
    open(root);
  }

  std::optional<std::string> take() override {
    PartWriter writer;
    for (size_t most = std::clamp<size_t>(open_.size() / 4, 1, kBundle); most > 0 && !open_.empty(); --most)
      hand_out(writer);
    if (writer.empty()) return std::nullopt;
    return writer.take();
  }

  void done(const std::string& outcome) override {
    PartReader reader(outcome);
    DporReader read(reader, operations_);
    for (u32 left = reader.value<u32>(); left > 0; --left) one_done(reader, read);
    for (u32 left = reader.value<u32>(); left > 0; --left) classes_.insert(reader.block());
    if (exploration_.options.classes) exploration_.control.counters.classes.store(classes_.size());
  }

 private:
  static constexpr size_t kBundle = 32;
  struct Sent {
    FramePtr frame;
    PlanFrame::Ready branch;
    bool unknown;
  };

  void open(const FramePtr& frame) {
    if (frame->is_open || !frame->has_work()) return;
    frame->is_open = true;
    open_.push_back(frame);
  }

  static DporBranch branch_of(const PlanFrame& frame, const PlanFrame::Ready& branch) {
    DporBranch all{std::vector<Choice>(frame.number), branch.sleep, branch.tree, branch.choosing,
                   std::vector<std::vector<Actor>>(frame.number + 1)};
    for (const PlanFrame* at = &frame; at; at = at->before.get()) {
      for (const Sleeper& sleeper : at->sleep) all.known[at->number].push_back(sleeper.actor);
      for (const WakeupNode& node : at->tree) all.known[at->number].push_back(node.actor());
      if (at->number > 0) all.steps[at->number - 1] = at->way;
    }
    return all;
  }

  /// The next branch of the frame that was opened last.
  void hand_out(PartWriter& writer) {
    const FramePtr frame = open_.back();
    open_.pop_back();
    frame->is_open = false;
    Sent sent{frame, {}, false};
    if (!frame->ready.empty()) {
      sent.branch = std::move(frame->ready.back());
      frame->ready.pop_back();
      sent.unknown = sent.branch.tree.empty() || !sent.branch.tree.front().known;
    } else {
      WakeupNode node = std::move(frame->tree.front());
      frame->tree.erase(frame->tree.begin());
      sent.branch.sleep = frame->sleep;
      sent.unknown = frame->has_unknown = !node.known;
      if (node.known) frame->sleep.push_back({node.actor(), node.operation});
      sent.branch.tree.push_back(std::move(node));
    }
    writer.value(next_);
    write_branch(writer, branch_of(*frame, sent.branch));
    sent_.emplace(next_++, std::move(sent));
    open(frame);
  }

  void one_done(PartReader& reader, DporReader& read) {
    const auto found = sent_.find(reader.value<u64>());
    if (found == sent_.end()) throw std::runtime_error("a branch that was never handed out");
    const Sent sent = std::move(found->second);
    sent_.erase(found);
    const FramePtr& frame = sent.frame;
    if (reader.value<u8>() == 0) {  // nobody has begun with it
      frame->ready.push_back(sent.branch);
      return open(frame);
    }
    const bool has_first = reader.value<u8>() != 0;
    WakeupNodes first;
    if (has_first) first = read.tree();
    if (sent.unknown) {
      frame->has_unknown = false;
      if (has_first) frame->sleep.push_back({first.at(0).actor(), first.at(0).operation});
    }
    for (u32 left = reader.value<u32>(); left > 0; --left) {
      DporWish wish;
      wish.frame = reader.value<u32>();
      wish.step = WakeupNode{};
      for (u32 items = reader.value<u32>(); items > 0; --items) wish.sequence.push_back(read.item());
      if (wish.sequence.empty()) wish.step = read.tree().at(0);
      grant(frame, std::move(wish));
    }
    for (DporWish& wish : std::exchange(frame->waiting, {})) grant(frame, std::move(wish));
    take_over_frames(reader, read, sent);
    open(frame);
  }

  void grant(FramePtr frame, DporWish wish) {
    while (frame->number > wish.frame) frame = frame->before;
    if (frame->number != wish.frame) throw std::runtime_error("a wish for a frame that is not there");
    if (frame->has_unknown)
      frame->waiting.push_back(std::move(wish));
    else if (wish.sequence.empty())
      let_step(*frame, std::move(wish.step));
    else
      let_come(*frame, wish.sequence);
    open(frame);
  }

  static void let_step(PlanFrame& frame, WakeupNode step) {
    for (const Sleeper& sleeper : frame.sleep)
      if (sleeper.actor == step.actor()) return;
    for (const WakeupNode& node : frame.tree)
      if (node.actor() == step.actor()) return;
    frame.tree.push_back(std::move(step));
  }

  static void let_come(PlanFrame& frame, const std::vector<TraceItem>& items) {
    std::vector<const TraceItem*> sequence;
    for (const TraceItem& item : items) sequence.push_back(&item);
    for (const Sleeper& sleeper : frame.sleep)
      if (is_initial(sleeper.actor, sequence)) return;
    for (const WakeupNode& node : frame.tree)
      if (is_initial(node.actor(), sequence)) return;
    WakeupNodes branch;
    insert(branch, std::move(sequence));
    frame.tree.push_back(std::move(branch.at(0)));
  }

  /// What the time was not enough for. The first frame is the one that the branch was of.
  void take_over_frames(PartReader& reader, DporReader& read, const Sent& sent) {
    FramePtr frame = sent.frame;
    Choice way{};
    const u32 frames = reader.value<u32>();
    for (u32 k = 0; k < frames; ++k) {
      std::vector<Sleeper> sleep = k == 0 ? sent.branch.sleep : read.sleep();
      WakeupNodes taken = read.tree();
      const u64 args = reader.value<u64>();
      const bool is_waiting = reader.value<u8>() != 0, choosing = reader.value<u8>() != 0;
      WakeupNodes rest = read.tree();
      if (k > 0) {
        auto next = std::make_shared<PlanFrame>();
        next->before = frame;
        next->way = way;
        next->number = frame->number + 1;
        next->sleep = sleep;
        next->tree = std::move(rest);
        frame = std::move(next);
      }
      const WakeupNode& node = taken.at(0);
      way = node.step;
      for (u64 set = args; set; set &= set - 1) {
        WakeupNode other = node;
        other.step.kind = kChosenStep;
        other.step.arg = lowest(set);
        frame->ready.push_back({sleep, {other}, true});
      }
      if (is_waiting && !choosing) {
        frame->tree.insert(frame->tree.begin(), node);
      } else {
        if (is_waiting) frame->ready.push_back({sleep, taken, true});
        if (k > 0) frame->sleep.push_back({node.actor(), node.operation});
      }
      open(frame);
    }
  }

  Exploration& exploration_;
  Operations operations_;
  std::vector<FramePtr> open_;
  std::map<u64, Sent> sent_;
  u64 next_ = 1;
  std::unordered_set<std::string> classes_;
};

void write_wishes(PartWriter& writer, const std::vector<DporWish>& wishes) {
  writer.value(static_cast<u32>(wishes.size()));
  for (const DporWish& wish : wishes) {
    writer.value(wish.frame);
    writer.value(static_cast<u32>(wish.sequence.size()));
    for (const TraceItem& item : wish.sequence) write_item(writer, item);
    if (wish.sequence.empty()) write_tree(writer, {wish.step});
  }
}

void write_frames(PartWriter& writer, const Dpor& dpor) {
  const auto frames = dpor.frames();
  writer.value(static_cast<u32>(frames.size()));
  for (size_t k = 0; k < frames.size(); ++k) {
    const DporFrame& frame = frames[k];
    const bool is_waiting = dpor.is_waiting() && k + 1 == frames.size();
    WakeupNode taken = is_waiting ? frame.tree.front() : wakeup_node(dpor.item(frame));
    if (k > 0) write_sleep(writer, frame.sleep);
    write_tree(writer, {taken});
    writer.value(frame.args_left);
    writer.value(u8{is_waiting});
    writer.value(u8{frame.choosing});
    write_tree(writer, k == 0 ? WakeupNodes{} : WakeupNodes(frame.tree.begin() + 1, frame.tree.end()));
  }
}

}  // namespace

std::unique_ptr<PartPlan> plan_dpor(Exploration& exploration) { return std::make_unique<DporPlan>(exploration); }

Attempt explore_dpor_part(Exploration& exploration, const std::string& part, const PartBudget& budget,
                          std::string& outcome) {
  const PartClock clock(budget);
  PartWriter writer;
  std::unordered_set<std::string> classes;
  u32 branches = 0;
  for (PartReader reader(part); !reader.at_end(); ++branches) {
    writer.value(reader.value<u64>());
    Dpor dpor(exploration);
    dpor.begin_at(DporReader(reader, dpor.operations()).branch());
    const bool begins = branches == 0 || (!clock.over() && !exploration.control.stopped());
    const Attempt attempt =
        begins ? dpor.explore([&] { return clock.over() || exploration.control.stopped(); }) : Attempt::Stopped;
    if (attempt == Attempt::SharingGrew) return attempt;
    const bool has_run = begins && !(dpor.is_waiting() && dpor.frames().empty());
    writer.value(u8{has_run});
    if (!has_run) continue;
    writer.value(u8{dpor.first_item() != nullptr});
    if (dpor.first_item()) write_tree(writer, {wakeup_node(*dpor.first_item())});
    write_wishes(writer, dpor.wishes());
    write_frames(writer, dpor);
    classes.insert(dpor.classes().all().begin(), dpor.classes().all().end());
  }
  PartWriter all;
  all.value(branches);
  outcome = all.take() + writer.take();
  PartWriter found;
  found.value(static_cast<u32>(classes.size()));
  for (const std::string& one : classes) found.block(one);
  outcome += found.take();
  return Attempt::Complete;
}

}  // namespace plait
