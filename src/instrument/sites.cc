#include "instrument/sites.h"

#include "instrument/type_text.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "runtime/abi.h"

namespace plait::instrument {

namespace {

constexpr unsigned kSiteSize = sizeof(Site);

llvm::cl::opt<bool> as_library("plait-library", llvm::cl::Hidden, llvm::cl::desc("The unit is part of a library"));

/// The instruction's own location, or the nearest one in its block: optimised code has gaps.
const llvm::DILocation* location_of(const llvm::Instruction& instruction) {
  if (const llvm::DILocation* own = instruction.getDebugLoc()) return own;
  for (const llvm::Instruction* at = &instruction; at; at = at->getPrevNode())
    if (const llvm::DILocation* near = at->getDebugLoc()) return near;
  for (const llvm::Instruction* at = &instruction; at; at = at->getNextNode())
    if (const llvm::DILocation* near = at->getDebugLoc()) return near;
  return nullptr;
}

llvm::StringRef name_of(const llvm::DISubprogram* subprogram) {
  if (!subprogram) return "";
  return subprogram->getLinkageName().empty() ? subprogram->getName() : subprogram->getLinkageName();
}

/// The directories of the system, of the compiler's own headers and of the standard library.
bool is_system_header(llvm::StringRef path) {
  return path.starts_with("/usr/") || path.contains("/lib/clang/") || path.contains("/include/c++/");
}

}  // namespace

bool is_library_unit() { return as_library; }

llvm::Constant* Strings::get(llvm::StringRef text) {
  llvm::Constant*& known = known_[text];
  if (known) return known;
  if (text.empty()) return known = llvm::ConstantPointerNull::get(llvm::PointerType::get(module_.getContext(), 0));
  llvm::Constant* bytes = llvm::ConstantDataArray::getString(module_.getContext(), text);
  auto* variable =
      new llvm::GlobalVariable(module_, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes, "plait.text");
  variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  variable->setAlignment(llvm::Align(1));
  return known = variable;
}

// clang splits an absolute path into the directory it shares with the unit and the rest.
std::string path_of(const llvm::DIFile* file, llvm::StringRef unit_directory) {
  if (!file) return "";
  llvm::StringRef name = file->getFilename();
  if (llvm::sys::path::is_absolute(name) || file->getDirectory().empty() || file->getDirectory() == unit_directory)
    return name.str();
  llvm::SmallString<128> path(file->getDirectory());
  llvm::sys::path::append(path, name);
  return path.str().str();
}

Sites::Sites(llvm::Module& module) : module_(module), strings_(module) {
  for (const llvm::DICompileUnit* unit : module.debug_compile_units()) {
    directory_ = unit->getDirectory();
    unit_file_ = unit->getFile();
  }
  placeholder_ = new llvm::GlobalVariable(module, llvm::Type::getInt8Ty(module.getContext()), true,
                                          llvm::GlobalValue::ExternalLinkage, nullptr, "plait.sites.placeholder");
}

llvm::Constant* Sites::append(const Entry& entry) {
  llvm::Type* byte = llvm::Type::getInt8Ty(module_.getContext());
  llvm::Constant* offset =
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()), entries_.size() * kSiteSize);
  llvm::Constant* made = llvm::ConstantExpr::getInBoundsGetElementPtr(byte, placeholder_, offset);
  rows_[made] = static_cast<uint32_t>(entries_.size());
  entries_.push_back(entry);
  return made;
}

const Sites::File& Sites::file(const llvm::DIScope* scope) {
  const llvm::DIFile* file = scope ? scope->getFile() : nullptr;
  File& known = by_file_[file];
  if (known.name) return known;
  const std::string path = file ? path_of(file, directory_) : module_.getSourceFileName();
  known.name = strings_.get(path);
  // What is being compiled is the user's, wherever it lies.
  const bool own = file == unit_file_ || path == module_.getSourceFileName();
  known.library = is_library_unit() || (file && !own && is_system_header(path));
  return known;
}

bool Sites::in_library(const llvm::DILocation* location) {
  for (; location; location = location->getInlinedAt())
    if (!in_library(location->getScope())) return false;
  return true;
}

