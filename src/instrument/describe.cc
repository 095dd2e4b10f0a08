#include "instrument/describe.h"

#include "instrument/llvm.h"
#include "instrument/private_memory.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace plait::instrument {

namespace {

constexpr unsigned kMaxDepth = 4;  // "a->b->c->d": longer texts help nobody
constexpr size_t kMaxText = 80;

unsigned inline_depth(const llvm::DILocation* location) {
  unsigned depth = 0;
  while (location && (location = location->getInlinedAt())) ++depth;
  return depth;
}

/// The outermost variable: the caller's own name for it, not the parameter of an inlined function.
const NamedBy* outermost(llvm::ArrayRef<NamedBy> names) {
  const NamedBy* best = nullptr;
  for (const NamedBy& name : names) {
    if (name.variable->getName().empty()) continue;
    if (!best || inline_depth(name.location) < inline_depth(best->location)) best = &name;
  }
  return best;
}

/// A pointer as base + constant + variable parts.
struct Address {
  llvm::Value* base;
  int64_t offset = 0;
  llvm::SmallMapVector<llvm::Value*, llvm::APInt, 2> variables;
};

Address decompose(llvm::Value* pointer, const llvm::DataLayout& layout) {
  Address address{pointer};
  llvm::APInt offset(64, 0);
  while (true) {
    if (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(address.base)) {
      llvm::MapVector<llvm::Value*, llvm::APInt> variables;
      if (!gep->collectOffset(layout, 64, variables, offset)) break;
      for (auto& [value, scale] : variables) address.variables.insert({value, scale});
      address.base = gep->getPointerOperand();
    } else if (llvm::Value* root = root_of(address.base); root != address.base && !llvm::isa<llvm::GEPOperator>(root)) {
      // One cast or thread-local address at a time would do; there is no other step left.
      if (llvm::isa<llvm::BitCastOperator, llvm::AddrSpaceCastOperator>(address.base))
        address.base = llvm::cast<llvm::Operator>(address.base)->getOperand(0);
      else
        address.base = root;
    } else {
      break;
    }
  }
  address.offset = offset.getSExtValue();
  return address;
}

std::string scope_prefix(const llvm::DIScope* scope) {
  std::string prefix;
  for (; scope; scope = scope->getScope()) {
    if (!llvm::isa<llvm::DINamespace, llvm::DICompositeType>(scope)) break;
    prefix = (scope->getName().empty() ? "(anonymous)" : scope->getName().str()) + "::" + prefix;
  }
  return prefix;
}

/// The text of a part of an object, or of what a pointer points to.
std::string join(const std::string& base, bool through_pointer, llvm::ArrayRef<std::string> steps) {
  std::string text = base;
  if (through_pointer && steps.empty()) return "*" + base;
  for (size_t i = 0; i < steps.size(); ++i) {
    llvm::StringRef step = steps[i];
    if (i == 0 && through_pointer && step.starts_with("."))
      text += "->" + step.drop_front().str();
    else
      text += step.str();
  }
  return text;
}

/// What a lambda has captured, seen from the library's object that holds the lambda: "this->_M_func._M_head.total" is
/// "total".
std::string without_library_path(const std::string& text) {
  llvm::StringRef rest = text;
  if (!rest.consume_front("this->")) return text;
  while (is_reserved_name(rest)) {
    const size_t end = rest.find_first_of(".-[");
    if (end == llvm::StringRef::npos || rest[end] != '.') return text;
    rest = rest.substr(end + 1);
  }
  return rest.size() + 6 == text.size() ? text : rest.str();
}

}  // namespace

GlobalName name_of_global(const llvm::GlobalVariable& variable) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> infos;
  variable.getDebugInfo(infos);
  if (infos.empty()) return {llvm::demangle(variable.getName())};
  const llvm::DIGlobalVariable* info = infos[0]->getVariable();
  // An object that clang split up: each piece would get the name of the whole.
  const llvm::DIType* type = infos[0]->getExpression()->getNumElements() == 0 ? info->getType() : nullptr;
  const llvm::DIScope* scope = info->getScope();
  if (auto* declaration = info->getStaticDataMemberDeclaration()) scope = declaration->getScope();
  return {scope_prefix(scope) + info->getName().str(), type, info->getFile(), info->getLine()};
}

