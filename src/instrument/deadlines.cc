#include "instrument/deadlines.h"

#include "instrument/function_names.h"
#include "instrument/llvm.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace plait::instrument {
namespace {

constexpr const char* kWait = "__plait_timed_wait";
constexpr const char* kLook = "__plait_look";
constexpr const char* kLookAt = "__plait_look_at";
constexpr uint64_t kNanoseconds = 8;  // where they are in a timespec

enum class Role { Other, Look, LookAt, Calculates, Waits };

Role role_of_c(llvm::StringRef name) {
  return llvm::StringSwitch<Role>(name)
      .Case("clock_gettime", Role::LookAt)
      .Cases("pthread_cond_timedwait", "pthread_cond_clockwait", "pthread_mutex_timedlock", "pthread_mutex_clocklock",
             Role::Waits)
      .Cases("pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_clockrdlock",
             "pthread_rwlock_clockwrlock", "sem_timedwait", "sem_clockwait", Role::Waits)
      .Cases("cnd_timedwait", "mtx_timedlock", "clock_nanosleep", Role::Waits)
      .Default(Role::Other);
}

Role role_of(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) return Role::Other;
  const llvm::StringRef name = callee->getName();
  if (name == "_ZNSt6chrono3_V212steady_clock3nowEv" || name == "_ZNSt6chrono3_V212system_clock3nowEv")
    return Role::Look;
  if (!name.starts_with("_Z")) return role_of_c(name);
  if (!is_standard_library(name)) return Role::Other;
  const bool waits = llvm::StringSwitch<bool>(base_name(name))
                         .Cases("wait_until", "try_lock_until", "try_lock_shared_until", "try_acquire_until", true)
                         .Case("sleep_until", true)
                         .Default(false);
  if (waits) return Role::Waits;
  const bool chrono = name.starts_with("_ZNSt6chrono") || name.starts_with("_ZNKSt6chrono");
  return chrono && !call.getType()->isIntegerTy(1) ? Role::Calculates : Role::Other;
}

/// Operators and casts take their operands by reference, and change none.
bool only_reads(const llvm::CallBase& call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (name.consume_front("_ZNKSt6chrono")) return true;
  name.consume_front("_ZNSt6chrono");
  for (const char* of : {"pl", "mi", "ml", "dv", "rm"})
    if (name.starts_with(of)) return true;
  const std::string base = base_name(call.getCalledFunction()->getName());
  return base == "duration_cast" || base == "time_point_cast";
}

llvm::AllocaInst* local(llvm::Value* pointer) {
  return llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}

/// All that depends on one or more looks at the clock, in one function.
struct Family {
  llvm::SetVector<llvm::CallBase*> looks, waits;
  llvm::SetVector<llvm::AllocaInst*> variables;
  bool escapes = false;  // somebody else may learn what time it is
};

/// Goes from a look to all that its value reaches.
class Flow {
 public:
  explicit Flow(llvm::CallBase& look) { reach(look); }
  Family family;

 private:
  llvm::SmallPtrSet<llvm::Value*, 32> seen_;

  void escape() { family.escapes = true; }

  void reach(llvm::CallBase& look) {
    if (!family.looks.insert(&look)) return;
    if (role_of(look) == Role::Look)
      follow_value(look);
    else
      add_variable(look.getArgOperand(1));
  }
  void add_variable(llvm::Value* pointer) {
    llvm::AllocaInst* variable = local(pointer);
    if (!variable || !variable->isStaticAlloca()) return escape();
    if (family.variables.insert(variable)) follow_pointer(*variable, 0);
  }
  void follow_value(llvm::Value& value) {
    if (!seen_.insert(&value).second || family.escapes) return;
    for (llvm::User* user : value.users()) use_value(*user);
  }
  void use_value(llvm::User& user) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user)) return add_variable(store->getPointerOperand());
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&user)) return use_in_call(*call);
    const bool calculates = llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::InsertValueInst,
                                      llvm::ExtractValueInst, llvm::FreezeInst>(user) &&
                            !user.getType()->isPointerTy();
    if (!calculates) return escape();
    follow_value(user);
  }
  void use_in_call(llvm::CallBase& call) {
    switch (role_of(call)) {
      case Role::Waits: family.waits.insert(&call); return;
      case Role::Look:
      case Role::LookAt: return reach(call);
      case Role::Calculates: break;
      case Role::Other: return escape();
    }
    for (unsigned i = 0; i < call.arg_size(); ++i)
      if (call.getArgOperand(i)->getType()->isPointerTy() &&
          (call.paramHasAttr(i, llvm::Attribute::StructRet) || !only_reads(call)))
        add_variable(call.getArgOperand(i));
    if (call.getType()->isPointerTy()) return escape();
    follow_value(call);
  }
  /// A pointer into a variable, `offset` bytes from its start (or at one that is not known: ~0).
  void follow_pointer(llvm::Value& pointer, uint64_t offset) {
    for (llvm::User* user : pointer.users()) {
      if (family.escapes) return;
      if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt by(64, 0);
        const bool known = offset != ~0ull && step->accumulateConstantOffset(step->getDataLayout(), by);
        follow_pointer(*step, known ? offset + by.getZExtValue() : ~0ull);
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        load_part(*load, offset);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == &pointer) escape();
        look_behind(*store->getValueOperand());
      } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user)) {
        add_variable(copy->getRawDest());
        if (local(copy->getRawSource())) add_variable(copy->getRawSource());
      } else if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user)) {
        if (!intrinsic->isLifetimeStartOrEnd() && !llvm::isa<llvm::MemSetInst>(intrinsic)) escape();
      } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
        use_in_call(*call);
      } else {
        escape();
      }
    }
  }
  /// Another look whose value is put where this one's is.
  void look_behind(llvm::Value& value) {
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&value); call && role_of(*call) == Role::Look) reach(*call);
  }
  /// Nanoseconds may be compared, with one second: they do not tell the time.
  void load_part(llvm::LoadInst& load, uint64_t offset) {
    const bool part = offset == kNanoseconds && llvm::all_of(load.users(), [](llvm::User* user) {
                        auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user);
                        return compare && llvm::isa<llvm::ConstantInt>(compare->getOperand(1));
                      });
    if (!part) follow_value(load);
  }
};

