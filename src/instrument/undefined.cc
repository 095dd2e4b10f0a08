#include "instrument/undefined.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace plait::instrument {

namespace {

constexpr const char* kPrefix = "plait.undefined.";
constexpr const char* kPart =
    "plait.part";  // a memset or memcpy whose parts are marked, and the stores that repeat it for that
constexpr size_t kMostParts = 16, kLongest = 8;
constexpr unsigned kMostCopies = 3;  // of copies of copies

bool is_scalar(const llvm::Type& type) {
  return type.isIntegerTy(8) || type.isIntegerTy(16) || type.isIntegerTy(32) || type.isIntegerTy(64) ||
         type.isPointerTy() || type.isFloatTy() || type.isDoubleTy();
}

std::string name_for(const llvm::Type& type) {
  if (type.isPointerTy()) return std::string(kPrefix) + "ptr";
  if (type.isFloatTy()) return std::string(kPrefix) + "float";
  if (type.isDoubleTy()) return std::string(kPrefix) + "double";
  return kPrefix + std::to_string(type.getIntegerBitWidth());
}

llvm::Value* undefined(Builder& b, llvm::Constant* pattern) {
  llvm::Type* type = pattern->getType();
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(name_for(*type), llvm::FunctionType::get(type, {type}, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(llvm::Attribute::Speculatable);
  return b.CreateCall(callee, {pattern});
}

/// Hardly ever becomes registers; and one call for each of its elements would keep its function from being inlined.
bool is_long(const llvm::Type* type) {
  auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
  return array && array->getNumElements() > kLongest;
}

struct Part {
  llvm::Type* type;
  uint64_t offset;
};

/// False: too many.
bool collect_parts(llvm::Type* type, uint64_t offset, const llvm::DataLayout& layout,
                   llvm::SmallVectorImpl<Part>& parts) {
  if (parts.size() > kMostParts) return false;
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      if (!collect_parts(structure->getElementType(i), offset + places->getElementOffset(i).getFixedValue(), layout,
                         parts))
        return false;
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    if (is_long(type)) return false;
    const uint64_t step = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      if (!collect_parts(array->getElementType(), offset + i * step, layout, parts)) return false;
  } else if (is_scalar(*type)) {
    parts.push_back({type, offset});
  }
  return parts.size() <= kMostParts;
}

/// Parts that are read by their offset: of a variable with too many to name them all. What is read at other places
/// stays in memory. False: too many of these, too.
bool collect_read(llvm::Value& pointer, int64_t offset, const llvm::DataLayout& layout, unsigned copies,
                  llvm::SmallVectorImpl<Part>& parts) {
  for (llvm::User* user : pointer.users()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      const Part part{load->getType(), static_cast<uint64_t>(offset)};
      const auto same = [&](const Part& p) { return p.type == part.type && p.offset == part.offset; };
      if (is_scalar(*part.type) && llvm::none_of(parts, same)) parts.push_back(part);
    } else if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      llvm::APInt step(64, 0);
      if (gep->accumulateConstantOffset(layout, step) &&
          !collect_read(*gep, offset + step.getSExtValue(), layout, copies, parts))
        return false;
    } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user); copy && copies) {
      llvm::APInt begin(64, 0);
      llvm::Value* to = copy->getRawDest()->stripAndAccumulateConstantOffsets(layout, begin, true);
      if (copy->getRawSource() == &pointer && llvm::isa<llvm::AllocaInst>(to) &&
          !collect_read(*to, offset - begin.getSExtValue(), layout, copies - 1, parts))
        return false;
    }
    if (parts.size() > kMostParts) return false;
  }
  return true;
}

/// What a memset or memcpy of constants leaves in memory; null: not known.
llvm::Constant* contents(const llvm::MemIntrinsic& fill, uint64_t size) {
  if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&fill)) {
    auto* byte = llvm::dyn_cast<llvm::ConstantInt>(set->getValue());
    if (!byte) return nullptr;
    const std::vector<uint8_t> bytes(size, static_cast<uint8_t>(byte->getZExtValue()));
    return llvm::ConstantDataArray::get(fill.getContext(), bytes);
  }
  auto* source = llvm::dyn_cast<llvm::GlobalVariable>(llvm::cast<llvm::MemTransferInst>(fill).getRawSource());
  return source && source->isConstant() && source->hasInitializer() ? source->getInitializer() : nullptr;
}

