#include "instrument/turns.h"

#include "instrument/quiet.h"
#include "instrument/turn_counts.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "trace/turn_flags.h"

namespace plait::instrument {

namespace {

/// What its turns do, all together.
Noise noise_of(const llvm::Loop& loop) {
  Noise noise = Noise::None;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block) noise = std::max(noise, instrument::noise_of(instruction));
  return noise;
}

bool sleeps(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& i) { return instrument::noise_of(i) == Noise::Sleeps; });
  });
}

/// Does code behind the loop use what the last turn has seen?
bool hands_out(const llvm::Loop& loop) {
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block)
      for (llvm::User* user : instruction.users())
        if (!loop.contains(llvm::cast<llvm::Instruction>(user))) return true;
  return false;
}

/// A compare-and-swap of what the same turn has just loaded there: if it fails, somebody came between.
bool follows_load(const llvm::AtomicCmpXchgInst& swap, const llvm::Loop& loop) {
  const llvm::Value* expected = swap.getCompareOperand();
  while (auto* cast = llvm::dyn_cast<llvm::CastInst>(expected)) expected = cast->getOperand(0);
  auto* load = llvm::dyn_cast<llvm::LoadInst>(expected);
  return load && loop.contains(load) && load->getPointerOperand() == swap.getPointerOperand();
}

constexpr unsigned kFewTurns = 16;

/// Turns of one operation each can always be settled exactly. Of others, a few are followed as they are written.
bool is_worth_it(const llvm::Loop& loop, llvm::ScalarEvolution& numbers) {
  unsigned reads = 0;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block) {
      if (instrument::noise_of(instruction) != Noise::Reads) continue;
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const bool several = call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration();
      reads += several ? 2 : 1;
    }
  if (reads <= 1 && loop.isInnermost()) return true;
  const unsigned turns = numbers.getSmallConstantMaxTripCount(&loop);
  return turns == 0 || turns > kFewTurns;
}

class Settler {
 public:
  Settler(llvm::Loop& loop, const TurnCounts& counts, Hooks& hooks, Sites& sites)
      : loop_(loop), counts_(counts), hooks_(hooks), sites_(sites) {}

  void run(llvm::DominatorTree& dominators, llvm::LoopInfo& loops) {
    llvm::BasicBlock* latch = loop_.getLoopLatch();
    const bool tests_there =
        llvm::any_of(counts_.tests, [&](const BoundTest& test) { return test.branch == latch->getTerminator(); });
    if (!tests_there && latch->getTerminator()->getNumSuccessors() > 1)
      latch = llvm::SplitEdge(latch, loop_.getHeader(), &dominators, &loops);
    const unsigned depth = loop_.getLoopDepth() - 1;
    llvm::Constant* site = sites_.site(*loop_.getHeader()->getTerminator(), "");
    const uint32_t what = (sleeps(loop_) ? turn_flag::kSleeps : 0) | (hands_out(loop_) ? turn_flag::kHandsOut : 0) |
                          (counts_.tests.empty() ? turn_flag::kUnbounded : 0);
    llvm::Value* interrupted = note_interruptions();
    Builder before(loop_.getLoopPreheader()->getTerminator());
    hooks_.begin_turns(before, depth);
    Builder b(latch->getTerminator());
    llvm::Value* flags = b.getInt32(what);
    if (interrupted) flags = b.CreateOr(flags, b.CreateLoad(b.getInt32Ty(), interrupted));
    llvm::Value* settled = hooks_.turn(b, depth, flags, site);
    for (llvm::PHINode* phi : counts_.phis) {
      llvm::Value* next = phi->getIncomingValueForBlock(latch);
      llvm::Value* stays = phi == counts_.compared ? counts_.bound : phi;
      phi->setIncomingValueForBlock(latch, b.CreateSelect(settled, stays, next));
    }
    llvm::PHINode* out = nullptr;
    for (const BoundTest& test : counts_.tests) {
      llvm::Value* leaves = settled;
      if (test.branch->getParent() != latch) {
        if (!out) out = settled_before(latch, settled);
        leaves = out;
      }
      Builder at(test.branch);
      llvm::Value* condition = test.branch->getCondition();
      test.branch->setCondition(test.leaves_if_true ? at.CreateOr(condition, leaves)
                                                    : at.CreateAnd(condition, at.CreateNot(leaves)));
    }
  }

 private:
  /// In the header: has the last turn been settled?
  llvm::PHINode* settled_before(llvm::BasicBlock* latch, llvm::Value* settled) {
    Builder b(&loop_.getHeader()->front());
    llvm::PHINode* out = b.CreatePHI(b.getInt1Ty(), 2);
    out->addIncoming(b.getFalse(), loop_.getLoopPreheader());
    out->addIncoming(settled, latch);
    return out;
  }

  /// A variable that says whether somebody came between in this turn; null: that cannot be told.
  llvm::Value* note_interruptions() {
    llvm::SmallVector<llvm::AtomicCmpXchgInst*, 2> swaps;
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block)
        if (auto* swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction); swap && follows_load(*swap, loop_))
          swaps.push_back(swap);
    if (swaps.empty()) return nullptr;
    llvm::Function& function = *loop_.getHeader()->getParent();
    Builder entry(&*function.getEntryBlock().getFirstInsertionPt());
    llvm::Value* variable = entry.CreateAlloca(entry.getInt32Ty(), nullptr, "plait.interrupted");
    Builder begin(&*loop_.getHeader()->getFirstInsertionPt());
    begin.CreateStore(begin.getInt32(0), variable);
    for (llvm::AtomicCmpXchgInst* swap : swaps) {
      Builder b(swap->getNextNode());
      llvm::Value* failed = b.CreateNot(b.CreateExtractValue(swap, 1));
      llvm::Value* flag = b.CreateSelect(failed, b.getInt32(turn_flag::kInterrupted), b.getInt32(0));
      b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt32Ty(), variable), flag), variable);
    }
    return variable;
  }

  llvm::Loop& loop_;
  const TurnCounts& counts_;
  Hooks& hooks_;
  Sites& sites_;
};

}  // namespace

void settle_turns(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, Hooks& hooks, Sites& sites) {
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallVector<llvm::Loop*, 4> found;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->getLoopDepth() <= kDeepestTurns && noise_of(*loop) == Noise::Reads) found.push_back(loop);
  if (found.empty()) return;
  llvm::DominatorTree& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  llvm::ScalarEvolution& numbers = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop* loop : llvm::reverse(found)) {  // inner ones first
    llvm::simplifyLoop(loop, &dominators, &loops, &numbers, nullptr, nullptr, false);
    if (!loop->isLoopSimplifyForm()) continue;
    const llvm::PostDominatorTree joins(function);
    const std::optional<TurnCounts> counts = find_counts(*loop, joins);
    if (!counts || !is_worth_it(*loop, numbers)) continue;
    Settler(*loop, *counts, hooks, sites).run(dominators, loops);
    numbers.forgetTopmostLoop(loop);
  }
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

}  // namespace plait::instrument
