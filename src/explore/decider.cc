#include "explore/decider.h"

#include <algorithm>
#include <utility>

#include "base/memory_use.h"
#include "knowledge/races.h"

namespace plait {

Decider::Decider(const Behaviour& knowledge, const Options& options, solve::PathConditions* conditions)
    : Decider(knowledge, std::make_shared<Horizon>(knowledge, options.exit_matters, options.large), Cone(), options,
              conditions) {}

Decider::Decider(const Behaviour& knowledge, std::shared_ptr<const Horizon> horizon, Cone cone, const Options& options,
                 solve::PathConditions* conditions)
    : knowledge_(knowledge),
      options_(options),
      horizon_(std::move(horizon)),
      layout_(horizon_->layout()),
      futures_(horizon_->futures()),
      cone_(std::move(cone)),
      product_(knowledge, layout_, options.merge && !knowledge.is_symbolic() ? &futures_ : nullptr,
               options.outputs ? &outputs_ : nullptr, conditions),
      after_access_(options.unordered ? std::make_optional<AfterAccess>(knowledge, layout_, futures_, product_)
                                      : std::nullopt),
      sets_(knowledge, layout_, futures_, horizon_->blockers(), product_),
      state_bytes_(layout_.bytes() + (after_access_ ? after_access_->bytes() : 0)),
      store_(state_bytes_),
      passes_(!after_access_ && !layout_.has_inputs() && horizon_->reduces() && uses(Reduction::Passing)),
      conditions_(conditions) {
  const Symmetry* symmetry = horizon_->symmetry();
  if (symmetry && !symmetry->groups().empty() && options_.swaps && !after_access_ && !layout_.has_inputs())
    swaps_.emplace(knowledge, layout_, futures_, *symmetry, product_, options_.merge && !knowledge.is_symbolic(),
                   options_.apart);
  if (after_access_) product_.record(&step_.moves);
}

void Decider::add_lead(const Lead& lead, LeadKey key) {
  key.push_back(static_cast<u64>(lead.kind));
  if (lead_keys_.insert(std::move(key)).second) leads_.push_back(lead);
}

ThreadSet Decider::in_cone(const u8* state, ThreadSet threads) const {
  const ThreadSet buffering = product_.buffering(state);
  if (cone_.is_everything()) return threads | buffering << kFirstBuffer;
  ThreadSet inside = 0;
  for (; threads; threads &= threads - 1)
    if (cone_.contains(knowledge_, futures_, product_.cursor(state, lowest(threads)))) inside |= bit(lowest(threads));
  inside |= (inside & buffering) << kFirstBuffer;
  NodeId stores[machine::kMostBuffered];
  for (ThreadSet set = buffering & ~inside; set; set &= set - 1) {
    const u32 waiting = product_.stores(state, lowest(set), stores);
    for (u32 i = 0; i < waiting; ++i)
      if (cone_.contains_store(futures_, stores[i])) inside |= bit(buffer_of(lowest(set)));
  }
  return inside;
}

void Decider::look_for_races(u32 number, ThreadSet enabled) {
  NodeId mine[machine::kMostBuffered], its[machine::kMostBuffered];
  const auto owner = [&](ThreadId actor) { return actor < layout_.threads() ? actor : owner_of(actor); };
  for (ThreadSet set = enabled; set; set &= set - 1) {
    const ThreadId thread = lowest(set);
    const u32 my_count = sets_.next_of(from_.data(), thread, mine);
    for (ThreadSet others = set & (set - 1); others; others &= others - 1) {
      const ThreadId other = lowest(others);
      // Not the nodes' threads: equal stores of different threads can have one node in the buffers.
      if (owner(thread) == owner(other)) continue;
      const u32 its_count = sets_.next_of(from_.data(), other, its);
      // Buffers can race in several ways at once.
      for (u32 i = 0; i < my_count; ++i)
        for (u32 k = 0; k < its_count; ++k)
          if (const Node &a = knowledge_.node(mine[i]), &b = knowledge_.node(its[k]); is_race(a, b)) {
            const auto [one, two] = std::minmax(a.site, b.site);
            add_lead({number, thread, 0, StepKind::Race, {Claim::Race, thread, other, 0, a.site, b.site}}, {one, two});
          }
    }
  }
}

void Decider::expand(u32 number) {
  from_.assign(store_.at(number), store_.at(number) + state_bytes_);
  if (futures_.has_cycles()) {
    if (expanded_.size() <= number) expanded_.resize(std::max<size_t>(number + 1, expanded_.size() * 2), false);
    expanded_[number] = true;
  }
  const u8* state = from_.data();
  Choice choice = choice_in(state);
  const auto& [live, enabled, stopped, exiting, actors, chosen, buffer, place] = choice;
  if (exiting) note_exit(number, exiting);
  if (options_.progress) note_progress(number, stopped | exiting);
  if (!enabled) {
    // Who stopped, or is about to end the program, could have let the others go on; not if they wait for each other.
    const bool is_end = exiting || !live;
    const bool is_stuck = (live & ~exiting & ~stopped) && (!(stopped | exiting) || product_.cycle(state));
    if (is_stuck && (cone_.is_everything() || options_.blocking)) note_stuck(number, live & ~exiting & ~stopped);
    if (cone_.is_everything() && is_end) ends_.push_back(number);
    return;
  }
  if (options_.races) look_for_races(number, enabled);
  choose(state, choice);
  led_nowhere_ = false;
  if (buffer != kNoThread) {
    if (take_step(number, buffer, static_cast<u16>(place), live) || !(led_nowhere_ || futures_.has_cycles())) return;
    take_steps(number, enabled, live);
    return;
  }
  const bool goes_on = take_steps(number, chosen, live);
  if (chosen != enabled && (led_nowhere_ || (!goes_on && futures_.has_cycles())))
    take_steps(number, enabled & ~chosen, live);
}

Decider::Choice Decider::choice_in(const u8* state) {
  Choice choice;
  const ThreadSet all = product_.live(state);
  choice.actors = in_cone(state, all);
  choice.live = all & choice.actors;
  choice.enabled = product_.enabled(state) & choice.actors;
  choice.stopped = product_.stopped(state);
  choice.exiting = options_.exit_matters ? 0 : product_.exiting(state) & choice.enabled;
  choice.enabled &= ~choice.exiting;
  return choice;
}

void Decider::choose(const u8* state, Choice& choice, ThreadId first) {
  choice.chosen = choice.enabled;
  if (!options_.reduce || sets_.find_unseen_flush(state, choice.enabled, choice.buffer, choice.place)) return;
  choice.chosen = sets_.find(state, choice.enabled, choice.actors, first);
}

bool Decider::find_only_step(TrailStep& step) {
  const u8* state = to_.data();
  Choice choice = choice_in(state);
  if (!choice.enabled || choice.exiting || (choice.enabled != (choice.enabled & -choice.enabled) && !options_.reduce))
    return false;
  if (options_.progress && (choice.stopped || product_.cycle(state))) return false;
  choose(state, choice, steps_.back().thread);
  if (choice.buffer != kNoThread) {
    step = {choice.buffer, static_cast<u16>(choice.place)};
    return true;
  }
  if (count(choice.chosen) != 1) return false;
  step.thread = lowest(choice.chosen);
  const ThreadSet args = product_.choices(state, step.thread);
  if (count(args) > 1) return false;
  step.arg = args ? lowest(args) : 0;
  return true;
}

bool Decider::leaves_for_good(const u8* state, ThreadId thread) const {
  if (!futures_.has_cycles() || thread >= layout_.threads()) return false;
  const NodeId at = product_.cursor(state, thread);
  const std::vector<bool>& cyclic = futures_.node_order().cyclic;
  return at < cyclic.size() && !cyclic[at];
}

bool Decider::has_passed(u64 hash) {
  if (tries_ < 256 || swaps_) return false;
  walked_.resize(size_t{1} << 16);
  return std::exchange(walked_[hash & (walked_.size() - 1)], hash) == hash;
}

/// That everybody gets his turn where graphs have cycles is a matter of the states that are kept: from each of them the
/// steps that have to be taken lead to one that was expanded in full, and so do those passed through on the way.
bool Decider::pass_through() {
  constexpr u32 kFarthest = 256;
  for (u32 far = 0; far < kFarthest; ++far) {
    TrailStep step{};
    // Where most states have to be kept, looking costs more than it saves.
    if (tries_ >= 256 && passed_ * 5 < tries_ * 3) passes_ = false;
    const u64 hash = store_.hash(to_.data());
    if (store_.contains(to_.data(), hash) || has_passed(hash)) return far > 0;
    ++tries_;
    if (!find_only_step(step)) return far > 0;
    before_ = to_;
    const StepResult result = product_.step(to_.data(), step.thread, step.arg);
    if (result.kind == StepKind::Moved && !goes_round(result)) {
      steps_.push_back(step);
      ++passed_;
      leaves_for_good_ |= leaves_for_good(before_.data(), step.thread);
      continue;
    }
    to_.swap(before_);
    return far > 0;
  }
  return true;
}

void Decider::note_progress(u32 number, ThreadSet leaving) {
  // A deadlock of some threads is one, whatever the others go on doing.
  const ThreadSet cycle = product_.cycle(from_.data());
  if (cycle) note_stuck(number, cycle);
  if (cycle | leaving) exits_.push_back(number);
}

void Decider::note_exit(u32 number, ThreadSet exiting) {
  const u8* state = from_.data();
  for (; exiting; exiting &= exiting - 1) {
    const ThreadId thread = lowest(exiting);
    if (!(product_.live(state) & ~product_.stopped(state) & ~bit(thread))) continue;
    add_lead({number, thread, 0, StepKind::ProgramEnd}, {knowledge_.node(product_.cursor(state, thread)).site, thread});
  }
}

void Decider::note_stuck(u32 number, ThreadSet threads) {
  LeadKey key{kNoThread};  // and who waits where
  bool waits = false;      // for something else than another thread's end
  for (; threads; threads &= threads - 1) {
    const Node& node = knowledge_.node(product_.cursor(from_.data(), lowest(threads)));
    waits |= node.op != Op::Join;
    key.push_back(node.site * u64{kMaxThreads} + lowest(threads));
  }
  if (waits || cone_.is_everything()) add_lead({number, kNoThread, 0, StepKind::Misuse}, std::move(key));
}

bool Decider::take_steps(u32 number, ThreadSet set, ThreadSet live) {
  bool goes_on = false;
  for (; set; set &= set - 1) {
    const ThreadId thread = lowest(set);
    ThreadSet args = product_.choices(from_.data(), thread);
    if (!args) args = 1;
    for (; args; args &= args - 1) goes_on |= take_step(number, thread, lowest(args), live);
  }
  return goes_on;
}

void Decider::sort_threads() {
  if (!swaps_->sort(to_, was_)) return;
  const auto [at, fresh] = order_numbers_.try_emplace(was_, static_cast<u32>(orders_.size()));
  if (fresh) orders_.push_back(was_);
  steps_.push_back({kNoThread, 0, at->second});
}

bool Decider::add_state(u32 number, ThreadId thread, u16 arg) {
  steps_.assign(1, {thread, arg, intern_sides(product_.sides())});
  leaves_for_good_ = number != StateStore::kRoot && leaves_for_good(from_.data(), thread);
  if (swaps_) sort_threads();
  if (passes_ && pass_through() && swaps_) sort_threads();
  const u32 trail = trails_.next();
  const auto [next, fresh] = store_.add(to_.data(), {number, trail});
  const bool is_transition = options_.progress && number != StateStore::kRoot;
  if (fresh || is_transition) trails_.add(steps_);
  if (fresh) stack_.push_back(next);
  if (is_transition) transitions_.push_back({number, next, trail});
  return futures_.has_cycles() && (leaves_for_good_ || fresh || next >= expanded_.size() || !expanded_[next]);
}

bool Decider::add_ordered(u32 number, ThreadId thread, u16 arg, const StepResult& result) {
  const bool is_thread = thread < layout_.threads();
  step_.flushed = is_thread ? kNoThread : owner_of(thread);
  step_.store = result.node;
  const NodeId first = after_access_->first(from_.data());
  if (first != kNoNode) {
    if (after_access_->races(from_.data(), thread, arg)) {
      const Node &early = knowledge_.node(first), &late = knowledge_.node(result.node);
      const auto [one, other] = std::minmax(early.site, late.site);
      const Claim claim{Claim::RaceWithEarlier, thread, early.thread, 0, late.site, early.site};
      add_lead({number, thread, 0, StepKind::Race, claim}, {one, other});
    }
    after_access_->follow(to_.data(), step_);
    // Where nobody can race with it any more, nothing is missed.
    return !after_access_->matters(to_.data()) || add_state(number, thread, arg);
  }
  return add_choices(number, thread, arg);
}

bool Decider::add_choices(u32 number, ThreadId thread, u16 arg) {
  const std::vector<u8> before = to_;
  after_access_->follow(to_.data(), step_);
  bool goes_on = add_state(number, thread, arg);
  for (size_t i = 0; i < step_.moves.size(); ++i) {
    if (!after_access_->is_candidate(step_.moves[i])) continue;
    to_ = before;
    after_access_->follow(to_.data(), step_, i);
    if (after_access_->matters(to_.data())) goes_on |= add_state(number, thread, arg);
  }
  return goes_on;
}

bool Decider::goes_round(const StepResult& result) const {
  if (result.decision != kNoNode && futures_.goes_round(result.decision, result.side)) return true;
  return !knowledge_.node(result.node).is_symbol && futures_.goes_round(result.node, result.value);
}

bool Decider::take_step(u32 number, ThreadId thread, u16 arg, ThreadSet live) {
  bool goes_on = false;
  product_.begin_sides();
  do goes_on |= take_side(number, thread, arg, live);
  while (product_.next_sides());
  return goes_on;
}

u32 Decider::intern_sides(const Product::Sides& sides) {
  if (sides.empty()) return 0;
  const auto [at, fresh] = side_numbers_.try_emplace(sides, static_cast<u32>(sides_.size()));
  if (fresh) sides_.push_back(sides);
  return at->second;
}

bool Decider::take_side(u32 number, ThreadId thread, u16 arg, ThreadSet live) {
  bool goes_on = false;
  to_ = from_;
  step_.moves.clear();
  const StepResult result = product_.step(to_.data(), thread, arg);
  const Node& node = knowledge_.node(result.node);
  if (goes_round(result) && (result.kind == StepKind::Moved || result.kind == StepKind::Unknown)) {
    cut_ = result.node;
    if (options_.progress) exits_.push_back(number);
    return true;
  }
  if (options_.progress && result.kind != StepKind::Moved) exits_.push_back(number);
  switch (result.kind) {
    case StepKind::Moved:
      goes_on = after_access_ ? add_ordered(number, thread, arg, result) : add_state(number, thread, arg);
      break;
    case StepKind::Unknown:
      missing_.push_back({number, arg, thread});
      add_lead(
          {number, thread, arg, result.kind, {}, intern_sides(product_.sides())},
          {result.missing, result.missing_value, static_cast<u64>(result.wide), static_cast<u64>(result.wide >> 64)});
      break;
    case StepKind::Lifetime:
    case StepKind::Misuse:
      led_nowhere_ = true;
      add_lead({number, thread, arg, result.kind, {}, intern_sides(product_.sides())}, {node.site, thread});
      break;
    case StepKind::ProgramEnd:
      for (ThreadSet others = live & ~bit(thread) & ~product_.stopped(from_.data()); others; others &= others - 1)
        add_lead({number, thread, arg, result.kind}, {node.site, thread, lowest(others)});
      ends_.push_back(number);
      break;
    case StepKind::Race:
    case StepKind::Endless: break;
  }
  return goes_on;
}

void Decider::resume() {
  leads_.clear();
  lead_keys_.clear();
  std::vector<Missing> missing;
  missing.swap(missing_);
  for (const Missing& step : missing) {
    from_.assign(store_.at(step.state), store_.at(step.state) + state_bytes_);
    take_step(step.state, step.thread, step.arg, product_.live(from_.data()));
  }
}

bool Decider::has_room() const {
  constexpr size_t kSoon = 1 << 14;     // more than what is added between two looks
  constexpr size_t kLarge = 16u << 20;  // bytes that are worth a look
  size_t bytes = store_.next_growth(kSoon);
  constexpr size_t kTrails = kSoon * 16;
  if (!trails_.fits(kTrails * 64)) return false;
  if (trails_.size() + kTrails > trails_.capacity()) bytes += trails_.capacity();
  if (transitions_.size() + kSoon > transitions_.capacity()) bytes += transitions_.capacity() * sizeof(Transition);
  if (missing_.size() + kSoon > missing_.capacity()) bytes += missing_.capacity() * sizeof(Missing);
  return bytes < kLarge || has_room_for(bytes);
}

/// One, unless main decides by inputs before anybody else can step.
void Decider::add_initial_states() {
  product_.begin_sides();
  do {
    std::vector<u8> state;
    StepResult result;
    step_.moves.clear();
    if (!product_.initial(state, result)) {
      // Or a run that ended before this thread got to its first operation: any other run shows more.
      add_lead({StateStore::kRoot, kNoThread, 0, StepKind::Unknown, {}, intern_sides(product_.sides())},
               {result.missing, result.missing_value});
      continue;
    }
    to_ = std::move(state);
    to_.resize(state_bytes_, 0);
    after_access_ ? add_choices(StateStore::kRoot, 0, 0) : add_state(StateStore::kRoot, 0, 0);
  } while (product_.next_sides());
}

bool Decider::search(const std::atomic<bool>& stop, u64 budget) {
  stop_ = &stop;
  if (!begun_) {
    begun_ = true;
    add_initial_states();
  }
  u64 steps = 0;
  while (!stack_.empty()) {
    if ((++steps & 63) == 0) {
      if (!obstacle().empty()) return true;
      if (steps > budget && (options_.pauses || !leads_.empty())) return true;
      if (is_stopped()) return false;
      if (!has_room()) {
        out_of_memory_ = true;
        return false;
      }
    }
    const u32 number = stack_.back();
    stack_.pop_back();
    expand(number);
  }
  return true;
}

}  // namespace plait
