#include "instrument/turn_counts.h"

#include "instrument/quiet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"

namespace plait::instrument {

namespace {

class Finder {
 public:
  Finder(const llvm::Loop& loop, const llvm::PostDominatorTree& joins) : loop_(loop), joins_(joins) {}

  std::optional<TurnCounts> find() {
    for (llvm::PHINode& phi : loop_.getHeader()->phis()) {
      // What only code behind the loop uses is handed out by the last turn, not handed on.
      if (llvm::none_of(phi.users(),
                        [&](llvm::User* user) { return loop_.contains(llvm::cast<llvm::Instruction>(user)); }))
        continue;
      counts_.phis.push_back(&phi);
      add(phi);
    }
    if (counts_.phis.empty()) return std::nullopt;
    while (!todo_.empty()) {
      llvm::Instruction* value = todo_.pop_back_val();
      for (llvm::Use& use : value->uses())
        if (!take_use(use)) return std::nullopt;
    }
    for (llvm::PHINode* phi : counts_.phis)  // whatever else is handed on
      if (!hands_on_count(*phi)) return std::nullopt;
    if (!llvm::all_of(counts_.tests, [&](const BoundTest& test) { return ends(test); })) return std::nullopt;
    if (!outside_.empty() && !find_compared()) return std::nullopt;
    return counts_;
  }

 private:
  void add(llvm::Instruction& value) {
    if (set_.insert(&value).second) todo_.push_back(&value);
  }

  bool hands_on_count(const llvm::PHINode& phi) const {
    const llvm::Value* next = phi.getIncomingValueForBlock(loop_.getLoopLatch());
    auto* made = llvm::dyn_cast<llvm::Instruction>(next);
    return !made || !loop_.contains(made) || set_.contains(made);
  }

