// The dependence graph of a unit while it is made: nodes, edges, names.
#pragma once
#include <string>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "trace/depends.h"

namespace plait::instrument {

using depends::External;
using depends::SiteKind;

class DependenceGraph {
 public:
  using Node = uint32_t;
  static constexpr Node kNone = ~Node{0};

  explicit DependenceGraph(llvm::Module& module) : salt_(module.getSourceFileName()) {}

  Node fresh() { return nodes_++; }
  /// The node that this name has in all units.
  Node named(const llvm::Twine& name);
  void edge(Node from, Node to) {
    if (from != kNone && to != kNone && from != to) edges_.push_back({from, to});
  }
  void guarded(const llvm::GlobalVariable& variable, Node from, Node to) {
    if (from != kNone) guarded_.push_back({hash(key(variable)), from, to});
  }
  /// Different for symbols of different units that others cannot name.
  std::string key(const llvm::GlobalValue& value) const;

  /// What a caller needs of a function, or of all functions of one type.
  struct Signature {
    std::string name;
    Node enter, exit, result, arguments;
  };
  Signature signature(const llvm::Twine& name);
  Node parameter(const Signature& of, unsigned index) { return named("P" + llvm::Twine(index) + ":" + of.name); }

  void define(const llvm::Function& function) { defined_.push_back(hash(key(function))); }
  /// There is a function of this type whose address is taken.
  void define_type(llvm::StringRef name) { defined_.push_back(hash(name)); }
  void take(const llvm::GlobalVariable& variable) { taken_.insert(hash(key(variable))); }
  void call(const Signature& callee, External kind);
  void site(const llvm::Instruction& instruction, SiteKind kind, Node node) {
    if (node != kNone) at_[&instruction].push_back({kind, node});
  }
  /// What is known of the instruction, which is about to be rewritten, holds for this row of the site table.
  void name(const llvm::Instruction& instruction, uint32_t row);
  void forget_instructions() { at_.clear(); }

  std::string encode() const;

 private:
  static uint64_t hash(llvm::StringRef name);
  struct Called {
    uint64_t name;
    External kind;
    Node arguments, enter, exit, result;
  };
  struct Guarded {
    uint64_t variable;
    Node from, to;
  };
  struct AtSite {
    uint32_t row;
    SiteKind kind;
    Node node;
  };

  std::string salt_;
  Node nodes_ = depends::kCommon;
  llvm::StringMap<Node> names_;
  std::vector<std::pair<Node, Node>> edges_;
  std::vector<Guarded> guarded_;
  std::vector<uint64_t> defined_;
  llvm::DenseSet<uint64_t> taken_;
  llvm::StringMap<Called> called_;
  std::vector<AtSite> sites_;
  llvm::DenseMap<const llvm::Instruction*, std::vector<std::pair<SiteKind, Node>>> at_;
};

}  // namespace plait::instrument