bool Sites::in_library(const llvm::Instruction& instruction) {
  const llvm::DILocation* location = location_of(instruction);
  return location ? in_library(location) : in_library(*instruction.getFunction());
}

bool Sites::in_library(const llvm::Function& function) { return in_library(function.getSubprogram()); }

llvm::Constant* Sites::at(const llvm::DILocation* location, llvm::StringRef text) {
  llvm::Constant* text_constant = strings_.get(text);
  const auto key = std::make_pair(location, text_constant);
  if (llvm::Constant* known = by_location_.lookup(key)) return known;
  llvm::Constant* parent = location->getInlinedAt() ? at(location->getInlinedAt(), "") : strings_.get("");
  llvm::StringRef function = name_of(location->getScope()->getSubprogram());
  llvm::Constant* made = append({file_name(location->getScope()), strings_.get(function), text_constant, parent,
                                 location->getLine(), location->getColumn()});
  by_location_[key] = made;
  return made;
}

// Artificial functions (global constructors) and -g0: the function is all there is to say.
llvm::Constant* Sites::without_location(const llvm::Function& function) {
  llvm::Constant*& known = by_function_[&function];
  if (known) return known;
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  llvm::StringRef name = subprogram ? name_of(subprogram) : function.getName();
  return known = append({file_name(subprogram), strings_.get(name), strings_.get(""), strings_.get(""),
                         subprogram ? subprogram->getLine() : 0, 0});
}

llvm::Constant* Sites::site(const llvm::Instruction& instruction, llvm::StringRef text) {
  const llvm::DILocation* location = location_of(instruction);
  const llvm::Function& function = *instruction.getFunction();
  llvm::Constant* entry = location ? at(location, text) : without_location(function);
  named_.emplace_back(&instruction, rows_.lookup(entry));
  if (!(location ? in_library(location) : in_library(function))) return entry;
  llvm::Type* byte = llvm::Type::getInt8Ty(module_.getContext());
  return llvm::ConstantExpr::getInBoundsGetElementPtr(
      byte, entry, llvm::ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()), kLibrarySite));
}

void Sites::note_type(llvm::Constant* site, const llvm::DIType* type, bool array) {
  if (type) types_.insert({site, {type, array}});
}

/// Each row by itself: tables of variables (globals.cc) lie in the same section.
void Sites::emit_types() {
  llvm::SmallVector<llvm::GlobalValue*, 32> rows;
  for (const auto& [site, made] : types_) {
    const auto& [type, array] = made;
    llvm::Constant* layout = strings_.get(array ? array_text(type) : type_text(type));
    llvm::Constant* row = llvm::ConstantStruct::getAnon({site, strings_.get(type_name(type)), layout});
    auto* entry =
        new llvm::GlobalVariable(module_, row->getType(), false, llvm::GlobalValue::PrivateLinkage, row, "plait.type");
    entry->setSection("plait_types");
    entry->setAlignment(llvm::Align(8));
    rows.push_back(entry);
  }
  if (!rows.empty()) llvm::appendToUsed(module_, rows);
}

void Sites::emit() {
  emit_types();
  llvm::LLVMContext& context = module_.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* number = llvm::Type::getInt32Ty(context);
  auto* type = llvm::StructType::get(context, {pointer, pointer, pointer, pointer, number, number});
  std::vector<llvm::Constant*> rows;
  rows.reserve(entries_.size());
  for (const Entry& entry : entries_)
    rows.push_back(llvm::ConstantStruct::get(
        type, {entry.file, entry.function, entry.text, entry.parent, llvm::ConstantInt::get(number, entry.line),
               llvm::ConstantInt::get(number, entry.column)}));
  if (!rows.empty()) {
    auto* array = llvm::ArrayType::get(type, rows.size());
    // Writable: position-independent code needs relocations here, and all units must agree on the section's flags.
    table_ = new llvm::GlobalVariable(module_, array, false, llvm::GlobalValue::PrivateLinkage,
                                      llvm::ConstantArray::get(array, rows), "plait.sites");
    table_->setSection("plait_sites");
    table_->setAlignment(llvm::Align(8));
    placeholder_->replaceAllUsesWith(table_);
    llvm::appendToUsed(module_, {table_});
  }
  placeholder_->eraseFromParent();
}

}  // namespace plait::instrument
