#include "explore/decider.h"

#include <algorithm>
#include <utility>

#include "base/memory_use.h"
#include "knowledge/races.h"

namespace plait {

Decider::Decider(const Behaviour& knowledge, const Options& options, solve::PathConditions* conditions)
    : Decider(knowledge, std::make_shared<Horizon>(knowledge, options.exit_matters), Cone(), options, conditions) {}

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
      state_bytes_(layout_.bytes() + (after_access_ ? after_access_->bytes() : 0)),
      store_(state_bytes_),
      conditions_(conditions) {
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

u32 Decider::next_of(const u8* state, ThreadId actor, NodeId* to) const {
  if (actor < layout_.threads()) {
    *to = product_.cursor(state, actor);
    return 1;
  }
  NodeId stores[machine::kMostBuffered];
  product_.stores(state, owner_of(actor), stores);
  u32 count = 0;
  for (u64 set = product_.flushable(state, owner_of(actor)); set; set &= set - 1) to[count++] = stores[lowest(set)];
  return count;
}

bool Decider::find_unseen_flush(const u8* state, ThreadSet actors, ThreadId& buffer, u32& place) const {
  NodeId stores[machine::kMostBuffered], others[machine::kMostBuffered];
  const ThreadSet buffering = product_.buffering(state);
  for (ThreadSet set = buffering & actors >> kFirstBuffer; set; set &= set - 1) {
    const ThreadId thread = lowest(set);
    product_.stores(state, thread, stores);
    for (u64 places = product_.flushable(state, thread); places; places &= places - 1) {
      const NodeId store = stores[lowest(places)];
      bool seen =
          product_.waits_for_buffer(state, thread) && (places & (places - 1)) == 0;  // what its thread does then
      for (ThreadSet live = product_.live(state) & ~bit(thread); live && !seen; live &= live - 1)
        seen = futures_.flush_conflicts(store, product_.cursor(state, lowest(live)));
      for (ThreadSet more = buffering & ~bit(thread); more && !seen; more &= more - 1)
        for (u32 i = product_.stores(state, lowest(more), others); i-- > 0;)
          seen |= futures_.meets_operation(store, others[i]);
      if (seen) continue;
      buffer = buffer_of(thread);
      place = lowest(places);
      return true;
    }
  }
  return false;
}

void Decider::add_conflicts(const u8* state, ThreadId member, ThreadSet actors, ThreadSet& closed,
                            ThreadSet& todo) const {
  auto add = [&](ThreadId actor) {
    if (closed & bit(actor)) return;
    closed |= bit(actor);
    todo |= bit(actor);
  };
  const ThreadId owner = member < layout_.threads() ? member : owner_of(member);
  const NodeId at = product_.cursor(state, owner);
  const Node& node = knowledge_.node(at);
  if (member == owner) {
    if (node.op == Op::Exit) {
      closed = actors;
      todo = 0;
      return;
    }
    if (product_.waits_for_buffer(state, member)) return add(buffer_of(member));  // nothing else lets it go on
    if (node.op == Op::Join) add(static_cast<ThreadId>(node.location));
  }
  NodeId mine[machine::kMostBuffered], its[machine::kMostBuffered];
  const u32 count = next_of(state, member, mine);
  // A thread that waits for its buffer goes on by itself when the last store has left.
  const bool goes_on = member != owner && product_.waits_for_buffer(state, owner);
  for (ThreadSet others = actors & ~closed; others; others &= others - 1) {
    const ThreadId other = lowest(others);
    const bool is_thread = other < layout_.threads();
    if ((is_thread ? other : owner_of(other)) == owner) continue;  // a thread and its buffer do not notice each other
    bool conflict = false;
    if (is_thread) {
      const NodeId its_node = product_.cursor(state, other);
      for (u32 i = 0; i < count && !conflict; ++i)
        conflict =
            member == owner ? futures_.conflicts(mine[i], its_node) : futures_.flush_conflicts(mine[i], its_node);
      conflict |= goes_on && futures_.conflicts(at, its_node);
    } else {
      for (u32 k = product_.stores(state, owner_of(other), its); k-- > 0 && !conflict;) {
        for (u32 i = 0; i < count; ++i) conflict |= futures_.meets_operation(its[k], mine[i]);
        conflict |= goes_on && futures_.meets_operation(its[k], at);
      }
    }
    if (conflict) add(other);
  }
}

ThreadSet Decider::persistent_set(const u8* state, ThreadSet enabled, ThreadSet live) const {
  ThreadSet best = enabled;
  for (ThreadSet seeds = enabled; seeds; seeds &= seeds - 1) {
    ThreadSet closed = bit(lowest(seeds)), todo = closed;
    while (todo) {
      const ThreadId member = lowest(todo);
      todo &= todo - 1;
      add_conflicts(state, member, live, closed, todo);
      if (count(closed & enabled) >= count(best)) break;
    }
    if (!todo && count(closed & enabled) < count(best)) best = closed & enabled;
    if (count(best) == 1) break;
  }
  return best;
}

void Decider::look_for_races(u32 number, ThreadSet enabled) {
  NodeId mine[machine::kMostBuffered], its[machine::kMostBuffered];
  const auto owner = [&](ThreadId actor) { return actor < layout_.threads() ? actor : owner_of(actor); };
  for (ThreadSet set = enabled; set; set &= set - 1) {
    const ThreadId thread = lowest(set);
    const u32 my_count = next_of(from_.data(), thread, mine);
    for (ThreadSet others = set & (set - 1); others; others &= others - 1) {
      const ThreadId other = lowest(others);
      // Not the nodes' threads: equal stores of different threads can have one node in the buffers.
      if (owner(thread) == owner(other)) continue;
      const u32 its_count = next_of(from_.data(), other, its);
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
  const ThreadSet actors = in_cone(state, product_.live(state));
  const ThreadSet live = product_.live(state) & actors;
  ThreadSet enabled = product_.enabled(state) & actors;
  const ThreadSet stopped = product_.stopped(state);
  const ThreadSet exiting = options_.exit_matters ? 0 : product_.exiting(state) & enabled;
  if (exiting) note_exit(number, exiting);
  enabled &= ~exiting;
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
  ThreadId buffer;
  u32 place;
  if (options_.reduce && find_unseen_flush(state, enabled, buffer, place)) {
    led_nowhere_ = false;
    if (take_step(number, buffer, static_cast<u16>(place), live) || !(led_nowhere_ || futures_.has_cycles())) return;
    take_steps(number, enabled, live);
    return;
  }
  const ThreadSet chosen = options_.reduce ? persistent_set(state, enabled, actors) : enabled;
  led_nowhere_ = false;
  const bool goes_on = take_steps(number, chosen, live);
  if (chosen != enabled && (led_nowhere_ || (!goes_on && futures_.has_cycles())))
    take_steps(number, enabled & ~chosen, live);
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

bool Decider::add_state(u32 number, ThreadId thread, u16 arg) {
  const auto [next, fresh] = store_.add(to_.data(), {number, arg, thread, intern_sides(product_.sides())});
  if (fresh) stack_.push_back(next);
  if (options_.progress && number != StateStore::kRoot) transitions_.push_back({number, next, arg, thread});
  return futures_.has_cycles() && (fresh || next >= expanded_.size() || !expanded_[next]);
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

bool Decider::find_inputs(const std::vector<u32>& conditions, std::vector<InputVariable>& inputs) {
  if (!conditions_ || conditions.empty()) return true;
  solve::InputModel model;
  if (conditions_->find(conditions, model) != solve::InputSolver::Answer::Yes) return false;
  const solve::InputTerms& terms = conditions_->terms();
  for (u32 i = 0; i < terms.inputs(); ++i) {
    if (model[i] == terms.default_of(i)) continue;
    inputs.push_back(terms.input(i));
    inputs.back().value = model[i];
    inputs.back().has_value = 1;
  }
  return true;
}

Path Decider::path(const Lead& lead, StepResult& last) {
  std::vector<StateStore::Origin> moves;
  if (lead.thread != kNoThread && lead.kind != StepKind::Race)
    moves.push_back({lead.state, lead.arg, lead.thread, lead.sides});
  std::vector<u32> positions(layout_.threads(), 0);
  Product concrete(knowledge_, layout_, nullptr, nullptr, conditions_);
  std::vector<u32> conditions;
  concrete.collect_conditions(&conditions);
  concrete.track(positions.data());
  std::vector<Product::Move> done;
  if (lead.kind == StepKind::Race && after_access_) concrete.record(&done);
  std::vector<u8> state;
  auto origin = [&](u32 number) { return lead.kind == StepKind::Endless ? nearest_[number] : store_.origin(number); };
  u32 first = lead.state;
  for (; first != StateStore::kRoot && origin(first).parent != StateStore::kRoot; first = origin(first).parent)
    moves.push_back(origin(first));
  std::reverse(moves.begin(), moves.end());
  concrete.take_sides(sides_[first == StateStore::kRoot ? lead.sides : store_.origin(first).sides]);
  concrete.initial(state, last);
  Path path;
  if (first == StateStore::kRoot) {
    path.has_inputs = find_inputs(conditions, path.inputs);
    return path;
  }
  // Once more with the threads' own nodes, for the positions.
  std::vector<PathStep>& steps = path.steps;
  steps.reserve(moves.size());
  for (const auto& move : moves) {
    if (move.thread < layout_.threads()) {
      const NodeId at = concrete.cursor(state.data(), move.thread);
      const bool chosen = concrete.choices(state.data(), move.thread) != 0;
      steps.push_back({move.thread, move.arg, chosen, positions[move.thread], at});
    } else {
      NodeId stores[machine::kMostBuffered];
      concrete.stores(state.data(), owner_of(move.thread), stores);
      steps.push_back(
          {move.thread, 0, true, concrete.position_of_store(owner_of(move.thread), move.arg), stores[move.arg]});
    }
    concrete.take_sides(sides_[move.sides]);
    last = concrete.step(state.data(), move.thread, move.arg);
    // A search that went on may have taken a node for one that has turned out to be another: then this is where the
    // unknown begins.
    if (last.kind != StepKind::Moved) break;
  }
  path.has_inputs = find_inputs(conditions, path.inputs);
  if (last.kind != StepKind::Moved) return path;
  path.claim = lead.claim;
  if (lead.claim.kind == Claim::RaceWithEarlier)
    path.claim.later = after_access_->later_accesses(store_.at(lead.state), lead.thread, done);
  return path;
}

}  // namespace plait
