#include "solve/z3_encoding.h"

#include <algorithm>
#include <string>

#include "machine/value.h"

namespace plait::solve {
namespace {

bool is_access(Op op) { return machine::is_access(op); }

bool is_fresh(const machine::Object& object) {
  return object.owner == kNoThread && object.count == 0 && object.value == 0 && object.waiters == 0;
}

}  // namespace

Z3Encoding::Z3Encoding(z3::context& context, z3::solver& solver, const CausalModel& model)
    : context_(context),
      solver_(solver),
      model_(model),
      places_(context),
      performed_(context),
      changed_(context),
      keeps_(context) {
  const u32 count = static_cast<u32>(model.steps().size());
  exact_.assign(count, true);
  for (u32 i = 0; i < count; ++i)
    if (model.needs_room(i)) exact_[i] = false;
  change_literal_.assign(count, -1);
  for (u32 i = 0; i < count; ++i) {
    places_.push_back(context.int_const(("o" + std::to_string(i)).c_str()));
    performed_.push_back(context.bool_const(("p" + std::to_string(i)).c_str()));
  }
  state_threads();
  state_dependence();
  state_reads();
  find_sections();
  state_locks();
  state_others();
  state_semaphores();
}

z3::expr Z3Encoding::any(const std::vector<z3::expr>& options) const {
  z3::expr_vector list(context_);
  for (const z3::expr& option : options) list.push_back(option);
  return list.empty() ? context_.bool_val(false) : z3::mk_or(list);
}

/// Phi_mhb; with buffers, 004's Phi_mem and Phi_sync.
void Z3Encoding::state_threads() {
  for (u32 t = 0; t < model_.sequences(); ++t)
    for (u32 k = 0; k < model_.length(t); ++k) {
      const u32 number = model_.number(t, k);
      const Step& step = model_.steps()[number];
      for (const Need& need : model_.needs(number)) {
        const u32 before = model_.number(need.sequence, need.count - 1);
        solver_.add(place(before) < place(number));
        solver_.add(z3::implies(performed(number), performed(before)));
      }
      if (k > 0) {
        const u32 before = model_.number(t, k - 1);
        solver_.add(place(before) < place(number));
        solver_.add(z3::implies(performed(number), performed(before)));
      } else if (!model_.is_buffer(t) && model_.fork_of(t) != CausalModel::kNone) {
        const u32 fork = model_.fork_of(t);
        solver_.add(place(fork) < place(number));
        solver_.add(z3::implies(performed(number), performed(fork)));
      }
      if (step.operation.op != Op::Join) continue;
      const u32 child = static_cast<u32>(step.operation.location);
      const u32 length = child < model_.threads() ? model_.length(child) : 0;
      if (length == 0 || model_.step(child, length - 1).operation.op != Op::End) {
        solver_.add(!performed(number));
        continue;
      }
      const u32 end = model_.number(child, length - 1);
      solver_.add(z3::implies(performed(number), performed(end) && place(end) < place(number)));
    }
}

/// Phi_value(read, value), for those bytes of the read that every access takes or leaves together.
z3::expr Z3Encoding::part_constraint(u32 number, u64 begin, u64 end, u128 wanted) {
  const Step& read = model_.steps()[number];
  const std::vector<Step>& steps = model_.steps();
  auto part = [&](const Step& step, u128 value) {
    return machine::truncate(value >> (8 * (begin - step.operation.location)), static_cast<unsigned>(end - begin));
  };
  std::vector<u32> writes;
  for (const u32 write : writes_[read.first_cell]) {
    const machine::Operation& operation = steps[write].operation;
    if (write != number && operation.location <= begin && end <= operation.location + operation.size)
      writes.push_back(write);
  }
  // What program order says already need not be said again.
  auto comes_first = [&](u32 a, u32 b) {
    return steps[a].sequence == steps[b].sequence && steps[a].index < steps[b].index;
  };
  auto is_hidden = [&](u32 source) {
    return std::any_of(writes.begin(), writes.end(), [&](u32 other) {
      return other != source && comes_first(other, number) &&
             (source == CausalModel::kNone || comes_first(source, other));
    });
  };
  auto nothing_between = [&](u32 source) {
    z3::expr_vector all(context_);
    for (const u32 other : writes) {
      if (other == source || comes_first(number, other)) continue;
      if (source != CausalModel::kNone && comes_first(other, source)) continue;
      z3::expr apart = place(number) < place(other);
      if (source != CausalModel::kNone) apart = apart || place(other) < place(source);
      all.push_back(!performed(other) || apart);
    }
    return all.empty() ? context_.bool_val(true) : z3::mk_and(all);
  };
  std::vector<z3::expr> sources;
  for (const u32 source : writes) {
    if (comes_first(number, source) || is_hidden(source)) continue;
    u128 value = 0;
    model_.written(steps[source], value);
    if (part(steps[source], value) == part(read, wanted))
      sources.push_back(performed(source) && place(source) < place(number) && brings_same(source) &&
                        nothing_between(source));
  }
  u128 initial = 0;
  for (u32 k = 0; k < read.operation.size; ++k)
    initial |= static_cast<u128>(model_.initial_memory()[read.offset + k]) << (8 * k);
  if (part(read, initial) == part(read, wanted) && !is_hidden(CausalModel::kNone))
    sources.push_back(nothing_between(CausalModel::kNone));
  z3::expr from_memory = any(sources);
  // As long as it is in the buffer, the thread's own newest store counts.
  for (const u32 flush : model_.forwarded(number)) {
    const machine::Operation& operation = steps[flush].operation;
    if (operation.location > begin || end > operation.location + operation.size) continue;
    const z3::expr flushed = performed(flush) && place(flush) < place(number);
    if (part(steps[flush], steps[flush].operand) != part(read, wanted)) return flushed && from_memory;
    return ((!performed(flush) || place(number) < place(flush)) && brings_same(flush)) || (flushed && from_memory);
  }
  return from_memory;
}

/// Phi_value(read, value).
z3::expr Z3Encoding::value_constraint(u32 number, u128 wanted) {
  const Step& read = model_.steps()[number];
  const u64 first = read.operation.location, last = first + read.operation.size;
  z3::expr_vector parts(context_);
  const std::vector<u64>& cuts = cuts_[read.first_cell];
  for (size_t i = 0; i + 1 < cuts.size(); ++i)
    if (cuts[i] >= first && cuts[i + 1] <= last) parts.push_back(part_constraint(number, cuts[i], cuts[i + 1], wanted));
  return z3::mk_and(parts);
}

/// 002, algorithm 1: an event is performed only if the reads that decide whether it happens keep their values.
void Z3Encoding::state_dependence() {
  keep_literal_.assign(model_.steps().size(), -1);
  const Dependence* dependence = model_.dependence();
  if (!dependence) return;
  for (u32 i = 0; i < keep_literal_.size(); ++i) {
    const Step& step = model_.steps()[i];
    if (!step.is_read || !dependence->can_change(i, step.index)) continue;
    keep_literal_[i] = static_cast<int>(keeps_.size());
    keeps_.push_back(context_.bool_const(("k" + std::to_string(i)).c_str()));
    if (const u32 until = dependence->until[i]; until < model_.length(step.thread))
      solver_.add(z3::implies(performed(model_.number(step.thread, until)), keeps_.back()));
  }
}

z3::expr Z3Encoding::brings_same(u32 step) const {
  z3::expr all = context_.bool_val(true);
  if (!model_.dependence()) return all;
  for (const u32 read : model_.dependence()->brings[step])
    if (keep_literal_[read] >= 0) all = all && keeps_[keep_literal_[read]];
  return all;
}

/// Phi_rw.
void Z3Encoding::state_reads() {
  const std::vector<Step>& steps = model_.steps();
  const size_t cells = model_.cells().size();
  writes_.assign(cells, {});
  cuts_.assign(cells, {});
  std::vector<bool> has_lifetime(cells, false);
  for (u32 i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    u128 value;
    for (u32 cell = step.first_cell; cell < step.last_cell; ++cell) {
      if (!is_access(step.operation.op)) has_lifetime[cell] = true;
      if (model_.written(step, value)) writes_[cell].push_back(i);
      cuts_[cell].push_back(step.operation.location);
      cuts_[cell].push_back(step.operation.location + step.operation.size);
    }
  }
  for (std::vector<u64>& cuts : cuts_) {
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  }
  for (u32 i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const Op op = step.operation.op;
    if (step.first_cell < step.last_cell && has_lifetime[step.first_cell]) {
      exact_[i] = false;
      continue;
    }
    if (op != Op::Load && op != Op::Rmw && op != Op::Cas) continue;
    z3::expr keeps = value_constraint(i, step.result);
    if (op == Op::Load) {
      change_literal_[i] = static_cast<int>(changed_.size());
      changed_.push_back(context_.bool_const(("c" + std::to_string(i)).c_str()));
      keeps = keeps || changed_[change_literal_[i]];
    }
    if (keep_literal_[i] >= 0) keeps = keeps || !keeps_[keep_literal_[i]];
    solver_.add(z3::implies(performed(i), keeps));
  }
}

/// A wait that succeeds takes a token: one of the first ones, or that of a post before it. A wait that fails finds
/// every token before it taken.
void Z3Encoding::state_semaphores() {
  const std::vector<Step>& steps = model_.steps();
  for (u32 object = 1; object < model_.initial_objects().size(); ++object) {
    std::vector<u32> posts, takers, failures, all;
    bool understood = true;
    for (u32 i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      if (!machine::is_sync(step.operation.op) || step.operation.object != object) continue;
      switch (step.operation.op) {
        case Op::SemPost: posts.push_back(i); break;
        case Op::SemWait:
        case Op::SemTryWait:
        case Op::SemTimedWait: (step.result == 0 ? takers : failures).push_back(i); break;
        default: understood = false; break;
      }
      all.push_back(i);
    }
    if (!understood || all.empty()) continue;
    for (size_t a = 0; a < all.size(); ++a) {
      exact_[all[a]] = true;
      for (size_t b = a + 1; b < all.size(); ++b)
        if (steps[all[a]].thread != steps[all[b]].thread)
          solver_.add(place(all[a]) < place(all[b]) || place(all[b]) < place(all[a]));
    }
    const auto first = static_cast<size_t>(model_.initial_objects()[object].value);
    const size_t tokens = first + posts.size();
    // takes[w][k]: the wait takes token k.
    std::vector<z3::expr_vector> takes;
    for (const u32 wait : takers) {
      z3::expr_vector row(context_);
      for (size_t k = 0; k < tokens; ++k) {
        row.push_back(context_.bool_const(("t" + std::to_string(wait) + "_" + std::to_string(k)).c_str()));
        if (k >= first)
          solver_.add(z3::implies(row.back(), performed(posts[k - first]) && place(posts[k - first]) < place(wait)));
      }
      for (size_t k = 0; k < tokens; ++k)
        for (size_t l = k + 1; l < tokens; ++l) solver_.add(!row[static_cast<int>(k)] || !row[static_cast<int>(l)]);
      for (const z3::expr& token : row) solver_.add(z3::implies(token, performed(wait)));
      solver_.add(z3::implies(performed(wait), row.empty() ? context_.bool_val(false) : z3::mk_or(row)));
      for (const z3::expr_vector& other : takes)
        for (int k = 0; k < static_cast<int>(tokens); ++k) solver_.add(!row[k] || !other[k]);
      takes.push_back(row);
    }
    for (const u32 failure : failures)
      for (size_t k = 0; k < tokens; ++k) {
        std::vector<z3::expr> ways{!performed(failure)};
        if (k >= first) {
          ways.push_back(!performed(posts[k - first]));
          ways.push_back(place(failure) < place(posts[k - first]));
        }
        for (size_t w = 0; w < takers.size(); ++w)
          ways.push_back(takes[w][static_cast<int>(k)] && place(takers[w]) < place(failure));
        solver_.add(any(ways));
      }
  }
}

void Z3Encoding::find_sections() {
  sections_.assign(model_.initial_objects().size(), {});
  for (u32 t = 0; t < model_.threads(); ++t) {
    std::vector<u32> depth(model_.initial_objects().size(), 0);
    auto take = [&](u32 object, u32 number, bool exclusive) {
      if (depth[object]++ == 0)
        sections_[object].push_back({number, CausalModel::kNone, static_cast<ThreadId>(t), exclusive});
    };
    auto release = [&](u32 object, u32 number) {
      if (depth[object] == 0 || --depth[object] != 0) return;
      for (Section& section : sections_[object])
        if (section.thread == t && section.end == CausalModel::kNone) section.end = number;
    };
    for (u32 k = 0; k < model_.length(t); ++k) {
      const u32 number = model_.number(t, k);
      const Step& step = model_.steps()[number];
      const machine::HoldChange change = machine::hold_change(step.operation.op, static_cast<u64>(step.result));
      const u32 object = change.of_second ? step.operation.object2 : step.operation.object;
      if (change.kind == machine::HoldChange::Takes) take(object, number, !change.shares);
      if (change.kind == machine::HoldChange::Gives) release(object, number);
    }
  }
}

/// Some other thread is inside a section of the step's object.
z3::expr Z3Encoding::held_by_others(u32 number) {
  std::vector<z3::expr> holders;
  const Step& step = model_.steps()[number];
  const bool reader = step.operation.op == Op::TryReadLock || step.operation.op == Op::TimedReadLock;
  for (const Section& section : sections_[step.operation.object]) {
    if (section.begin == number || (reader && !section.exclusive)) continue;
    z3::expr inside = performed(section.begin) && place(section.begin) < place(number);
    if (section.end != CausalModel::kNone)
      inside = inside && (!performed(section.end) || place(number) < place(section.end));
    holders.push_back(inside);
  }
  return any(holders);
}

/// Phi_lock.
void Z3Encoding::state_locks() {
  for (const std::vector<Section>& sections : sections_)
    for (size_t i = 0; i < sections.size(); ++i)
      for (size_t k = i + 1; k < sections.size(); ++k) {
        const Section &a = sections[i], &b = sections[k];
        if (a.thread == b.thread || (!a.exclusive && !b.exclusive)) continue;
        std::vector<z3::expr> ways{!performed(a.begin), !performed(b.begin)};
        if (a.end != CausalModel::kNone) ways.push_back(performed(a.end) && place(a.end) < place(b.begin));
        if (b.end != CausalModel::kNone) ways.push_back(performed(b.end) && place(b.end) < place(a.begin));
        solver_.add(any(ways));
      }
}

void Z3Encoding::state_others() {
  const std::vector<Step>& steps = model_.steps();
  auto one_before = [&](u32 number, auto&& counts) {
    std::vector<z3::expr> ways;
    for (u32 i = 0; i < steps.size(); ++i)
      if (steps[i].thread != steps[number].thread && steps[i].operation.object == steps[number].operation.object &&
          counts(steps[i]))
        ways.push_back(performed(i) && place(i) < place(number));
    solver_.add(z3::implies(performed(number), any(ways)));
  };
  for (u32 i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const bool fresh = machine::is_sync(step.operation.op) && is_fresh(model_.initial_objects()[step.operation.object]);
    switch (step.operation.op) {
      case Op::Lock:
      case Op::Unlock:
      case Op::ReadLock:
      case Op::WriteLock:
      case Op::RwUnlock:
      case Op::Reacquire: exact_[i] = exact_[i] && fresh; break;
      case Op::TryLock:
      case Op::TimedLock:
      case Op::TryReadLock:
      case Op::TimedReadLock:
      case Op::TryWriteLock:
      case Op::TimedWriteLock:
        exact_[i] = fresh && step.operation.detail == 0;
        if (step.result != 0 && exact_[i]) solver_.add(z3::implies(performed(i), held_by_others(i)));
        break;
      case Op::CondWake:
        exact_[i] = false;
        if (step.result == 0)
          one_before(i, [](const Step& s) { return s.operation.op == Op::Signal || s.operation.op == Op::Broadcast; });
        break;
      case Op::OnceEnter:
        exact_[i] = false;
        if (step.result == 0 && fresh) one_before(i, [](const Step& s) { return s.operation.op == Op::OnceLeave; });
        break;
      case Op::AtomicBegin:
      case Op::Exit:
      case Op::Assume: {
        u32 end = CausalModel::kNone;
        for (u32 k = step.index + 1; k < model_.length(step.thread) && end == CausalModel::kNone; ++k)
          if (model_.step(step.thread, k).operation.op == Op::AtomicEnd) end = model_.number(step.thread, k);
        for (u32 k = 0; k < steps.size(); ++k) {
          const bool ends_all = step.operation.op != Op::AtomicBegin;
          if (steps[k].thread == step.thread && !(ends_all && steps[k].operation.op == Op::Flush)) continue;
          std::vector<z3::expr> ways{!performed(i), !performed(k), place(k) < place(i)};
          if (end != CausalModel::kNone) ways.push_back(performed(end) && place(end) < place(k));
          solver_.add(any(ways));
        }
        break;
      }
      default:
        if (machine::is_sync(step.operation.op) || step.operation.op == Op::Free) exact_[i] = false;
        break;
    }
  }
}

z3::expr_vector Z3Encoding::assumptions(const Query& query) {
  z3::expr_vector list(context_);
  for (u32 t = 0; t < model_.sequences(); ++t) {
    if (query.required[t] > 0) list.push_back(performed(model_.number(t, query.required[t] - 1)));
    if (query.limit[t] < model_.length(t)) list.push_back(!performed(model_.number(t, query.limit[t])));
  }
  for (u32 i = 0; i < change_literal_.size(); ++i) {
    if (change_literal_[i] < 0) continue;
    const z3::expr literal = changed_[change_literal_[i]];
    list.push_back(i == query.changed ? literal : !literal);
  }
  for (u32 i = 0; i < keep_literal_.size(); ++i)
    if (keep_literal_[i] >= 0 && !query.can_change(model_, i)) list.push_back(keeps_[keep_literal_[i]]);
  if (query.changed == CausalModel::kNone || change_literal_[query.changed] < 0) return list;
  const std::pair key{query.changed, query.result};
  auto found = std::find_if(value_literals_.begin(), value_literals_.end(),
                            [&](const auto& entry) { return entry.first == key; });
  if (found == value_literals_.end()) {
    z3::expr literal = context_.bool_const(("v" + std::to_string(value_literals_.size())).c_str());
    solver_.add(z3::implies(literal, value_constraint(query.changed, query.result)));
    value_literals_.emplace_back(key, literal);
    found = std::prev(value_literals_.end());
  }
  list.push_back(found->second);
  return list;
}

std::vector<u32> Z3Encoding::order(const z3::model& solution) const {
  std::vector<std::pair<i64, u32>> places;
  for (u32 i = 0; i < model_.steps().size(); ++i)
    if (solution.eval(performed(i), true).is_true())
      places.emplace_back(solution.eval(place(i), true).get_numeral_int64(), i);
  std::sort(places.begin(), places.end());
  std::vector<u32> result;
  for (const auto& [place, step] : places) result.push_back(step);
  return result;
}

}  // namespace plait::solve
