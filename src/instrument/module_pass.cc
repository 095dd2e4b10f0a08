#include "instrument/module_pass.h"

#include <optional>

#include "instrument/accesses.h"
#include "instrument/attributes.h"
#include "instrument/bounds.h"
#include "instrument/calls.h"
#include "instrument/dependence.h"
#include "instrument/float_modes.h"
#include "instrument/fresh.h"
#include "instrument/globals.h"
#include "instrument/hooks.h"
#include "instrument/labels.h"
#include "instrument/lifetimes.h"
#include "instrument/llvm.h"
#include "instrument/local_zones.h"
#include "instrument/marker.h"
#include "instrument/private_memory.h"
#include "instrument/redirect.h"
#include "instrument/sites.h"
#include "instrument/turns.h"
#include "instrument/undefined.h"
#include "instrument/uses.h"
#include "instrument/wide_atomics.h"
#include "llvm/TargetParser/Triple.h"

namespace plait::instrument {

namespace {

constexpr const char* kModuleFlag = "plait.instrumented";

/// Functions that must stay as they are: see README.md.
llvm::SmallPtrSet<const llvm::Function*, 8> skipped_functions(llvm::Module& module) {
  llvm::SmallPtrSet<const llvm::Function*, 8> skipped;
  for (llvm::Function& function : module)
    if (function.hasFnAttribute(llvm::Attribute::Naked) || function.getSection() == "plait_skip")
      skipped.insert(&function);
  for (llvm::GlobalIFunc& ifunc : module.ifuncs())
    if (const llvm::Function* resolver = ifunc.getResolverFunction()) skipped.insert(resolver);

  llvm::GlobalVariable* annotations = module.getNamedGlobal("llvm.global.annotations");
  if (!annotations || !annotations->hasInitializer()) return skipped;
  for (llvm::Value* entry : annotations->getInitializer()->operands()) {
    auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry);
    if (!fields) continue;
    auto* function = llvm::dyn_cast<llvm::Function>(fields->getOperand(0)->stripPointerCasts());
    auto* text = llvm::dyn_cast<llvm::GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    if (!function || !text || !text->hasInitializer()) continue;
    auto* string = llvm::dyn_cast<llvm::ConstantDataArray>(text->getInitializer());
    if (string && string->isCString() && string->getAsCString() == "plait_skip") skipped.insert(function);
  }
  return skipped;
}

}  // namespace

llvm::PreservedAnalyses InstrumentPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  // Bitcode inputs of an LTO link come through here again.
  if (module.getModuleFlag(kModuleFlag)) return llvm::PreservedAnalyses::all();
  llvm::Triple triple(module.getTargetTriple());
  if (triple.getArch() != llvm::Triple::x86_64 || triple.isX32() || !triple.isOSLinux()) {
    module.getContext().emitError("plait: only x86-64 Linux can be instrumented, not " + module.getTargetTriple());
    return llvm::PreservedAnalyses::all();
  }
  module.addModuleFlag(llvm::Module::Warning, kModuleFlag, 1);

  decide_labels(module);
  const auto skipped = skipped_functions(module);
  Hooks hooks(module);
  Sites sites(module);
  const UnsafeLocals unsafe(module, analyses);
  ThreadLocals thread_locals(module);  // before anything is rewritten: hook calls would look like escapes

  announce_float_modes(module);
  expand_wide_atomics(module);
  redirect_library(module);
  llvm::SmallVector<llvm::Function*, 64> bodies;  // rewriting adds declarations to the module
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !skipped.contains(&function)) bodies.push_back(&function);
  auto& of_functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  Strings strings(module);
  Dependence dependence(module);
  for (llvm::Function* function : bodies) {
    dependence.add(*function, of_functions);
    sites.take_named();
    settle_turns(*function, of_functions, hooks, sites);
    check_bounds(*function, of_functions, hooks, sites, strings);
    std::optional<Labels> labels;
    if (wants_labels()) labels.emplace(*function, hooks, sites, thread_locals, skipped).follow_values();
    CallSites calls = collect_calls(*function, skipped, sites, thread_locals);
    const Lifetimes lifetimes = collect_lifetimes(*function, sites, thread_locals, unsafe);
    const StackWork stack = collect_stack_work(*function, sites, thread_locals);
    const FreshVariables fresh = collect_fresh(*function, thread_locals);
    const PrivateVariables variables = collect_private_variables(*function, thread_locals);
    instrument_accesses(*function, hooks, sites, thread_locals);
    instrument_fresh(fresh, hooks);
    instrument_lifetimes(lifetimes, hooks);
    instrument_stack(*function, stack, hooks);
    instrument_calls(*function, calls, hooks);
    mark_entry(*function, hooks);
    note_arguments(*function, hooks);
    instrument_lists(*function, hooks);
    instrument_uses(*function, variables, hooks, sites);
    if (labels) labels->follow_calls();
    dependence.name_sites(sites);
  }
  if (wants_labels()) list_followed(module, bodies);
  remove_undefined(module);
  strip_attributes(module);
  move_globals(module);
  sites.emit();
  dependence.emit(sites);
  if (!is_library_unit()) register_tables(module);
  add_marker(module);
  return llvm::PreservedAnalyses::none();
}

}  // namespace plait::instrument