void mark_parts(llvm::MemIntrinsic& fill) {
  auto* variable = llvm::dyn_cast<llvm::AllocaInst>(fill.getRawDest());
  auto* length = llvm::dyn_cast<llvm::ConstantInt>(fill.getLength());
  if (!variable || variable->isArrayAllocation() || !length) return;
  const llvm::DataLayout& layout = fill.getDataLayout();
  llvm::SmallVector<Part, 16> parts;
  if (layout.getTypeAllocSize(variable->getAllocatedType()) != length->getZExtValue()) return;
  if (!collect_parts(variable->getAllocatedType(), 0, layout, parts)) {
    parts.clear();
    if (!collect_read(*variable, 0, layout, kMostCopies, parts)) return;
    const uint64_t size = length->getZExtValue();
    llvm::erase_if(parts, [&](const Part& part) {
      return part.offset >= size || part.offset + layout.getTypeStoreSize(part.type) > size;
    });
  }
  llvm::Constant* whole = contents(fill, length->getZExtValue());
  if (!whole) return;
  Builder b(fill.getNextNode());
  b.SetCurrentDebugLocation(fill.getDebugLoc());
  for (const Part& part : parts) {
    llvm::Constant* pattern = llvm::ConstantFoldLoadFromConst(whole, part.type, llvm::APInt(64, part.offset), layout);
    if (!pattern || llvm::isa<llvm::UndefValue>(pattern)) continue;
    llvm::Value* at = part.offset ? b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), variable, part.offset) : variable;
    llvm::StoreInst* store =
        b.CreateAlignedStore(undefined(b, pattern), at, llvm::commonAlignment(variable->getAlign(), part.offset));
    store->copyMetadata(fill, {llvm::LLVMContext::MD_annotation});
    store->setMetadata(kPart, llvm::MDNode::get(fill.getContext(), {}));
  }
  if (!parts.empty()) fill.setMetadata(kPart, llvm::MDNode::get(fill.getContext(), {}));
}

}  // namespace

bool is_automatic_initialisation(const llvm::Instruction& instruction, llvm::Value* target) {
  const llvm::MDNode* annotation = instruction.getMetadata(llvm::LLVMContext::MD_annotation);
  if (!annotation || !llvm::isa<llvm::AllocaInst>(root_of(target))) return false;
  return llvm::any_of(annotation->operands(), [](const llvm::MDOperand& operand) {
    auto* text = llvm::dyn_cast<llvm::MDString>(operand);
    return text && text->getString() == "auto-init";
  });
}

llvm::PreservedAnalyses MarkUndefinedPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::Instruction*, 8> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    auto* fill = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    if (store && is_automatic_initialisation(*store, store->getPointerOperand())) found.push_back(store);
    if (fill && is_automatic_initialisation(*fill, fill->getRawDest())) found.push_back(fill);
  }
  for (llvm::Instruction* instruction : found) {
    // What escapes stays in memory. (Not when it is inlined into: then it is looked at again.)
    auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction);
    llvm::Value* target =
        store ? store->getPointerOperand() : llvm::cast<llvm::MemIntrinsic>(instruction)->getRawDest();
    auto* variable = llvm::cast<llvm::AllocaInst>(root_of(target));
    if (escapes(*variable) || instruction->hasMetadata(kPart)) continue;
    if (auto* fill = llvm::dyn_cast<llvm::MemIntrinsic>(instruction)) {
      mark_parts(*fill);
      continue;
    }
    auto* pattern = llvm::dyn_cast<llvm::Constant>(store->getValueOperand());
    if (!pattern || !is_scalar(*pattern->getType())) continue;
    Builder b(store);
    store->setOperand(0, undefined(b, pattern));
  }
  return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

bool is_undefined(const llvm::Value& value) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(kPrefix);
}

void remove_undefined(llvm::Module& module) {
  llvm::SmallVector<llvm::Function*, 8> markers;
  for (llvm::Function& function : module)
    if (function.getName().starts_with(kPrefix)) markers.push_back(&function);
  for (llvm::Function* marker : markers) {
    for (llvm::User* user : llvm::make_early_inc_range(marker->users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
    marker->eraseFromParent();
  }
}

void remove_repeated(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (llvm::isa<llvm::StoreInst>(instruction) && instruction.hasMetadata(kPart)) instruction.eraseFromParent();
}

void instrument_lists(llvm::Function& function, Hooks& hooks) {
  llvm::SmallVector<llvm::Instruction*, 4> found;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (llvm::isa<llvm::VAStartInst, llvm::VACopyInst>(instruction)) found.push_back(&instruction);
  for (llvm::Instruction* instruction : found) {
    Builder b(instruction->getNextNode());
    hooks.written(b, instruction->getOperand(0));  // the destination in both
  }
}

}  // namespace plait::instrument
