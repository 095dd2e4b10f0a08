#include "instrument/assembly.h"

#include "llvm/ADT/StringExtras.h"

namespace plait::instrument {

namespace {

/// The next instruction of the text, without comments; instructions end at line ends and semicolons.
llvm::StringRef take_instruction(llvm::StringRef& text) {
  const size_t end = text.find_first_of("\n;");
  llvm::StringRef instruction = text.substr(0, end);
  text = end == llvm::StringRef::npos ? "" : text.substr(end + 1);
  instruction = instruction.substr(0, instruction.find('#'));
  return instruction.substr(0, instruction.find("//")).trim();
}

llvm::StringRef take_word(llvm::StringRef& instruction) {
  const llvm::StringRef word = instruction.take_until([](char c) { return c == ' ' || c == '\t'; });
  instruction = instruction.drop_front(word.size()).ltrim();
  return word;
}

bool is_harmless(llvm::StringRef word) {
  return word == "pause" || word == "nop" || word == "cpuid" || word == "rdtsc" || word == "rdtscp" ||
         word.starts_with("prefetch") || word.starts_with(".");
}

std::optional<Order> fence_of(llvm::StringRef word) {
  if (word == "mfence") return Order::SeqCst;
  if (word == "sfence") return Order::Release;
  if (word == "lfence") return Order::Acquire;
  return std::nullopt;
}

/// The usual stand-in for mfence: a locked instruction that leaves a word of the own stack as it is. AT&T syntax; a '$'
/// of the source is "$$" here.
bool is_locked_no_change(llvm::StringRef word, llvm::StringRef operands) {
  if (!word.empty() && llvm::StringRef("bwlq").contains(word.back())) word = word.drop_back();
  if (word != "add" && word != "or" && word != "sub" && word != "xor") return false;
  auto [value, target] = operands.split(',');
  value = value.trim();
  if (value != "$$0" && value != "$$0x0") return false;
  target = target.trim();
  llvm::StringRef offset = target.take_until([](char c) { return c == '('; });
  const llvm::StringRef base = target.drop_front(offset.size());
  offset.consume_front("-");
  return (base == "(%rsp)" || base == "(%esp)") && llvm::all_of(offset, llvm::isAlnum);
}

Order together(std::optional<Order> first, Order second) {
  if (!first || *first == second) return second;
  return *first == Order::SeqCst || second == Order::SeqCst ? Order::SeqCst : Order::AcqRel;
}

}  // namespace

AssemblyEffect effect_of(const llvm::InlineAsm& assembly) {
  AssemblyEffect effect;
  const llvm::StringRef constraints = assembly.getConstraintString();
  const bool may_access = constraints.contains("~{memory}") || constraints.contains("*m");
  const std::string whole = llvm::StringRef(assembly.getAsmString()).lower();
  llvm::StringRef text = whole;
  bool locked = false;
  while (!text.empty()) {
    llvm::StringRef operands = take_instruction(text);
    llvm::StringRef word = take_word(operands);
    while (word == "lock" || word == "rep") {  // the instruction follows, in this line or in the next
      locked |= word == "lock";
      word = take_word(operands);
    }
    if (word.empty()) continue;
    if (locked && is_locked_no_change(word, operands))
      effect.fence = together(effect.fence, Order::SeqCst);
    else if (const std::optional<Order> fence = fence_of(word))
      effect.fence = together(effect.fence, *fence);
    else if (!is_harmless(word))
      effect.unknown |= may_access;
    locked = false;
  }
  return effect;
}

}  // namespace plait::instrument
