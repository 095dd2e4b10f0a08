#include "instrument/dependence_memory.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"

namespace plait::instrument {
namespace {

using namespace depends;

/// By what type the instruction accesses memory; empty: by any.
std::string type_of_access(const llvm::Instruction& at) {
  const llvm::MDNode* tag = at.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (!tag) return "";
  const bool has_path = tag->getNumOperands() >= 3 && llvm::isa<llvm::MDNode>(tag->getOperand(0));
  const auto* type = has_path ? llvm::dyn_cast<llvm::MDNode>(tag->getOperand(1)) : tag;
  const auto* name = type && type->getNumOperands() ? llvm::dyn_cast<llvm::MDString>(type->getOperand(0)) : nullptr;
  if (!name || name->getString() == "omnipotent char") return "";
  return name->getString().str();
}

bool only_accessed(const llvm::Value& pointer) {
  for (const llvm::User* user : pointer.users()) {
    if (llvm::isa<llvm::LoadInst>(user)) continue;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getValueOperand() != &pointer) continue;
    if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user); intrinsic && intrinsic->isLifetimeStartOrEnd())
      continue;
    if (llvm::isa<llvm::GetElementPtrInst>(user) && only_accessed(*user)) continue;
    return false;
  }
  return true;
}

}  // namespace

MemoryFlow::MemoryFlow(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, DependenceGraph& graph)
    : graph_(graph), memory_(analyses.getResult<llvm::MemorySSAAnalysis>(function).getMSSA()) {}

bool MemoryFlow::is_plain_local(const llvm::Value* pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointer);
  if (!llvm::isa<llvm::AllocaInst>(object)) return false;
  const auto [at, is_new] = locals_.try_emplace(object, DependenceGraph::kNone);
  if (is_new && only_accessed(*object)) at->second = graph_.fresh();
  return at->second != DependenceGraph::kNone;
}

MemoryFlow::Place MemoryFlow::place(const llvm::Instruction& at, const llvm::Value* pointer) {
  if (is_plain_local(pointer)) return {locals_.lookup(llvm::getUnderlyingObject(pointer)), nullptr, ""};
  return {DependenceGraph::kNone, llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer)),
          type_of_access(at)};
}

/// A thread's own variables may be accessed without a hook.
MemoryFlow::Node MemoryFlow::variable(const llvm::GlobalVariable& variable) {
  return graph_.named((variable.isThreadLocal() ? "T:" : "M:") + graph_.key(variable));
}

void MemoryFlow::store(const llvm::Instruction& at, const llvm::Value* pointer, Node value) {
  if (value == DependenceGraph::kNone) return;
  const Place to = place(at, pointer);
  if (to.local != DependenceGraph::kNone) return graph_.edge(value, to.local);
  const Node by_type = to.type.empty() ? Node{kPointer} : graph_.named("S:" + to.type);
  if (!to.variable) {
    graph_.edge(value, by_type);
    return graph_.edge(value, kMemory);
  }
  graph_.edge(value, variable(*to.variable));
  graph_.guarded(*to.variable, value, by_type);
  graph_.guarded(*to.variable, value, kMemory);
}

void MemoryFlow::load(llvm::Instruction& at, const llvm::Value* pointer, Node value) {
  const Place from = place(at, pointer);
  if (from.local != DependenceGraph::kNone) return graph_.edge(from.local, value);
  const Node by_type = from.type.empty() ? Node{kMemory} : graph_.named("S:" + from.type);
  if (!from.variable) {
    graph_.edge(by_type, value);
    return graph_.edge(kPointer, value);
  }
  if (from.variable->isConstant()) return;
  graph_.edge(variable(*from.variable), value);
  graph_.guarded(*from.variable, by_type, value);
  graph_.guarded(*from.variable, kPointer, value);
}

const llvm::Value* MemoryFlow::only_source(llvm::LoadInst& load) {
  llvm::MemoryAccess* clobber = memory_.getWalker()->getClobberingMemoryAccess(&load);
  auto* def = llvm::dyn_cast<llvm::MemoryDef>(clobber);
  auto* store = def ? llvm::dyn_cast_or_null<llvm::StoreInst>(def->getMemoryInst()) : nullptr;
  if (!store || store->getValueOperand()->getType() != load.getType()) return nullptr;
  return store->getPointerOperand() == load.getPointerOperand() ? store->getValueOperand() : nullptr;
}

}  // namespace plait::instrument
