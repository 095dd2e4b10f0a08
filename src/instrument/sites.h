// The site table (runtime/abi.h, struct Site): one entry per source location and text, chained by inlined-at.
#pragma once
#include <string>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"

namespace plait::instrument {

/// Private constant strings of the module, each once.
class Strings {
 public:
  explicit Strings(llvm::Module& module) : module_(module) {}
  llvm::Constant* get(llvm::StringRef text);  // null pointer for the empty string

 private:
  llvm::Module& module_;
  llvm::StringMap<llvm::Constant*> known_;
};

/// As the compiler was given it; absolute when it lies elsewhere than the unit's directory says.
std::string path_of(const llvm::DIFile* file, llvm::StringRef unit_directory);

/// Is the unit a part of a library that is instrumented itself (src/standard)?
bool is_library_unit();

class Sites {
 public:
  explicit Sites(llvm::Module& module);
  /// How compiled code names the entry for this instruction. `text`: what it accesses, or "".
  llvm::Constant* site(const llvm::Instruction& instruction, llvm::StringRef text);
  /// The instruction, and all that it was inlined into, lies in system headers.
  bool in_library(const llvm::Instruction& instruction);
  bool in_library(const llvm::Function& function);
  /// What begins to live there is of this type; what is allocated there, one or more of them.
  void note_type(llvm::Constant* site, const llvm::DIType* type, bool array = false);
  /// Instructions that were given a site since this was asked last, and the rows of their sites.
  std::vector<std::pair<const llvm::Instruction*, uint32_t>> take_named() { return std::exchange(named_, {}); }
  /// Writes the tables; afterwards no site can be added.
  void emit();
  /// Null if there is no site.
  llvm::GlobalVariable* table() const { return table_; }

 private:
  struct Entry {
    llvm::Constant* file;
    llvm::Constant* function;
    llvm::Constant* text;
    llvm::Constant* parent;
    unsigned line, column;
  };
  llvm::Constant* at(const llvm::DILocation* location, llvm::StringRef text);
  llvm::Constant* without_location(const llvm::Function& function);
  llvm::Constant* append(const Entry& entry);
  void emit_types();
  llvm::Constant* file_name(const llvm::DIScope* scope) { return file(scope).name; }
  bool in_library(const llvm::DIScope* scope) { return file(scope).library; }
  bool in_library(const llvm::DILocation* location);

  struct File {
    llvm::Constant* name = nullptr;
    bool library = false;  // a system header
  };
  const File& file(const llvm::DIScope* scope);

  llvm::Module& module_;
  Strings strings_;
  llvm::StringRef directory_;
  const llvm::DIFile* unit_file_ = nullptr;
  llvm::GlobalVariable* placeholder_;  // stands for the table while its size is unknown
  llvm::GlobalVariable* table_ = nullptr;
  std::vector<Entry> entries_;
  llvm::DenseMap<llvm::Constant*, uint32_t> rows_;
  std::vector<std::pair<const llvm::Instruction*, uint32_t>> named_;
  llvm::MapVector<llvm::Constant*, std::pair<const llvm::DIType*, bool>> types_;
  llvm::DenseMap<std::pair<const llvm::DILocation*, llvm::Constant*>, llvm::Constant*> by_location_;
  llvm::DenseMap<const llvm::Function*, llvm::Constant*> by_function_;
  llvm::DenseMap<const llvm::DIFile*, File> by_file_;
};

}  // namespace plait::instrument
