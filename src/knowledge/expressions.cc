#include "knowledge/expressions.h"

#include <algorithm>
#include <set>

namespace plait {
namespace {

u64 hash_of(const Expressions::Term& term) {
  u64 hash = labels::mixed(static_cast<u64>(term.op) | term.width << 8 | static_cast<u64>(term.from) << 16, 5);
  for (int i = 0; i < 3; ++i) hash = labels::mixed(labels::mixed(hash, term.operand[i]), term.constant[i]);
  return hash;
}

bool same(const Expressions::Term& a, const Expressions::Term& b) {
  return a.op == b.op && a.width == b.width && a.from == b.from && std::ranges::equal(a.operand, b.operand) &&
         std::ranges::equal(a.constant, b.constant);
}

}  // namespace

u32 Expressions::symbol(NodeId node, ThreadId thread, u8 width) {
  Term term;
  term.op = LabelOp::Read;
  term.width = term.from = width;
  term.thread = thread;
  term.last = node;
  term.constant[0] = node;
  return add(term);
}

u32 Expressions::input(u64 id, u8 width) {
  Term term;
  term.op = LabelOp::Input;
  term.width = term.from = width;
  term.thread = kEveryThread;
  term.has_inputs = has_inputs_ = true;
  term.constant[0] = id;
  return add(term);
}

void Expressions::add_inputs(u32 number, std::vector<u64>& ids) const {
  if (!terms_[number].has_inputs) return;
  std::set<u32> parts{number};
  for (auto at = parts.rbegin(); at != parts.rend(); ++at) {
    if (terms_[*at].op == LabelOp::Input) ids.push_back(terms_[*at].constant[0]);
    for (const u32 operand : terms_[*at].operand)
      if (operand && terms_[operand].has_inputs) parts.insert(operand);
  }
}

u32 Expressions::add(Term term) {
  if (term.op != LabelOp::Read && term.op != LabelOp::Input) {
    term.thread = kEveryThread;
    for (const u32 operand : term.operand) {
      if (!operand) continue;
      const Term& part = terms_[operand];
      if (part.thread != kEveryThread)
        term.thread = term.thread == kEveryThread || term.thread == part.thread ? part.thread : kNoThread;
      term.last = std::max(term.last, part.last);
      term.has_inputs |= part.has_inputs;
    }
  }
  std::vector<u32>& alike = numbers_[hash_of(term)];
  for (const u32 number : alike)
    if (same(terms_[number], term)) return number;
  alike.push_back(size());
  terms_.push_back(term);
  return size() - 1;
}

std::vector<u32> Expressions::parts_behind(u32 number) const {
  const NodeId last = terms_[number].last;
  std::set<u32> parts{number};
  for (auto at = parts.rbegin(); at != parts.rend(); ++at)
    for (const u32 operand : terms_[*at].operand)
      if (operand && terms_[operand].last == last) parts.insert(operand);
  return {parts.begin(), parts.end()};
}

void Expressions::add_parts_before(u32 number, std::vector<u32>& parts) const {
  for (const u32 part : parts_behind(number))
    for (const u32 operand : terms_[part].operand)
      if (operand && terms_[operand].last != 0 && terms_[operand].last != terms_[number].last) parts.push_back(operand);
}

const LabelNode* LabelReader::find(u64 label) const {
  for (u64 at = label, tries = 0; tries < kLabelNodes; ++at, ++tries) {
    const LabelNode& node = tables_.node[at % kLabelNodes];
    if (node.label == label) return &node;
    if (!node.label) break;
  }
  return nullptr;
}

u64 LabelReader::value(u64 label) const {
  const LabelNode* node = find(label);
  return node ? node->value : 0;
}

bool LabelReader::make(const LabelNode& node) {
  if (node.op == LabelOp::Read) {
    const auto found = nodes_.find(node.constant[0]);
    const auto thread = static_cast<ThreadId>(node.constant[0] >> 32);
    known_[node.label] = found == nodes_.end() ? 0 : expressions_.symbol(found->second, thread, node.width);
    return true;
  }
  if (node.op == LabelOp::Input) {
    known_[node.label] = expressions_.input(node.constant[0], node.width);
    return true;
  }
  Expressions::Term term;
  term.op = node.op;
  term.width = node.width;
  term.from = node.from_width;
  bool whole = true;
  for (int i = 0; i < 3; ++i) {
    term.constant[i] = node.constant[i];
    if (!node.operand[i]) continue;
    const auto found = known_.find(node.operand[i]);
    if (found == known_.end()) return false;
    term.operand[i] = found->second;
    whole &= found->second != 0;
  }
  known_[node.label] = whole ? expressions_.add(term) : 0;
  return true;
}

u32 LabelReader::read(u64 label) {
  std::vector<u64> todo{label};
  while (!todo.empty()) {
    const u64 next = todo.back();
    if (known_.contains(next)) {
      todo.pop_back();
      continue;
    }
    const LabelNode* node = find(next);
    if (!node)
      known_[next] = 0;
    else if (!make(*node))
      for (const u64 operand : node->operand)
        if (operand && !known_.contains(operand)) todo.push_back(operand);
  }
  return known_[label];
}

}  // namespace plait
