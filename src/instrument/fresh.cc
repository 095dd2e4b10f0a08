#include "instrument/fresh.h"

#include "instrument/padding.h"
#include "instrument/undefined.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace plait::instrument {

namespace {

constexpr uint64_t kLargest = 4096;  // of variables that are looked at byte by byte

/// What an instruction writes: where, how much.
struct Written {
  llvm::Value* target = nullptr;
  llvm::Value* size = nullptr;
};

Written written_by(llvm::Instruction& instruction) {
  llvm::Type* word = llvm::Type::getInt64Ty(instruction.getContext());
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    const uint64_t size =
        instruction.getDataLayout().getTypeStoreSize(store->getValueOperand()->getType()).getKnownMinValue();
    return {store->getPointerOperand(), llvm::ConstantInt::get(word, size)};
  }
  auto* fill = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
  if (!fill || fill->getLength()->getType() != word) return {};
  return {fill->getRawDest(), fill->getLength()};
}

/// Is the address, or one derived from it, made a number?
bool becomes_number(llvm::Value& pointer) {
  return llvm::any_of(pointer.users(), [](llvm::User* user) {
    if (llvm::isa<llvm::GetElementPtrInst, llvm::BitCastInst, llvm::AddrSpaceCastInst>(user))
      return becomes_number(*user);
    return llvm::isa<llvm::PtrToIntInst, llvm::PHINode, llvm::SelectInst>(user);
  });
}

/// From the first store of the pattern into a variable up to where somebody may look at it.
class FirstSteps {
 public:
  FirstSteps(llvm::AllocaInst& variable, uint64_t size)
      : variable_(variable),
        bytes_(static_cast<unsigned>(size)),
        layout_(variable.getDataLayout()),
        is_number_(becomes_number(variable)) {}

  void follow(llvm::Instruction& first) {
    for (llvm::Instruction* next = &first; next && step(*next);) next = next->getNextNode();
  }

  llvm::Instruction* last = nullptr;  // that stores the pattern
  llvm::SmallPtrSet<llvm::Instruction*, 8> patterns;
  const llvm::BitVector& without_value() const { return bytes_; }

 private:
  /// False: from here on, others may read it, or something is written that is not known.
  bool step(llvm::Instruction& instruction) {
    if (instruction.isTerminator() || instruction.isAtomic()) return false;
    if (instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd()) return true;
    const Written written = written_by(instruction);
    if (written.target && root_of(written.target) == &variable_) return write(instruction, written);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return !lets_out(store->getValueOperand());
    if (llvm::isa<llvm::CallBase>(instruction))
      return llvm::isa<llvm::MemSetInst>(instruction) && is_automatic_initialisation(instruction, written.target);
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return !load || root_of(load->getPointerOperand()) != &variable_;
  }

  bool write(llvm::Instruction& instruction, const Written& written) {
    auto* size = llvm::dyn_cast<llvm::ConstantInt>(written.size);
    llvm::APInt offset(64, 0);
    if (!size || written.target->stripAndAccumulateConstantOffsets(layout_, offset, true) != &variable_) return false;
    const uint64_t begin = offset.getZExtValue(), end = begin + size->getZExtValue();
    if (begin > bytes_.size() || end > bytes_.size() || end < begin) return false;
    const bool pattern = is_automatic_initialisation(instruction, written.target);
    if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction);
        copy && !pattern && !llvm::isa<llvm::Constant>(copy->getRawSource()))
      return false;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && lets_out(store->getValueOperand()))
      return false;
    if (pattern) {
      last = &instruction;
      patterns.insert(&instruction);
      bytes_.set(static_cast<unsigned>(begin), static_cast<unsigned>(end));
    } else {
      bytes_.reset(static_cast<unsigned>(begin), static_cast<unsigned>(end));
    }
    return true;
  }

  /// Could the stored value be the variable's address?
  bool lets_out(llvm::Value* value) const {
    if (!value->getType()->isPointerTy()) return is_number_ && !llvm::isa<llvm::Constant>(value);
    llvm::Value* root = root_of(value);
    if (llvm::isa<llvm::AllocaInst>(root)) return root == &variable_;
    return !llvm::isa<llvm::Constant, llvm::LoadInst, llvm::Argument>(root);
  }

  llvm::AllocaInst& variable_;
  llvm::BitVector bytes_;
  const llvm::DataLayout& layout_;
  bool is_number_;
};

void add_runs(const FirstSteps& steps, llvm::AllocaInst& variable, FreshVariables& found) {
  // Nobody sees what lies between members.
  llvm::BitVector members = steps.without_value();
  members.reset(padding_of(variable));
  if (members.none()) return;
  const llvm::BitVector& bytes = steps.without_value();
  llvm::Type* word = llvm::Type::getInt64Ty(variable.getContext());
  for (int begin = bytes.find_first(); begin >= 0;) {
    const int stop = bytes.find_next_unset(static_cast<unsigned>(begin));
    const unsigned end = stop < 0 ? bytes.size() : static_cast<unsigned>(stop);
    const unsigned from = static_cast<unsigned>(begin);
    found.push_back({steps.last, &variable, from, llvm::ConstantInt::get(word, end - from)});
    begin = stop < 0 ? -1 : bytes.find_next(end);
  }
}

}  // namespace

FreshVariables collect_fresh(llvm::Function& function, const ThreadLocals& thread_locals) {
  FreshVariables found;
  remove_repeated(function);
  PrivateMemory memory(function, thread_locals);
  llvm::SmallPtrSet<llvm::Instruction*, 16> done;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const Written written = written_by(instruction);
    if (!written.target || !is_automatic_initialisation(instruction, written.target)) continue;
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(root_of(written.target));
    // Only what has an end that is seen (lifetimes.cc).
    if (!variable->isStaticAlloca() || function.isPresplitCoroutine() || memory.is_private(written.target)) continue;
    if (done.contains(&instruction)) continue;
    const auto size = variable->getAllocationSize(function.getDataLayout());
    if (!size || size->isScalable() || size->getFixedValue() > kLargest) {
      found.push_back({&instruction, written.target, 0, written.size});
      continue;
    }
    FirstSteps steps(*variable, size->getFixedValue());
    steps.follow(instruction);
    if (!steps.last) {
      found.push_back({&instruction, written.target, 0, written.size});
      continue;
    }
    done.insert(steps.patterns.begin(), steps.patterns.end());
    add_runs(steps, *variable, found);
  }
  return found;
}

void instrument_fresh(const FreshVariables& variables, Hooks& hooks) {
  for (const FreshBytes& bytes : variables) {
    Builder b(bytes.behind->getNextNode());
    llvm::Value* memory = bytes.memory;
    if (bytes.offset) memory = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), memory, bytes.offset);
    hooks.unwritten(b, memory, bytes.size);
  }
}

}  // namespace plait::instrument
