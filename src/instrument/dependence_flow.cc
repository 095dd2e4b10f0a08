#include "instrument/dependence_flow.h"

#include "instrument/dependence_calls.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"

namespace plait::instrument {

using namespace depends;

FunctionFlow::FunctionFlow(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, DependenceGraph& graph)
    : function_(function),
      graph_(graph),
      memory_(function, analyses, graph),
      after_(analyses.getResult<llvm::PostDominatorTreeAnalysis>(function)),
      own_(graph.signature(graph.key(function))) {}

void FunctionFlow::run() {
  graph_.define(function_);
  for (llvm::BasicBlock& block : function_) {
    point_ = point_of(block);
    for (llvm::Instruction& instruction : block) visit(instruction);
  }
  if (function_.hasAddressTaken() || function_.getName() == "main") {
    graph_.edge(own_.exit, kEnd);
    graph_.edge(own_.result, kEnd);
  }
}

FunctionFlow::Node FunctionFlow::value(const llvm::Value* value) {
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return graph_.parameter(own_, argument->getArgNo());
  if (!llvm::isa<llvm::Instruction>(value) || llvm::isa<llvm::AllocaInst>(value)) return DependenceGraph::kNone;
  if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(value); step && step->hasAllConstantIndices())
    return this->value(step->getPointerOperand());
  const auto [at, is_new] = values_.try_emplace(value, DependenceGraph::kNone);
  if (is_new) at->second = graph_.fresh();
  return at->second;
}

FunctionFlow::Node FunctionFlow::point_of(const llvm::BasicBlock& block) {
  const auto [at, is_new] = points_.try_emplace(&block, DependenceGraph::kNone);
  if (is_new) at->second = graph_.fresh();
  return at->second;
}

void FunctionFlow::decide(std::initializer_list<const llvm::Value*> values) {
  const Node next = graph_.fresh();
  graph_.edge(point_, next);
  for (const llvm::Value* value : values) graph_.edge(this->value(value), next);
  point_ = next;
}

/// The operation happens at the current point, if the function's callers get that far.
void FunctionFlow::place(llvm::Instruction& at) {
  graph_.site(at, SiteKind::Control, point_);
  graph_.site(at, SiteKind::Entered, own_.enter);
}

void FunctionFlow::visit(llvm::Instruction& instruction) {
  if (instruction.isTerminator() && !llvm::isa<llvm::InvokeInst>(instruction)) return leave(instruction);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return visit_load(*load);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return visit_store(*store);
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    graph_.site(instruction, SiteKind::Source, value(update));
    return visit_update(*update, update->getPointerOperand(), {update->getValOperand(), update});
  }
  if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    decide({cas->getCompareOperand(), cas});
    return visit_update(*cas, cas->getPointerOperand(), {cas->getNewValOperand()});
  }
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return visit_intrinsic(*intrinsic);
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    visit_call(*call);
    if (instruction.isTerminator()) leave(instruction);
    return;
  }
  if (llvm::isa<llvm::FenceInst>(instruction) || llvm::isa<llvm::VAArgInst>(instruction)) {
    decide({});
    graph_.site(instruction, SiteKind::Opaque, point_);
    return place(instruction);
  }
  if (llvm::isa<llvm::AllocaInst>(instruction)) {
    if (!llvm::isa<llvm::Constant>(instruction.getOperand(0))) decide({instruction.getOperand(0)});
    return;
  }
  for (const llvm::Value* operand : instruction.operands()) graph_.edge(value(operand), value(&instruction));
  if (instruction.isIntDivRem()) decide({instruction.getOperand(0), instruction.getOperand(1)});
}