  bool take_use(llvm::Use& use) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (!loop_.contains(user)) {
      outside_.push_back(&use);
      return true;
    }
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(user)) return take_branch(*branch);
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
      if (noise_of(*call) > Noise::Sleeps) return false;
      if (!call->getType()->isVoidTy()) add(*call);
      return true;
    }
    if (!llvm::isa<llvm::PHINode, llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::FreezeInst,
                   llvm::CmpInst>(user))
      return false;
    add(*user);
    return true;
  }

  bool take_branch(llvm::BranchInst& branch) {
    const bool first = loop_.contains(branch.getSuccessor(0)), second = loop_.contains(branch.getSuccessor(1));
    if (first && second) return is_delay(branch);
    if (!first && !second) return false;
    counts_.tests.push_back({&branch, second});
    return true;
  }

  /// Whichever way it goes, nothing happens until the ways meet again.
  bool is_delay(llvm::BranchInst& branch) {
    const auto* node = joins_.getNode(branch.getParent());
    const llvm::BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!join || !loop_.contains(join)) return false;
    llvm::SmallPtrSet<llvm::BasicBlock*, 8> region;
    llvm::SmallVector<llvm::BasicBlock*, 8> blocks(llvm::successors(branch.getParent()));
    while (!blocks.empty()) {
      llvm::BasicBlock* block = blocks.pop_back_val();
      if (block == join || !region.insert(block).second) continue;
      if (!loop_.contains(block) || block == loop_.getHeader()) return false;
      for (llvm::Instruction& instruction : *block)
        if (noise_of(instruction) > Noise::Sleeps) return false;
      blocks.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    for (llvm::PHINode& phi : const_cast<llvm::BasicBlock*>(join)->phis()) add(phi);
    return true;
  }

  struct Step {
    llvm::PHINode* phi = nullptr;
    bool grows = false, by_one = false;
  };

  /// A counter, or the counter of the next turn, that is sure to reach any bound on its side.
  Step step_of(llvm::Value* value) const {
    while (auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
    for (llvm::PHINode* phi : counts_.phis) {
      llvm::Value* next = phi->getIncomingValueForBlock(loop_.getLoopLatch());
      auto* step = llvm::dyn_cast<llvm::BinaryOperator>(next);
      if (!step || step->getOperand(0) != phi || (value != phi && value != next)) continue;
      auto* by = llvm::dyn_cast<llvm::ConstantInt>(step->getOperand(1));
      auto* begin = llvm::dyn_cast<llvm::ConstantInt>(phi->getIncomingValueForBlock(loop_.getLoopPreheader()));
      if (!by || by->isZero()) continue;
      switch (step->getOpcode()) {
        case llvm::Instruction::Add: return {phi, !by->isNegative(), by->isOne() || by->isMinusOne()};
        case llvm::Instruction::Sub: return {phi, by->isNegative(), by->isOne() || by->isMinusOne()};
        case llvm::Instruction::Shl:
        case llvm::Instruction::Mul:
          if (begin && begin->getValue().isStrictlyPositive() &&
              (step->getOpcode() != llvm::Instruction::Mul || by->getValue().sgt(1)))
            return {phi, true, false};
          break;
        default: break;
      }
    }
    return {};
  }

  /// The comparison with the counter on its left, as it is when the loop is left.
  struct Comparison {
    llvm::CmpInst::Predicate leaves = llvm::CmpInst::BAD_ICMP_PREDICATE;
    llvm::Value* counter = nullptr;
    llvm::Value* bound = nullptr;
  };

  Comparison comparison_of(const BoundTest& test) const {
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(test.branch->getCondition());
    if (!compare) return {};
    Comparison found{compare->getPredicate(), compare->getOperand(0), compare->getOperand(1)};
    if (is_count(found.bound)) {
      std::swap(found.counter, found.bound);
      found.leaves = llvm::CmpInst::getSwappedPredicate(found.leaves);
    }
    if (is_count(found.bound)) return {};
    if (!test.leaves_if_true) found.leaves = llvm::CmpInst::getInversePredicate(found.leaves);
    return found;
  }

  bool is_count(const llvm::Value* value) const {
    auto* made = llvm::dyn_cast<llvm::Instruction>(value);
    return made && set_.contains(const_cast<llvm::Instruction*>(made));
  }

  /// Enough turns lead out.
  bool ends(const BoundTest& test) const {
    const Comparison comparison = comparison_of(test);
    if (!comparison.counter) return false;
    const Step step = step_of(comparison.counter);
    if (!step.phi) return false;
    switch (comparison.leaves) {
      case llvm::CmpInst::ICMP_SGT:
      case llvm::CmpInst::ICMP_SGE:
      case llvm::CmpInst::ICMP_UGT:
      case llvm::CmpInst::ICMP_UGE: return step.grows;
      case llvm::CmpInst::ICMP_SLT:
      case llvm::CmpInst::ICMP_SLE:
      case llvm::CmpInst::ICMP_ULT:
      case llvm::CmpInst::ICMP_ULE: return !step.grows;
      case llvm::CmpInst::ICMP_EQ: return step.by_one;
      default: return false;
    }
  }

  /// for (i = 0; i < n; ++i) ...; if (i == n) ...: what is asked behind the loop is whether it ran out.
  bool find_compared() {
    if (counts_.tests.size() != 1) return false;
    const BoundTest& test = counts_.tests[0];
    const Comparison comparison = comparison_of(test);
    auto* phi = llvm::dyn_cast_or_null<llvm::PHINode>(comparison.counter);
    if (!phi || test.branch->getParent() != loop_.getHeader() || !llvm::is_contained(counts_.phis, phi)) return false;
    const Step step = step_of(phi);
    auto* bound = llvm::dyn_cast<llvm::Instruction>(comparison.bound);
    if (!step.grows || !step.by_one || (bound && loop_.contains(bound))) return false;
    const bool is_signed = comparison.leaves == llvm::CmpInst::ICMP_SGE;
    if (!is_signed && comparison.leaves != llvm::CmpInst::ICMP_UGE && comparison.leaves != llvm::CmpInst::ICMP_EQ)
      return false;
    for (llvm::Use* use : outside_)
      if (use->get() != phi || !asks_the_same(*use, comparison.bound, comparison.leaves)) return false;
    counts_.compared = phi;
    counts_.bound = comparison.bound;
    return true;
  }

  static bool asks_the_same(llvm::Use& use, llvm::Value* bound, llvm::CmpInst::Predicate leaves) {
    auto* user = use.getUser();
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {  // where several ways out of the loop meet
      if (phi->getNumIncomingValues() != 1 &&
          !llvm::all_of(phi->incoming_values(), [&](const llvm::Use& other) { return other.get() == use.get(); }))
        return false;
      return llvm::all_of(phi->uses(), [&](llvm::Use& next) { return asks_the_same(next, bound, leaves); });
    }
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user);
    if (!compare) return false;
    llvm::CmpInst::Predicate predicate = compare->getPredicate();
    if (use.getOperandNo() == 1) predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    if (compare->getOperand(1 - use.getOperandNo()) != bound) return false;
    return predicate == llvm::CmpInst::ICMP_EQ || predicate == llvm::CmpInst::ICMP_NE || predicate == leaves ||
           predicate == llvm::CmpInst::getInversePredicate(leaves);
  }

  const llvm::Loop& loop_;
  const llvm::PostDominatorTree& joins_;
  TurnCounts counts_;
  llvm::SmallPtrSet<llvm::Instruction*, 16> set_;
  llvm::SmallVector<llvm::Instruction*, 16> todo_;
  llvm::SmallVector<llvm::Use*, 4> outside_;
};

}  // namespace

std::optional<TurnCounts> find_counts(const llvm::Loop& loop, const llvm::PostDominatorTree& joins) {
  return Finder(loop, joins).find();
}

}  // namespace plait::instrument