llvm::SmallVector<llvm::IntrinsicInst*, 4> marks_of(llvm::AllocaInst& variable) {
  llvm::SmallVector<llvm::IntrinsicInst*, 4> marks;
  for (llvm::User* user : variable.users())
    if (auto* mark = llvm::dyn_cast<llvm::IntrinsicInst>(user); mark && mark->isLifetimeStartOrEnd())
      marks.push_back(mark);
  return marks;
}

void tell(llvm::Instruction* at, int what) {
  llvm::IRBuilder<> builder(at);
  const llvm::FunctionCallee hook =
      at->getModule()->getOrInsertFunction(kWait, builder.getVoidTy(), builder.getInt32Ty());
  builder.CreateCall(hook, builder.getInt32(static_cast<uint32_t>(what)));
}

llvm::Instruction* behind(llvm::CallBase& call) {
  auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call);
  if (!invoke) return call.getNextNode();
  llvm::BasicBlock* next = invoke->getNormalDest();
  if (!next->getSinglePredecessor()) next = llvm::SplitEdge(invoke->getParent(), next);
  return &*next->getFirstInsertionPt();
}

/// At -O0 nothing marks where variables live. One wait for one look, in one expression, needs no marks.
bool is_one_expression(const Family& family) {
  return family.looks.size() == 1 && family.waits.size() == 1 && role_of(*family.looks[0]) == Role::Look &&
         llvm::none_of(family.variables, [](llvm::AllocaInst* variable) {
           return !marks_of(*variable).empty() || !variables_stored_in(variable).empty();
         });
}

bool enclose(const Family& family) {
  if (family.escapes || family.waits.empty()) return false;
  if (is_one_expression(family)) {
    tell(family.looks[0], 1);
    tell(behind(*family.waits[0]), 0);
    return true;
  }
  for (llvm::AllocaInst* variable : family.variables)
    if (marks_of(*variable).empty()) return false;
  for (llvm::AllocaInst* variable : family.variables)
    for (llvm::IntrinsicInst* mark : marks_of(*variable)) {
      const bool begins = mark->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
      tell(begins ? mark->getNextNode() : mark, begins);
    }
  // Nothing is left of the time before.
  if (family.looks.size() == 1 && family.variables.size() == 1) tell(family.looks[0], 2);
  return true;
}

void replace_looks(const Family& family) {
  for (llvm::CallBase* look : family.looks)
    look->setCalledFunction(look->getModule()->getOrInsertFunction(role_of(*look) == Role::Look ? kLook : kLookAt,
                                                                   look->getFunctionType()));
}

bool find_deadlines(llvm::Function& function) {
  llvm::SmallVector<llvm::CallBase*, 4> looks;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const Role role = role_of(*call); role == Role::Look || role == Role::LookAt) looks.push_back(call);
  llvm::SmallPtrSet<llvm::CallBase*, 4> done;
  bool changed = false;
  for (llvm::CallBase* look : looks) {
    if (done.contains(look)) continue;
    const Family family = Flow(*look).family;
    done.insert(family.looks.begin(), family.looks.end());
    if (!enclose(family)) continue;
    replace_looks(family);
    changed = true;
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses DeadlinesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.isPresplitCoroutine() || is_standard_library(function.getName())) continue;
    changed |= find_deadlines(function);
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace plait::instrument
