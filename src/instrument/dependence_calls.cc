#include "instrument/dependence_calls.h"

#include "instrument/dependence_flow.h"
#include "instrument/known_calls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

namespace plait::instrument {
namespace {

/// Operations on synchronisation objects and blocks of memory: they look at nothing else that a thread could have
/// stored before.
bool is_quiet(llvm::StringRef name) {
  for (const char* part : {"timed", "clock", "once", "key", "specific", "cleanup", "_attr", "_create", "_join", "exit"})
    if (name.contains(part)) return name == "pthread_create" || name == "pthread_join";
  for (const char* beginning : {"pthread_", "sem_", "mtx_", "cnd_", "thrd_", "_Znw", "_Zna", "_Zdl", "_Zda",
                                "__cxa_guard_", "__VERIFIER_atomic", "__VERIFIER_assert", "__cxa_allocate_exception"})
    if (name.starts_with(beginning)) return true;
  return llvm::StringSwitch<bool>(name)
      .Cases("malloc", "calloc", "free", "aligned_alloc", "__plait_malloc", "__plait_calloc", "__plait_free", true)
      .Cases("__plait_aligned_alloc", "__assert_fail", "abort", "sched_yield", "usleep", "__errno_location", true)
      .Default(false);
}

bool may_call_back(llvm::StringRef name) {
  for (const char* part : {"qsort", "bsearch", "once", "atexit", "on_exit", "key_create", "thrd_create", "twalk",
                           "signal", "sigaction", "raise", "_M_start_thread", "exit", "lfind", "lsearch", "tsearch"})
    if (name.contains(part)) return true;
  return !name.starts_with("__plait_") && !keeps_no_state(name) && !is_system_function(name);
}

bool is_called_only(const llvm::User& user, const llvm::Value& function) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&user);
  return call && call->getCalledOperand() == &function && !llvm::is_contained(call->args(), &function);
}

/// Is a pointer to the variable used for anything but accesses in code of this unit?
bool is_address_taken(const llvm::Value& pointer) {
  for (const llvm::User* user : pointer.users()) {
    if (llvm::isa<llvm::LoadInst>(user)) continue;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getValueOperand() != &pointer) continue;
    if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(user); rmw && rmw->getValOperand() != &pointer) continue;
    if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(user); cas && cas->getPointerOperand() == &pointer &&
                                                                   cas->getCompareOperand() != &pointer &&
                                                                   cas->getNewValOperand() != &pointer)
      continue;
    if (llvm::isa<llvm::GEPOperator>(user) && !is_address_taken(*user)) continue;
    return true;
  }
  return false;
}

}  // namespace

const llvm::Function* called_function(const llvm::CallBase& call) {
  return llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

std::string type_name(const llvm::FunctionType& type) {
  std::string text;
  llvm::raw_string_ostream(text) << "type " << type;
  return text;
}

bool is_long_jump(llvm::StringRef function) { return function.contains("longjmp") || function.contains("setcontext"); }

depends::External kind_of_external(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  if (function.doesNotAccessMemory() || is_quiet(name)) return depends::External::Quiet;
  return may_call_back(name) ? depends::External::Unknown : depends::External::Reads;
}

void note_addresses(llvm::Module& module, DependenceGraph& graph) {
  for (const llvm::GlobalVariable& variable : module.globals())
    if (!variable.isConstant() && is_address_taken(variable)) graph.take(variable);
  for (const llvm::Function& function : module) {
    if (function.isIntrinsic()) continue;
    if (llvm::all_of(function.users(), [&](const llvm::User* user) { return is_called_only(*user, function); }))
      continue;
    const auto own = graph.signature(graph.key(function));
    const auto type = graph.signature(type_name(*function.getFunctionType()));
    graph.edge(type.enter, own.enter);
    graph.edge(own.exit, type.exit);
    graph.edge(own.result, type.result);
    graph.edge(type.arguments, own.arguments);
    graph.edge(depends::kCalled, own.enter);
    graph.edge(own.exit, depends::kCalled);
    graph.edge(own.result, depends::kCalled);
    for (unsigned i = 0; i < function.arg_size(); ++i) {
      graph.edge(graph.parameter(type, i), graph.parameter(own, i));
      graph.edge(depends::kCalled, graph.parameter(own, i));
    }
    if (function.isDeclaration()) graph.call(own, kind_of_external(function));
    graph.define_type(type_name(*function.getFunctionType()));
  }
}

}  // namespace plait::instrument