void FunctionFlow::visit_load(llvm::LoadInst& load) {
  const bool plain_local = memory_.is_plain_local(load.getPointerOperand());
  if (!plain_local || value(load.getPointerOperand()) != DependenceGraph::kNone) decide({load.getPointerOperand()});
  graph_.site(load, SiteKind::Source, value(&load));
  place(load);
  if (const llvm::Value* source = memory_.only_source(load))
    graph_.edge(value(source), value(&load));
  else
    memory_.load(load, load.getPointerOperand(), value(&load));
}

void FunctionFlow::visit_store(llvm::StoreInst& store) {
  if (value(store.getPointerOperand()) != DependenceGraph::kNone) decide({store.getPointerOperand()});
  place(store);
  const Node brings = value(store.getValueOperand());
  graph_.site(store, SiteKind::Data, brings);
  memory_.store(store, store.getPointerOperand(), brings);
}

void FunctionFlow::visit_update(llvm::Instruction& update, const llvm::Value* pointer,
                                std::initializer_list<const llvm::Value*> brings) {
  decide({pointer});
  place(update);
  memory_.load(update, pointer, value(&update));
  for (const llvm::Value* operand : brings) {
    graph_.site(update, SiteKind::Data, value(operand));
    memory_.store(update, pointer, value(operand));
  }
  if (!llvm::isa<llvm::AtomicRMWInst>(update)) graph_.site(update, SiteKind::Opaque, point_);
}

void FunctionFlow::visit_intrinsic(llvm::IntrinsicInst& call) {
  if (call.isAssumeLikeIntrinsic() && !call.isLifetimeStartOrEnd()) return;
  const auto* memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&call);
  if (!memory && call.doesNotAccessMemory()) {
    for (const llvm::Value* operand : call.args()) graph_.edge(value(operand), value(&call));
    return;
  }
  const Node next = graph_.fresh();
  graph_.edge(point_, next);
  point_ = next;
  for (const llvm::Value* operand : call.args()) {
    graph_.edge(value(operand), next);
    if (memory && !call.isLifetimeStartOrEnd()) continue;
    graph_.edge(value(operand), value(&call));
  }
  if (!memory && !call.isLifetimeStartOrEnd()) {
    graph_.edge(kMemory, next);
    graph_.edge(kMemory, value(&call));
    memory_.store(call, llvm::PoisonValue::get(llvm::PointerType::get(call.getContext(), 0)), next);
  }
  if (auto* fill = llvm::dyn_cast<llvm::AnyMemSetInst>(&call))
    memory_.store(call, fill->getRawDest(), value(fill->getValue()));
  place(call);
  graph_.site(call, SiteKind::Opaque, point_);
}

void FunctionFlow::visit_call(llvm::CallBase& call) {
  const llvm::Function* callee = called_function(call);
  if (call.isInlineAsm()) {
    decide({});
    for (const llvm::Value* operand : call.args()) graph_.edge(value(operand), point_);
    graph_.edge(kMemory, point_);
    graph_.edge(point_, kMemory);
    graph_.edge(point_, kPointer);
    graph_.edge(point_, value(&call));
  }
  const auto of = graph_.signature(callee ? graph_.key(*callee) : type_name(*call.getFunctionType()));
  if (!call.isInlineAsm()) {
    graph_.edge(point_, of.enter);
    graph_.edge(own_.enter, of.enter);
    pass_arguments(call, of);
    graph_.call(of, callee ? kind_of_external(*callee) : External::Pointer);
  }
  const Node next = graph_.fresh();
  graph_.edge(point_, next);
  graph_.edge(of.exit, next);
  if (!callee) {
    graph_.edge(value(call.getCalledOperand()), next);
    graph_.edge(of.arguments, next);
  }
  point_ = next;
  graph_.edge(of.result, value(&call));
  if (call.hasFnAttr(llvm::Attribute::ReturnsTwice)) graph_.edge(kLongJump, point_);
  if (callee && is_long_jump(callee->getName())) {
    graph_.edge(point_, kLongJump);
    graph_.edge(of.arguments, kLongJump);
  }
  if (!call.doesNotThrow()) graph_.edge(point_, own_.exit);
  place(call);
  graph_.site(call, SiteKind::Opaque, point_);
}

