#include "instrument/type_text.h"

#include "instrument/allocated_type.h"
#include "instrument/type_path.h"
#include "llvm/BinaryFormat/Dwarf.h"

namespace plait::instrument {

namespace {

namespace dwarf = llvm::dwarf;

constexpr size_t kLongest = 4000;
constexpr unsigned kDeepest = 10;

uint64_t bytes(const llvm::DIType* type) {
  type = plain_type(type);
  return type ? type->getSizeInBits() / 8 : 0;
}

/// The system's own objects: what is in them says nothing to anybody.
bool is_opaque(const llvm::DIType* type) {
  const llvm::StringRef name = type->getName();
  return name.starts_with("pthread_") || name == "sem_t" || name == "mtx_t" || name == "cnd_t";
}

/// Is it one on the way through typedefs?
bool is_opaque_alias(const llvm::DIType* type) {
  for (; type && !is_opaque(type);) {
    auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type);
    if (!derived || derived->getTag() != dwarf::DW_TAG_typedef) return false;
    type = derived->getBaseType();
  }
  return type != nullptr;
}

void put_type(const llvm::DIType* type, std::string& text, unsigned depth);

bool in_namespace_std(const llvm::DIScope* scope) {
  for (; scope; scope = scope->getScope())
    if (llvm::isa<llvm::DINamespace>(scope) && scope->getName() == "std") return true;
  return false;
}

/// The element of a std::vector or std::string; null: it is none.
const llvm::DIType* element_of(const llvm::DICompositeType& type) {
  const llvm::StringRef name = type.getName();
  if (!name.starts_with("vector<") && !name.starts_with("basic_string<")) return nullptr;
  // Those of bits keep something else.
  return in_namespace_std(type.getScope()) && !name.starts_with("vector<bool") ? first_argument(type) : nullptr;
}

/// Its elements lie in blocks of the heap that only it knows.
bool is_container(const llvm::DICompositeType& type) {
  static constexpr llvm::StringLiteral kNames[] = {"map<",
                                                   "multimap<",
                                                   "set<",
                                                   "multiset<",
                                                   "unordered_map<",
                                                   "unordered_set<",
                                                   "list<",
                                                   "unordered_multimap<",
                                                   "unordered_multiset<",
                                                   "forward_list<",
                                                   "deque<"};
  const auto is_of = [&](llvm::StringRef name) { return type.getName().starts_with(name); };
  return llvm::any_of(kNames, is_of) && in_namespace_std(type.getScope());
}

/// std::queue and the like: people know it by its own name, not by that of the container in it.
bool is_adapter(const llvm::DICompositeType& type) {
  const llvm::StringRef name = type.getName();
  return (name.starts_with("queue<") || name.starts_with("stack<") || name.starts_with("priority_queue<")) &&
         in_namespace_std(type.getScope());
}

/// The type of what lies in raw memory inside of the standard library's objects; null: it is something else.
const llvm::DIType* type_in_buffer(const llvm::DICompositeType& type) {
  const llvm::StringRef name = type.getName();
  const bool buffer = name.starts_with("__aligned_membuf<") || name.starts_with("__aligned_buffer<");
  return buffer ? first_argument(type) : nullptr;
}

void put_members(const llvm::DICompositeType& type, std::string& text, unsigned depth) {
  text += "{";
  for (const llvm::DINode* element : type.getElements()) {
    auto* member = llvm::dyn_cast<llvm::DIDerivedType>(element);
    if (!member || member->isStaticMember()) continue;
    const bool base = member->getTag() == dwarf::DW_TAG_inheritance;
    if (!base && member->getTag() != dwarf::DW_TAG_member) continue;
    // A bit-field shares its bytes with others.
    if (member->isBitField() || text.size() > kLongest) continue;
    const uint64_t size = bytes(member->getBaseType());
    if (size == 0) continue;
    const bool nameless = base || is_adapter(type) || is_reserved_name(member->getName());
    const llvm::StringRef name = nameless ? "" : member->getName();
    text += std::to_string(member->getOffsetInBits() / 8) + "," + std::to_string(size) + "," + name.str();
    if (!is_opaque_alias(member->getBaseType())) put_type(member->getBaseType(), text, depth + 1);
    text += ";";
  }
  text += "}";
}

void put_type(const llvm::DIType* type, std::string& text, unsigned depth) {
  if (is_pointer(type) || is_reference(type)) {
    text += "*";
    return;
  }
  type = plain_type(type);
  auto* composite = llvm::dyn_cast_if_present<llvm::DICompositeType>(type);
  if (!composite || depth > kDeepest || text.size() > kLongest || is_opaque(type)) return;
  if (const llvm::DIType* inside = type_in_buffer(*composite)) return put_type(inside, text, depth);
  if (const llvm::DIType* element = element_of(*composite); element && bytes(element)) {
    text += "<" + std::to_string(bytes(element));
    put_type(element, text, depth + 1);
    text += ">";
    return;
  }
  if (is_container(*composite)) {
    text += "()";
    return;
  }
  if (composite->getTag() != dwarf::DW_TAG_array_type) {
    if (composite->getTag() != dwarf::DW_TAG_enumeration_type) put_members(*composite, text, depth);
    return;
  }
  // Of several dimensions the outer ones first.
  llvm::SmallVector<uint64_t, 2> strides;
  uint64_t stride = bytes(composite->getBaseType());
  const llvm::DINodeArray dimensions = composite->getElements();
  for (unsigned i = dimensions.size(); i-- > 0;) {
    strides.push_back(stride);
    auto* range = llvm::dyn_cast<llvm::DISubrange>(dimensions[i]);
    auto* count = range ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()) : nullptr;
    stride *= count && count->getSExtValue() > 0 ? count->getZExtValue() : 1;
  }
  for (uint64_t step : llvm::reverse(strides)) text += "[" + std::to_string(step);
  put_type(composite->getBaseType(), text, depth + 1);
  text.append(strides.size(), ']');
}

}  // namespace

std::string type_text(const llvm::DIType* type) {
  std::string text;
  if (type && !is_opaque_alias(type)) put_type(type, text, 0);
  return text;
}

std::string array_text(const llvm::DIType* type) {
  return bytes(type) ? "[" + std::to_string(bytes(type)) + type_text(type) + "]" : "";
}

std::string type_name(const llvm::DIType* type) {
  if (!type) return "";
  std::string name = type->getName().str();
  for (const llvm::DIScope* scope = type->getScope(); scope && !name.empty(); scope = scope->getScope()) {
    if (!llvm::isa<llvm::DINamespace, llvm::DICompositeType>(scope)) break;
    if (!scope->getName().empty()) name = scope->getName().str() + "::" + name;
  }
  return name;
}

}  // namespace plait::instrument
