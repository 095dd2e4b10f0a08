#include "knowledge/futures.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <unordered_map>

namespace plait {
namespace {

struct Signature {
  std::vector<u64> words;
  bool operator==(const Signature&) const = default;
};
struct HashSignature {
  size_t operator()(const Signature& signature) const {
    return XXH3_64bits(signature.words.data(), signature.words.size() * 8);
  }
};

/// Where reads are symbols, equal results mean little: turns that change nothing leave out what stores, and attempts
/// that succeed.
bool may_try_again(const Behaviour& knowledge, const Node& node) {
  if (node.op == Op::Store ||
      (node.op == Op::Rmw && (node.operand_term || static_cast<RmwKind>(node.detail) != RmwKind::Exchange)))
    return false;
  const Node& decision = knowledge.node(node.parent);
  return decision.op != Op::Label || knowledge.node(decision.parent).op != Op::Cas || node.edge == 0;
}

void set(u64* bits, u32 index) { bits[index / 64] |= u64{1} << (index % 64); }

}  // namespace

void Futures::find_loops() {
  const NodeId count = knowledge_.size();
  const u32 turns = knowledge_.is_symbolic() ? kTurnsOfPaths : kTurns;
  period_.assign(count, 0);
  repeated_.assign(count, 0);
  std::vector<u32> run(static_cast<size_t>(count) * kLongestPeriod, 0);  // matches in a row, by period
  for (NodeId id = 1; id < count; ++id) {                                // parents come first
    const Node& node = knowledge_.node(id);
    if (knowledge_.is_dead(id) || node.state != Node::State::Known || node.parent == kNoNode) continue;
    const NodeId parent = knowledge_.canonical(node.parent);
    NodeId before = id;             // the ancestor at the distance of the period
    u64 result_before = node.edge;  // what the operation received one period ago
    for (u32 period = 1; period <= kLongestPeriod; ++period) {
      if (period > 1) result_before = knowledge_.node(before).edge;
      before = knowledge_.canonical(knowledge_.node(before).parent);
      if (before == kNoNode) break;
      const Node& old = knowledge_.node(before);
      if (knowledge_.is_symbolic() && !may_try_again(knowledge_, node)) break;
      const bool same = old.op == node.op && old.site == node.site && old.location == node.location &&
                        old.operand == node.operand && old.edge == node.edge;
      if (!same) continue;
      const u32 matches = run[static_cast<size_t>(parent) * kLongestPeriod + period - 1] + 1;
      run[static_cast<size_t>(id) * kLongestPeriod + period - 1] = matches;
      if (matches < turns * period || period_[id]) continue;
      period_[id] = static_cast<u8>(period);
      repeated_[id] = result_before;
    }
  }
}

Futures::Futures(const Behaviour& knowledge, const Layout& layout, bool exit_matters)
    : knowledge_(knowledge),
      order_(knowledge),
      threads_(layout.threads()),
      first_thread_(layout.resources()),
      words_((layout.resources() + 2 * layout.threads() + 63) / 64) {
  const NodeId count = knowledge.size();
  representative_.resize(count);
  own_.assign(static_cast<size_t>(count) * 2 * words_, 0);
  future_.assign(own_.size(), 0);
  own_everything_.assign(count, 0);
  everything_.assign(count, 0);
  find_loops();
  std::unordered_map<Signature, NodeId, HashSignature> known;
  known.reserve(count);
  Signature signature;
  std::vector<std::pair<u64, NodeId>> children;
  std::map<std::tuple<u32, u64, u32, Order>, NodeId> stores;
  store_representative_.resize(knowledge.memory().buffers ? count : 0);
  for (NodeId id = 0; id < store_representative_.size(); ++id) {
    const Node& node = knowledge.node(id);
    store_representative_[id] = id;
    if (!knowledge.is_dead(id) && node.op == Op::Store)
      store_representative_[id] =
          stores.try_emplace({node.range, node.operand, node.site, node.order}, id).first->second;
  }

  // One pass sees every future before its past. Roots of forked threads may be older than the node that forks them, and
  // cycles have no first node; what that leaves out is added afterwards.
  for (NodeId id = 0; id < count; ++id) representative_[id] = id;
  for (const NodeId id : order_.nodes) {
    const Node& node = knowledge.node(id);
    u64* reads = own_.data() + static_cast<size_t>(id) * 2 * words_;
    u64* writes = reads + words_;
    if (node.state == Node::State::Known) {
      if (machine::is_memory(node.op) || node.op == Op::Alloc || node.op == Op::FutexWait) {
        const bool write = machine::is_write(node.op) || node.op == Op::Alloc;
        const auto [first, last] = layout.cells_of(node.range);
        for (u32 cell = first; cell < last; ++cell) {
          if (write) set(writes, cell);
          // Whoever touches what may be freed learns whether it is.
          if (!write || node.op == Op::Rmw || node.op == Op::Cas || layout.cells()[cell].freed_offset) set(reads, cell);
        }
      }
      if (machine::is_write(node.op) || node.op == Op::Alloc)
        for (const u32 object : layout.objects_in(node.range)) {
          set(reads, layout.object_resource(object));
          set(writes, layout.object_resource(object));
        }
      const machine::ObjectKeys keys = object_keys(node);
      for (const u64 key : {keys.first, keys.second}) {
        if (!key) continue;
        set(reads, layout.object_resource(layout.object_number(key)));
        set(writes, layout.object_resource(layout.object_number(key)));
      }
      if (node.op == Op::Fork) set(writes, start_of(static_cast<u32>(node.location)));
      if (node.op == Op::End) set(writes, end_of(node.thread));
      if (node.op == Op::Join) set(reads, end_of(static_cast<u32>(node.location)));
      has_atomic_sections_ |= node.op == Op::AtomicBegin;
      if (node.op == Op::Output) set(writes, layout.output_resource());
      everything_[id] = (node.op == Op::Exit && exit_matters) || node.op == Op::AtomicBegin;
    }
    if (knowledge.is_open(id)) everything_[id] = true;
    own_everything_[id] = everything_[id];
    u64* future = future_.data() + static_cast<size_t>(id) * 2 * words_;
    std::memcpy(future, reads, 16 * words_);
    children.clear();
    for (u32 edge = node.first_edge; edge; edge = knowledge.edge(edge).next) {
      const NodeId at = knowledge.target(knowledge.edge(edge));
      children.emplace_back(knowledge.edge(edge).result, representative_[at]);
      const u64* below = future_.data() + static_cast<size_t>(at) * 2 * words_;
      for (u32 w = 0; w < 2 * words_; ++w) future[w] |= below[w];
      everything_[id] |= everything_[at];
    }
    if (order_.cyclic[id]) continue;
    std::sort(children.begin(), children.end());
    signature.words.clear();
    signature.words.push_back(static_cast<u64>(node.op) | static_cast<u64>(node.size) << 8 |
                              static_cast<u64>(node.detail) << 16 | static_cast<u64>(node.order) << 24 |
                              static_cast<u64>(node.state) << 32 | static_cast<u64>(node.thread) << 40);
    signature.words.push_back(node.location);
    signature.words.push_back(node.operand);
    signature.words.push_back(node.extra);
    signature.words.push_back(node.text);
    signature.words.push_back(period_[id] ? repeated_[id] : 0);
    signature.words.push_back(period_[id]);
    signature.words.push_back(static_cast<u64>(node.site) << 32 | knowledge.canonical(node.forked));
    for (const auto& [edge, below] : children) {
      signature.words.push_back(edge);
      signature.words.push_back(below);
    }
    representative_[id] = known.try_emplace(signature, id).first->second;
  }

  // Until nothing changes: forks bring in the futures of their children.
  for (bool changed = true; changed;) {
    changed = false;
    for (const NodeId id : order_.nodes) {
      const Node& node = knowledge.node(id);
      u64* future = future_.data() + static_cast<size_t>(id) * 2 * words_;
      auto add = [&](NodeId from) {
        const u64* below = future_.data() + static_cast<size_t>(from) * 2 * words_;
        for (u32 w = 0; w < 2 * words_; ++w) {
          if ((future[w] | below[w]) == future[w]) continue;
          future[w] |= below[w];
          changed = true;
        }
        if (everything_[from] && !everything_[id]) everything_[id] = changed = true;
      };
      if (node.forked != kNoNode) add(knowledge.canonical(node.forked));
      for (u32 edge = node.first_edge; edge; edge = knowledge.edge(edge).next)
        add(knowledge.target(knowledge.edge(edge)));
    }
  }
}

bool Futures::confirms(const Futures& before) const {
  if (words_ != before.words_ || order_.has_cycles != before.order_.has_cycles) return false;
  for (const NodeId old : before.order_.nodes) {
    const NodeId id = knowledge_.canonical(old);
    const size_t now = static_cast<size_t>(id) * 2 * words_, then = static_cast<size_t>(old) * 2 * words_;
    if (std::memcmp(future_.data() + now, before.future_.data() + then, 16 * words_) != 0) return false;
    if (everything_[id] != before.everything_[old]) return false;
    if (representative_[id] != representative_[knowledge_.canonical(before.representative_[old])]) return false;
    if (period_[id] != before.period_[old]) return false;
  }
  return true;
}

}  // namespace plait