Describer::Expression Describer::compute_value(llvm::Value* value, unsigned depth) {
  const auto names = variables_with_value(value);
  const NamedBy* name = outermost(names);
  const bool own = name && inline_depth(name->location) == 0;
  if (!own && depth < kMaxDepth)
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
      const uint64_t size = function_.getDataLayout().getTypeStoreSize(load->getType()).getKnownMinValue();
      Expression loaded = object_at(load->getPointerOperand(), size, depth + 1);
      if (!loaded.text.empty()) return loaded;
    }
  if (name) return {name->variable->getName().str(), name->variable->getType()};
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(value); cast && depth < kMaxDepth)
    return this->value(cast->getOperand(0), depth + 1);
  return {};
}

Describer::Expression Describer::value(llvm::Value* value, unsigned depth) {
  if (llvm::isa<llvm::Constant>(value)) return {};
  if (auto known = values_.find(value); known != values_.end()) return known->second;
  Expression found = compute_value(value, depth);
  if (depth == 0 || !found.text.empty()) values_[value] = found;
  return found;
}

Describer::Expression Describer::object_at(llvm::Value* pointer, uint64_t size, unsigned depth) {
  Address address = decompose(pointer, function_.getDataLayout());
  std::optional<VariableIndex> index;
  if (address.variables.size() > 1) return {};
  for (auto& [variable, scale] : address.variables) {
    Expression name = value(variable, depth + 1);
    index = VariableIndex{scale.getZExtValue(), name.text.empty() ? "..." : name.text};
  }

  Expression base;
  if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(address.base)) {
    GlobalName name = name_of_global(*global);
    base = {name.name, name.type};
    if (!base.type) return address.offset == 0 && !index ? base : Expression{};
  } else if (auto names = variables_stored_in(address.base); const NamedBy* name = outermost(names)) {
    base = {name->variable->getName().str(), name->variable->getType()};
  }
  if (!base.text.empty()) {
    auto path = type_path(base.type, address.offset, size, index);
    if (!path) return {};
    return {join(base.text, false, path->steps), path->type};
  }

  base = value(address.base, depth);
  const llvm::DIType* target = pointee(base.type);
  if (base.text.empty()) return {};
  const bool by_reference = is_reference(base.type);
  if (!target)
    return is_pointer(base.type) && address.offset == 0 && !index ? Expression{"*" + base.text} : Expression{};
  // A pointer may point into an array: p[3], p[i].
  const uint64_t element = target->getSizeInBits() / 8;
  std::string text = base.text;
  bool through_pointer = !by_reference;
  if (!by_reference && element != 0 &&
      ((index && index->scale == element) || address.offset < 0 || static_cast<uint64_t>(address.offset) >= element)) {
    int64_t whole = address.offset / static_cast<int64_t>(element);
    if (address.offset % static_cast<int64_t>(element) < 0) --whole;
    address.offset -= whole * static_cast<int64_t>(element);
    text += "[";
    if (index && index->scale == element) {
      text += index->name + (whole > 0   ? " + " + std::to_string(whole)
                             : whole < 0 ? " - " + std::to_string(-whole)
                                         : "");
      index.reset();
    } else {
      text += std::to_string(whole);
    }
    text += "]";
    through_pointer = false;
  }
  auto path = type_path(target, address.offset, size, index);
  if (!path) return {};
  return {join(text, through_pointer, path->steps), path->type};
}

Describer::Variable Describer::variable(llvm::AllocaInst& memory, uint64_t size) {
  const auto names = variables_stored_in(&memory);
  if (const NamedBy* name = outermost(names); name && !is_reserved_name(name->variable->getName()))
    return {name->variable->getName().str(), name->variable->getType()};
  return {access(&memory, size), nullptr};
}

std::string Describer::access(llvm::Value* pointer, uint64_t size) {
  std::string text = without_library_path(object_at(pointer, size, 0).text);
  // The insides of the standard library say nothing to its users: variables with reserved names, "**this".
  llvm::StringRef variable = llvm::StringRef(text).ltrim('*');
  if (is_reserved_name(variable) || (variable == "this" && text.size() > variable.size() + 1)) return "";
  return text.size() <= kMaxText ? text : "";
}

}  // namespace plait::instrument
