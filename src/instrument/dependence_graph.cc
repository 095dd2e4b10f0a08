#include "instrument/dependence_graph.h"

#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

namespace plait::instrument {

uint64_t DependenceGraph::hash(llvm::StringRef name) { return llvm::xxh3_64bits(name); }

std::string DependenceGraph::key(const llvm::GlobalValue& value) const {
  return (value.hasLocalLinkage() ? value.getName() + "@" + salt_ : value.getName()).str();
}

DependenceGraph::Node DependenceGraph::named(const llvm::Twine& name) {
  const auto [at, is_new] = names_.try_emplace(name.str(), nodes_);
  if (is_new) ++nodes_;
  return at->second;
}

DependenceGraph::Signature DependenceGraph::signature(const llvm::Twine& name) {
  const std::string text = name.str();
  return {text, named("I:" + text), named("X:" + text), named("R:" + text), named("A:" + text)};
}

void DependenceGraph::call(const Signature& callee, External kind) {
  called_.try_emplace(callee.name,
                      Called{hash(callee.name), kind, callee.arguments, callee.enter, callee.exit, callee.result});
}

void DependenceGraph::name(const llvm::Instruction& instruction, uint32_t row) {
  const auto found = at_.find(&instruction);
  if (found == at_.end()) return;
  for (const auto& [kind, node] : found->second) sites_.push_back({row, kind, node});
}

std::string DependenceGraph::encode() const {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  const auto put = [&](uint64_t number) { llvm::encodeULEB128(number, out); };
  put(nodes_);
  put(names_.size());
  for (const auto& entry : names_) {
    const bool hooked = entry.first().starts_with("S:") || entry.first().starts_with("M:");
    put(entry.second), put(hash(entry.first())), put(hooked);
  }
  put(defined_.size());
  for (const uint64_t name : defined_) put(name);
  put(taken_.size());
  for (const uint64_t name : taken_) put(name);
  put(called_.size());
  for (const auto& entry : called_) {
    const Called& callee = entry.second;
    put(callee.name), put(static_cast<uint64_t>(callee.kind));
    put(callee.arguments), put(callee.enter), put(callee.exit), put(callee.result);
  }
  put(sites_.size());
  for (const AtSite& site : sites_) put(site.row), put(static_cast<uint64_t>(site.kind)), put(site.node);
  put(edges_.size());
  for (const auto& [from, to] : edges_) put(from), put(to);
  put(guarded_.size());
  for (const Guarded& edge : guarded_) put(edge.variable), put(edge.from), put(edge.to);
  return bytes;
}

}  // namespace plait::instrument