void FunctionFlow::pass_arguments(llvm::CallBase& call, const DependenceGraph::Signature& callee) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const Node argument = value(call.getArgOperand(i));
    if (argument == DependenceGraph::kNone) continue;
    graph_.edge(argument, callee.arguments);
    if (i < call.getFunctionType()->getNumParams()) {
      graph_.edge(argument, graph_.parameter(callee, i));
    } else {  // taken from a list, which no hook sees
      for (const Node to : {callee.enter, callee.exit, callee.result, Node{kMemory}}) graph_.edge(argument, to);
    }
  }
}

void FunctionFlow::leave(llvm::Instruction& end) {
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&end)) {
    if (branch->isConditional()) return visit_branch(end, branch->getCondition());
  } else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&end)) {
    return visit_branch(end, choice->getCondition());
  } else if (auto* jump = llvm::dyn_cast<llvm::IndirectBrInst>(&end)) {
    decide({jump->getAddress()});
  } else if (auto* result = llvm::dyn_cast<llvm::ReturnInst>(&end)) {
    if (result->getReturnValue()) graph_.edge(value(result->getReturnValue()), own_.result);
  }
  if (end.getNumSuccessors() == 0) graph_.edge(point_, own_.exit);
  for (const llvm::BasicBlock* next : llvm::successors(&end)) graph_.edge(point_, point_of(*next));
}

void FunctionFlow::visit_branch(llvm::Instruction& end, const llvm::Value* condition) {
  llvm::SmallPtrSet<llvm::BasicBlock*, 8> region;
  if (!find_silent_region(*end.getParent(), region)) {
    decide({condition});
  } else {
    llvm::BasicBlock* meeting = after_.getNode(end.getParent())->getIDom()->getBlock();
    region.insert(meeting);
    for (llvm::BasicBlock* block : region) {
      for (llvm::PHINode& phi : block->phis()) graph_.edge(value(condition), value(&phi));
      if (block == meeting) continue;
      for (llvm::Instruction& instruction : *block)
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
          memory_.store(*store, store->getPointerOperand(), value(condition));
    }
  }
  for (const llvm::BasicBlock* next : llvm::successors(&end)) graph_.edge(point_, point_of(*next));
}

bool FunctionFlow::find_silent_region(llvm::BasicBlock& branch, llvm::SmallPtrSetImpl<llvm::BasicBlock*>& region) {
  const auto* node = after_.getNode(&branch);
  const auto* meeting = node ? node->getIDom() : nullptr;
  if (!meeting || !meeting->getBlock()) return false;
  llvm::SmallVector<llvm::BasicBlock*, 8> todo(llvm::successors(&branch));
  while (!todo.empty()) {
    llvm::BasicBlock* block = todo.pop_back_val();
    if (block == meeting->getBlock() || !region.insert(block).second) continue;
    if (region.size() > 64) return false;
    for (llvm::Instruction& instruction : *block)
      if (!is_silent(instruction)) return false;
    todo.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return true;
}

bool FunctionFlow::is_silent(llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return memory_.is_plain_local(load->getPointerOperand()) && load->isSimple();
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return memory_.is_plain_local(store->getPointerOperand()) && store->isSimple();
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (intrinsic->isLifetimeStartOrEnd()) return memory_.is_plain_local(intrinsic->getArgOperand(1));
    return intrinsic->isAssumeLikeIntrinsic() || intrinsic->doesNotAccessMemory();
  }
  if (llvm::isa<llvm::BranchInst>(instruction) || llvm::isa<llvm::SwitchInst>(instruction)) return true;
  return !instruction.mayReadOrWriteMemory() && !instruction.isTerminator() && !instruction.isIntDivRem() &&
         !llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::AllocaInst>(instruction);
}

}  // namespace plait::instrument
