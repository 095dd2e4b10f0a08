#include "knowledge/cone.h"

#include <algorithm>

namespace plait {

Cone::Cone(const Behaviour& knowledge, const Futures& futures, ThreadSet targets)
    : everything_(false), targets_(targets), relevant_(futures.words(), 0) {
  for (ThreadSet set = targets; set; set &= set - 1) futures.add_start(lowest(set), relevant_.data());
  for (const NodeId id : futures.order())
    if (targets & bit(knowledge.node(id).thread)) futures.add_reads(id, relevant_.data());
  close(knowledge, futures);
}

Cone Cone::of_blocking(const Behaviour& knowledge, const Layout& layout, const Futures& futures) {
  Cone cone;
  cone.everything_ = false;
  cone.relevant_.assign(futures.words(), 0);
  for (const NodeId id : futures.order()) {
    const Node& node = knowledge.node(id);
    if (machine::is_sync(node.op) && machine::can_block(node.op)) futures.add_reads(id, cone.relevant_.data());
  }
  cone.close(knowledge, futures);
  return cone;
}

void Cone::close(const Behaviour& knowledge, const Futures& futures) {
  for (bool grew = true; grew;) {
    grew = false;
    for (const NodeId id : futures.order())
      if (!(targets_ & bit(knowledge.node(id).thread)) && futures.later_may_write(id, relevant_.data()))
        grew |= futures.add_reads(id, relevant_.data());
  }
}

bool Cone::covers(const Behaviour& knowledge, const Futures& futures, ThreadSet threads) const {
  if (everything_) return true;
  std::vector<u64> reads(relevant_);
  for (const NodeId id : futures.order()) {
    const Node& node = knowledge.node(id);
    if (!(threads & bit(node.thread))) continue;
    // What depends on inputs branches without reading anything.
    const bool branches =
        machine::is_branching(node.op, node.detail) || (node.op == Op::Label && knowledge.expressions().has_inputs());
    if (branches && !futures.may_write(id, relevant_.data())) return false;
    if (futures.add_reads(id, reads.data())) return false;
  }
  return true;
}

std::vector<Cone> cones_of(const Behaviour& knowledge, const Futures& futures, ThreadSet threads,
                           const Symmetry* symmetry, u64 apart) {
  std::vector<Cone> all, kept;
  for (ThreadSet set = threads; set;) {
    const ThreadSet targets = symmetry ? symmetry->closed(bit(lowest(set)), apart) : bit(lowest(set));
    all.emplace_back(knowledge, futures, targets);
    set &= ~targets;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    bool covered = false;
    for (size_t k = 0; k < all.size() && !covered; ++k)
      covered = i != k && all[k].covers(knowledge, futures, all[i].targets()) &&
                // Of two that cover each other, the first stays.
                (k < i || !all[i].covers(knowledge, futures, all[k].targets()));
    if (!covered) kept.push_back(all[i]);
  }
  return kept;
}

u64 groups_apart(const Behaviour& knowledge, const Futures& futures, const Symmetry& symmetry) {
  u64 apart = 0;
  for (size_t i = 0; i < symmetry.groups().size() && i < 64; ++i) {
    const std::vector<ThreadId>& members = symmetry.groups()[i].members;
    const Cone cone(knowledge, futures, bit(members[0]));
    const bool matter = std::any_of(members.begin() + 1, members.end(), [&](ThreadId other) {
      return cone.contains(knowledge, futures, symmetry.root(other));
    });
    if (!matter) apart |= u64{1} << i;
  }
  return apart;
}

}  // namespace plait
