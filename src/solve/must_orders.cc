#include "solve/must_orders.h"

#include <algorithm>

namespace plait::solve {
namespace {

bool same_bytes(const Step& a, const Step& b) {
  return a.operation.location == b.operation.location && a.operation.size == b.operation.size;
}

using machine::is_read;

bool is_write(const Step& step) {
  const Op op = step.operation.op;
  return op == Op::Rmw || op == Op::Cas || op == Op::Flush || (op == Op::Store && !step.is_buffered);
}

}  // namespace

bool MustOrders::add(u32 a, u32 b) {
  if (a == b || is_before(b, a)) return false;
  if (is_before(a, b)) return true;
  changed_ = true;
  const u32 count = static_cast<u32>(model_->steps().size());
  // Everything before a (and a) comes before everything behind b (and b).
  u64* row_b = reach_.data() + b * words_;
  for (u32 x = 0; x < count; ++x) {
    if (x != a && !is_before(x, a)) continue;
    u64* row = reach_.data() + x * words_;
    for (u32 w = 0; w < words_; ++w) row[w] |= row_b[w];
    row[b / 64] |= u64{1} << (b % 64);
  }
  return true;
}

void MustOrders::remember(u32 a, u32 b) {
  std::vector<u32>& list = first_[b];
  if (std::find(list.begin(), list.end(), a) == list.end()) list.push_back(a);
}

bool MustOrders::require(u32 sequence, u32 length) {
  if (length > query_->limit[sequence]) return false;
  if (required_[sequence] < length) {
    required_[sequence] = length;
    changed_ = true;
  }
  return true;
}

void MustOrders::keep(const std::vector<u32>& reads) {
  for (const u32 read : reads) {
    if (kept_[read]) continue;
    kept_[read] = true;
    changed_ = true;
  }
}

/// Where can a required read get its value from?
/// For certain, by another value, before the read looks?
bool MustOrders::is_overwritten(u32 write, u32 read, u128 wanted) const {
  const std::vector<Step>& steps = model_->steps();
  for (const u32 other : writes_[steps[read].first_cell]) {
    u128 value;
    if (other == write || other == read || steps[other].index >= required_[steps[other].sequence] ||
        !model_->written(steps[other], value))
      continue;
    if (value != wanted && is_before(write, other) && is_before(other, read)) return true;
  }
  return false;
}

bool MustOrders::check_read(u32 number) {
  const std::vector<Step>& steps = model_->steps();
  const Step& read = steps[number];
  const u128 wanted = number == query_->changed ? query_->result : read.result;
  // Out of its own buffer: nothing follows, or the store must have left it.
  for (const u32 flush : model_->forwarded(number)) {
    if (!same_bytes(read, steps[flush]) || steps[flush].operand == wanted) return true;
    if (!require(steps[flush].sequence, steps[flush].index + 1) || !add(flush, number)) return false;
  }
  u128 initial = 0;
  for (u32 k = 0; k < read.operation.size; ++k)
    initial |= static_cast<u128>(model_->initial_memory()[read.offset + k]) << (8 * k);
  bool from_start = initial == wanted;
  u32 source = CausalModel::kNone, sources = 0;
  for (const u32 w : writes_[read.first_cell]) {
    const Step& write = steps[w];
    if (w == number || write.index >= query_->limit[write.sequence]) continue;
    if (!same_bytes(read, write)) return true;  // of mixed sizes: nothing follows
    u128 value = 0;
    if (w == query_->changed || !model_->written(write, value)) {
      if (w == query_->changed) return true;
      continue;
    }
    if (value == wanted && !is_before(number, w)) {
      if (is_overwritten(w, number, wanted)) continue;
      source = w;
      ++sources;
    }
    if (from_start && value != wanted && is_before(w, number) && write.index < required_[write.sequence])
      from_start = false;
  }
  if (sources == 0 && !from_start) return false;
  if (sources == 1 && !from_start) {
    const Step& write = steps[source];
    if (!require(write.sequence, write.index + 1) || !add(source, number)) return false;
    if (!kept_.empty()) keep(model_->dependence()->brings[source]);
  }
  // Required writes of other values stand before the only source or behind the read.
  if (sources + from_start != 1) return true;
  for (const u32 other : writes_[read.first_cell]) {
    const Step& write = steps[other];
    u128 value;
    if (other == source || other == number || other == query_->changed || !model_->written(write, value) ||
        value == wanted)
      continue;
    if (from_start) remember(number, other);  // also those that need not be performed at all
    if (write.index >= required_[write.sequence]) continue;
    if (from_start) {
      if (!add(number, other)) return false;
    } else if (is_before(other, number)) {
      if (!add(other, source)) return false;
    } else if (is_before(source, other)) {
      if (!add(number, other)) return false;
      remember(number, other);
    }
  }
  return true;
}

void MustOrders::find_kept() {
  kept_.clear();
  decisive_.clear();
  if (!query_->relaxed) return;
  const u32 count = static_cast<u32>(model_->steps().size());
  decisive_.resize(count);
  for (u32 number = 0; number < count; ++number) {
    kept_.push_back(!query_->can_change(*model_, number));
    if (kept_.back()) continue;
    const Step& step = model_->steps()[number];
    const u32 until = model_->dependence()->until[number];
    if (until < model_->length(step.thread)) decisive_[model_->number(step.thread, until)].push_back(number);
  }
}

bool MustOrders::saturate(const CausalModel& model, const Query& query) {
  model_ = &model;
  query_ = &query;
  required_ = query.required;
  const std::vector<Step>& steps = model.steps();
  const u32 count = static_cast<u32>(steps.size());
  words_ = (count + 63) / 64;
  find_kept();
  reach_.assign(static_cast<size_t>(count) * words_, 0);
  writes_.assign(model.cells().size(), {});
  first_.assign(count, {});
  for (u32 i = 0; i < count; ++i) {
    const Step& step = steps[i];
    if (is_write(step)) writes_[step.first_cell].push_back(i);
    if (step.operation.op == Op::Free || step.operation.op == Op::Alloc || step.operation.op == Op::FutexWait)
      return true;
  }
  std::vector<std::vector<u32>> after(count);  // steps that wait for this one
  for (u32 i = 0; i < count; ++i)
    for (const Need& need : model.needs(i)) after[model.number(need.sequence, need.count - 1)].push_back(i);
  // Program order, buffers, forks and joins. Observed order is an order of these, so each row is built from later ones.
  for (u32 i = count; i-- > 0;) {
    const Step& step = steps[i];
    auto follow = [&](u32 next) {
      for (u32 w = 0; w < words_; ++w) reach_[i * words_ + w] |= reach_[next * words_ + w];
      reach_[i * words_ + next / 64] |= u64{1} << (next % 64);
    };
    if (step.index + 1 < model.length(step.sequence)) follow(model.number(step.sequence, step.index + 1));
    for (const u32 next : after[i]) follow(next);
    if (step.operation.op == Op::Fork && model.length(static_cast<u32>(step.operation.location)))
      follow(model.number(static_cast<u32>(step.operation.location), 0));
  }
  for (u32 i = 0; i < count; ++i) {
    const Step& step = steps[i];
    if (step.operation.op != Op::Join) continue;
    const u32 child = static_cast<u32>(step.operation.location), last = model.length(child);
    if (last && !add(model.number(child, last - 1), i)) return false;
  }
  do {
    changed_ = false;
    for (u32 t = 0; t < model.sequences(); ++t)
      for (u32 k = 0; k < required_[t]; ++k) {
        const u32 number = model.number(t, k);
        const Step& step = steps[number];
        for (const Need& need : model.needs(number))
          if (!require(need.sequence, need.count)) return false;
        if (k == 0 && !model.is_buffer(t) && model.fork_of(t) != CausalModel::kNone) {
          const Step& fork = steps[model.fork_of(t)];
          if (!require(fork.sequence, fork.index + 1)) return false;
        }
        if (step.operation.op == Op::Join) {
          const u32 child = static_cast<u32>(step.operation.location);
          if (!require(child, model.length(child))) return false;
        }
        if (!kept_.empty()) keep(decisive_[number]);
        if (is_read(step.operation.op) && keeps(number) && !check_read(number)) return false;
      }
  } while (changed_);
  return true;
}

}  // namespace plait::solve
