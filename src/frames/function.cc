#include "frames/function.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDebugFrame.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/DataExtractor.h>

#include <algorithm>

#include "trace/frames.h"

namespace plait::frames {
namespace {

using Elf = llvm::object::ELFObjectFile<llvm::object::ELF64LE>;
using llvm::dwarf::UnwindLocation;

constexpr u32 kDwarfRbp = 6, kDwarfRsp = 7;
constexpr u32 kDwarfKept[kKept] = {3, kDwarfRbp, 12, 13, 14, 15};

/// Control comes back by these, with registers of then and memory of now.
constexpr const char* kJumps[] = {"setjmp",     "_setjmp",     "__sigsetjmp", "sigsetjmp",
                                  "getcontext", "makecontext", "swapcontext"};

std::optional<Row> row_of(const llvm::dwarf::UnwindRow& from) {
  Row row;
  row.address = from.getAddress();
  const UnwindLocation& end = from.getCFAValue();
  if (end.getLocation() != UnwindLocation::RegPlusOffset) return std::nullopt;
  if (end.getRegister() != kDwarfRsp && end.getRegister() != kDwarfRbp) return std::nullopt;
  row.by_frame_pointer = end.getRegister() == kDwarfRbp;
  row.end = end.getOffset();
  for (u32 kept = 0; kept < kKept; ++kept) {
    const auto where = from.getRegisterLocations().getRegisterLocation(kDwarfKept[kept]);
    if (!where || where->getLocation() == UnwindLocation::Same) continue;
    const i32 offset = where->getOffset();
    if (where->getLocation() != UnwindLocation::CFAPlusOffset || offset >= 0 || offset % 8 != 0 ||
        !(*where == UnwindLocation::createAtCFAPlusOffset(offset)))
      return std::nullopt;
    row.saved[kept] = -offset;
  }
  return row;
}

/// A number of the table of exceptions, of one of the encodings that compilers use there.
std::optional<u64> number(const llvm::DataExtractor& data, llvm::DataExtractor::Cursor& at, u8 encoding) {
  if (encoding == llvm::dwarf::DW_EH_PE_uleb128) return data.getULEB128(at);
  if (encoding == llvm::dwarf::DW_EH_PE_udata4) return data.getU32(at);
  return std::nullopt;
}

/// From the bytes at a function's language-specific data.
bool read_pads(llvm::StringRef bytes, Function& function) {
  const llvm::DataExtractor data(bytes, true, 8);
  llvm::DataExtractor::Cursor at(0);
  const bool own_base = data.getU8(at) != llvm::dwarf::DW_EH_PE_omit;
  const bool types = data.getU8(at) != llvm::dwarf::DW_EH_PE_omit;
  if (types) data.getULEB128(at);
  const u8 encoding = data.getU8(at);
  const u64 size = data.getULEB128(at);
  const u64 end = at.tell() + size;
  bool known = !own_base;
  while (known && at && at.tell() < end) {
    const auto begin = number(data, at, encoding), length = number(data, at, encoding),
               pad = number(data, at, encoding);
    data.getULEB128(at);  // what to do there
    known = begin && length && pad;
    if (known && *pad != 0)
      function.pads.push_back({function.begin + *begin, function.begin + *begin + *length, function.begin + *pad});
  }
  if (llvm::Error error = at.takeError()) {
    llvm::consumeError(std::move(error));
    return false;
  }
  return known;
}

std::optional<Function> function_of(const llvm::dwarf::FDE& fde, llvm::StringRef tables, u64 tables_begin) {
  Function function;
  function.begin = fde.getInitialLocation();
  function.end = function.begin + fde.getAddressRange();
  auto rows = llvm::dwarf::UnwindTable::create(&fde);
  if (!rows) {
    llvm::consumeError(rows.takeError());
    return std::nullopt;
  }
  for (const llvm::dwarf::UnwindRow& from : *rows) {
    const auto row = row_of(from);
    if (!row) return std::nullopt;
    function.rows.push_back(*row);
  }
  if (function.rows.empty() || function.rows.front().address != function.begin) return std::nullopt;
  if (fde.getLSDAAddress()) {
    const u64 address = *fde.getLSDAAddress();
    if (address < tables_begin || address >= tables_begin + tables.size()) return std::nullopt;
    if (!read_pads(tables.drop_front(address - tables_begin), function)) return std::nullopt;
  }
  return function;
}

bool uses_jumps(const Elf& file) {
  for (const llvm::object::ELFSymbolRef symbol : file.getDynamicSymbolIterators()) {
    auto name = symbol.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
      return true;
    }
    if (std::find(std::begin(kJumps), std::end(kJumps), *name) != std::end(kJumps)) return true;
  }
  return false;
}

}  // namespace

const Row& Function::row(u64 address) const {
  auto next =
      std::upper_bound(rows.begin(), rows.end(), address, [](u64 a, const Row& row) { return a < row.address; });
  return *std::prev(next);
}

std::optional<Code> read_code(const std::string& path) {
  auto opened = llvm::object::ObjectFile::createObjectFile(path);
  if (!opened) {
    llvm::consumeError(opened.takeError());
    return std::nullopt;
  }
  const auto* file = llvm::dyn_cast<Elf>(opened->getBinary());
  if (!file || file->getArch() != llvm::Triple::x86_64 || file->isRelocatableObject() || uses_jumps(*file))
    return std::nullopt;
  Code code;
  llvm::StringRef tables;
  u64 tables_begin = 0;
  bool instrumented = false;
  for (const llvm::object::SectionRef section : file->sections()) {
    auto name = section.getName();
    auto contents = section.getContents();
    if (!name || !contents) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(contents.takeError());
      continue;
    }
    if (*name == kOddSection || *name == kSection) return std::nullopt;
    instrumented |= *name == "plait_rt_text";
    if (*name == ".text") {
      code.address = section.getAddress();
      code.bytes = contents->str();
    }
    if (*name == ".gcc_except_table") {
      tables = *contents;
      tables_begin = section.getAddress();
    }
  }
  if (!instrumented || code.bytes.empty() || code.address + code.bytes.size() > ~u32{0}) return std::nullopt;
  const auto context = llvm::DWARFContext::create(*file);
  auto frames = context->getEHFrame();
  if (!frames) {
    llvm::consumeError(frames.takeError());
    return std::nullopt;
  }
  for (const llvm::dwarf::FrameEntry& entry : **frames) {
    const auto* fde = llvm::dyn_cast<llvm::dwarf::FDE>(&entry);
    if (!fde || fde->getInitialLocation() < code.address ||
        fde->getInitialLocation() + fde->getAddressRange() > code.address + code.bytes.size())
      continue;
    if (auto function = function_of(*fde, tables, tables_begin)) code.functions.push_back(std::move(*function));
  }
  return code;
}

}  // namespace plait::frames
