#include "exogenous/order.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.h"

namespace plait::exogenous {
namespace {

std::vector<u32> with_pending(const Execution& run) {
  std::vector<u32> events = run.events;
  events.insert(events.end(), run.pending.begin(), run.pending.end());
  return events;
}

}  // namespace

RunOrder::RunOrder(const Execution& run, const Relations& relations)
    : run_(run),
      relations_(relations),
      performed_(static_cast<u32>(run.events.size())),
      events_(with_pending(run)),
      ties_(relations, events_, run.given),
      before_(performed_, EventSet(performed_)) {
  for (u32 j = 0; j < performed_; ++j)
    for (u32 i = j; i-- > 0;) {
      require_no_contradiction(i, j);
      if (before_[j].has(i) || tie(i, j) == Tie::None) continue;
      before_[j].add(i);
      before_[j].add(before_[i]);
    }
}

Tie RunOrder::tie(u32 i, u32 j) const {
  // A failure ends the run for everybody.
  if (j >= performed_ && run_.status == EndStatus::Failed && i + 1 == performed_)
    return std::max(ties_(i, j), Tie::Interferes);
  return ties_(i, j);
}

void RunOrder::require_no_contradiction(u32 i, u32 j) const {
  if (!ties_.contradicts(i, j)) return;
  const Catalogue& catalogue = relations_.catalogue();
  throw Error(kExitUsage, fmt::format("the relation 'must' contradicts a run: '{}' ({}) must come before '{}' ({}), "
                                      "but came after it",
                                      catalogue.id(events_[j]), catalogue.text(events_[j]), catalogue.id(events_[i]),
                                      catalogue.text(events_[i])));
}

std::vector<u32> RunOrder::not_after(u32 first) const {
  std::vector<u32> rest;
  for (u32 k = first + 1; k < performed_; ++k)
    if (!before(first, k)) rest.push_back(k);
  return rest;
}

std::vector<Reversal> RunOrder::reversals() const {
  std::vector<Reversal> all;
  for (u32 j = 0; j < events_.size(); ++j) add_reversals(j, all);
  return all;
}

std::vector<Reversal> RunOrder::alternatives() const {
  std::vector<Reversal> all;
  for (const Alternative& alternative : run_.alternatives) add_alternative(alternative, all);
  return all;
}

/// Pairs (i, j) that interfere, if nothing else keeps j behind i. What enabled j does not count: it may be that j, when
/// it comes first, does not need it. If j then has to wait all the same, it has to come before more: so events whose
/// reversal may fail are no reason not to look further back.
void RunOrder::add_reversals(u32 j, std::vector<Reversal>& all) const {
  const u32 end = std::min(j, performed_);
  EventSet reasons(performed_);  // behind which j stays
  std::vector<u32> enabling;
  for (u32 i = end; i-- > 0;) {
    const Tie how = tie(i, j);
    if (how == Tie::Enables) enabling.push_back(i);
    if (how != Tie::Must && how != Tie::Interferes) continue;
    if (how == Tie::Interferes && !reasons.has(i)) {
      const bool may_fail = j >= performed_ || std::any_of(enabling.begin(), enabling.end(),
                                                           [&](u32 enabler) { return before(i, enabler); });
      all.push_back({i, events_[j], j < performed_ ? j : kNotPerformed, may_fail, not_after(i)});
      if (may_fail) continue;
    }
    reasons.add(i);
    reasons.add(before_[i]);
  }
}

void RunOrder::add_alternative(const Alternative& alternative, std::vector<Reversal>& all) const {
  std::vector<u32> rest = not_after(alternative.at);
  all.push_back({alternative.at, alternative.event, kNotPerformed, true, rest});
  // What interferes with it may be the end of it, too: once more without.
  EventSet gone(performed_);
  std::vector<u32> fewer;
  for (const u32 k : rest) {
    bool out = relations_.tie(events_[k], alternative.event) != Tie::None;
    for (u32 i = alternative.at; i < k && !out; ++i) out = gone.has(i) && before(i, k);
    if (out)
      gone.add(k);
    else
      fewer.push_back(k);
  }
  if (fewer.size() != rest.size()) all.push_back({alternative.at, alternative.event, kNotPerformed, true, fewer});
}

}  // namespace plait::exogenous
