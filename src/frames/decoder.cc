#include "frames/decoder.h"

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>

#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86Disassembler();
}

namespace plait::frames {
namespace {

using llvm::StringRef;

constexpr const char* kTriple = "x86_64-unknown-linux-gnu";
constexpr u32 kMemoryOperands = 5;  // base, scale, index, displacement, segment

struct Store {
  const char* name;
  u32 bytes;
};
/// Instructions that write their memory operand and do not read it. Others are taken for reads.
constexpr Store kStores[] = {
    {"MOV8mr", 1},      {"MOV16mr", 2},     {"MOV32mr", 4},     {"MOV64mr", 8},     {"MOV8mi", 1},
    {"MOV16mi", 2},     {"MOV32mi", 4},     {"MOV64mi32", 8},   {"MOVSSmr", 4},     {"MOVSDmr", 8},
    {"MOVAPSmr", 16},   {"MOVUPSmr", 16},   {"MOVAPDmr", 16},   {"MOVUPDmr", 16},   {"MOVDQAmr", 16},
    {"MOVDQUmr", 16},   {"MOVQI2PQImr", 8}, {"VMOVSSmr", 4},    {"VMOVSDmr", 8},    {"VMOVAPSmr", 16},
    {"VMOVUPSmr", 16},  {"VMOVAPDmr", 16},  {"VMOVUPDmr", 16},  {"VMOVDQAmr", 16},  {"VMOVDQUmr", 16},
    {"VMOVAPSYmr", 32}, {"VMOVUPSYmr", 32}, {"VMOVDQAYmr", 32}, {"VMOVDQUYmr", 32},
};

/// How an instruction is treated, by its opcode; made once, from names that LLVM's tables give it.
struct Kind {
  u32 stores = 0;  // bytes
  u32 reads = 64;  // bytes, at most; 0: no bound
  bool push = false, pop = false;
  bool frame_change = false;  // may set the stack pointer or the frame pointer in one of the usual ways
  bool lea = false;
  bool zeroes = false;        // if both operands are the same register
  bool keeps_result = false;  // may leave its result as it was
  bool stops = false;
};

bool is_one_of(StringRef name, std::initializer_list<StringRef> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Kind kind_of(StringRef name) {
  static const std::regex sized("^[A-Z_]+(8|16|32|64)(rm|mr|mi|m)[0-9a-z]*$");
  Kind kind;
  for (const Store& store : kStores)
    if (name == store.name) kind.stores = store.bytes;
  std::cmatch match;
  const std::string text = name.str();
  // Vector instructions have the size of an element in their names; bt with a register reaches beyond its operand.
  if (name.starts_with("BT") || name.contains("RSTOR") || name.contains("TILE"))
    kind.reads = 0;
  else if (!name.starts_with("V") && !name.starts_with("P") && !name.starts_with("MMX") &&
           std::regex_match(text.c_str(), match, sized))
    kind.reads = static_cast<u32>(std::stoul(match[1])) / 8;
  kind.push = is_one_of(name, {"PUSH64r", "PUSH64i8", "PUSH64i32", "PUSH64rmr"});
  kind.pop = is_one_of(name, {"POP64r", "POP64rmr"});
  kind.lea = name.starts_with("LEA") && !name.starts_with("LEAVE");
  kind.stops = is_one_of(name, {"TRAP", "HLT"});
  kind.frame_change = is_one_of(name, {"SUB64ri8", "SUB64ri32", "ADD64ri8", "ADD64ri32", "AND64ri8", "AND64ri32",
                                       "MOV64rr", "MOV64rr_REV", "LEAVE64"});
  kind.zeroes = is_one_of(name, {"XOR32rr", "XOR64rr", "XOR32rr_REV", "XOR64rr_REV", "SUB32rr", "SUB64rr"});
  kind.keeps_result = name.starts_with("BSF") || name.starts_with("BSR");
  return kind;
}

}  // namespace

struct Decoder::Parts {
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrAnalysis> analysis;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::vector<u8> part_of, whole;  // by register: bit of the kept register; the same, if writing it leaves nothing
  std::vector<std::optional<Kind>> kinds;
  unsigned rsp = 0, rbp = 0, rip = 0;
  u8 frame_pointer_bit = 1u << kRbp;

  const Kind& kind(unsigned opcode) {
    std::optional<Kind>& known = kinds[opcode];
    if (!known) known = kind_of(instructions->getName(opcode));
    return *known;
  }
  void name_registers();
  void note_memory(const llvm::MCInst& inst, unsigned first, const Kind& kind, const llvm::MCInstrDesc& desc,
                   Instruction& into);
  void note_registers(const llvm::MCInst& inst, const llvm::MCInstrDesc& desc, const Kind& kind, int memory,
                      Instruction& into);
  void note_flow(const llvm::MCInst& inst, const llvm::MCInstrDesc& desc, Instruction& into);
};

void Decoder::Parts::name_registers() {
  part_of.assign(registers->getNumRegs(), 0);
  whole.assign(registers->getNumRegs(), 0);
  const struct {
    const char *full, *half;
  } names[kKept] = {{"RBX", "EBX"}, {"RBP", "EBP"}, {"R12", "R12D"}, {"R13", "R13D"}, {"R14", "R14D"}, {"R15", "R15D"}};
  for (unsigned reg = 1; reg < registers->getNumRegs(); ++reg) {
    const StringRef name = registers->getName(reg);
    if (name == "RSP") rsp = reg;
    if (name == "RBP") rbp = reg;
    if (name == "RIP") rip = reg;
    for (u32 kept = 0; kept < kKept; ++kept) {
      if (name != names[kept].full) continue;
      for (const llvm::MCPhysReg part : registers->subregs_inclusive(reg)) {
        part_of[part] |= static_cast<u8>(1u << kept);
        const StringRef called = registers->getName(part);
        // Writing the lower half clears the upper one.
        if (called == names[kept].full || called == names[kept].half) whole[part] |= static_cast<u8>(1u << kept);
      }
    }
  }
}

void Decoder::Parts::note_memory(const llvm::MCInst& inst, unsigned first, const Kind& kind,
                                 const llvm::MCInstrDesc& desc, Instruction& into) {
  const unsigned base = inst.getOperand(first).getReg(), index = inst.getOperand(first + 2).getReg();
  const llvm::MCOperand& displacement = inst.getOperand(first + 3);
  for (const unsigned used : {base, index}) into.reads |= part_of[used];
  if (base == rip && displacement.isImm()) into.names[0] = into.end() + static_cast<u64>(displacement.getImm());
  const bool by_stack = base == rsp, by_frame = base == rbp;
  if (index == rbp) into.takes_frame_pointer = true;
  if (!by_stack && !by_frame) return;
  bool& taken = by_stack ? into.takes_stack_pointer : into.takes_frame_pointer;
  if (index != 0 || !displacement.isImm() || inst.getOperand(first + 4).getReg() != 0) {
    taken = true;
    return;
  }
  const i32 offset = static_cast<i32>(displacement.getImm());
  if (kind.lea) {
    const unsigned result = inst.getOperand(0).getReg();
    if (result == rsp) return;
    taken = true;
    into.address_of_frame = offset;
    into.address_by_frame_pointer = by_frame;
    return;
  }
  into.access.by_frame_pointer = by_frame;
  into.access.offset = offset;
  into.access.kind = kind.stores != 0 ? FrameAccess::kWrite : FrameAccess::kRead;
  into.access.bytes = kind.stores != 0 ? kind.stores : kind.reads;
}

void Decoder::Parts::note_registers(const llvm::MCInst& inst, const llvm::MCInstrDesc& desc, const Kind& kind,
                                    int memory, Instruction& into) {
  for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
    if (memory >= 0 && i >= static_cast<unsigned>(memory) && i < static_cast<unsigned>(memory) + kMemoryOperands)
      continue;
    const llvm::MCOperand& operand = inst.getOperand(i);
    if (operand.isImm()) into.names[1] = static_cast<u64>(operand.getImm());
    if (!operand.isReg() || operand.getReg() == 0) continue;
    const unsigned reg = operand.getReg();
    if (i < desc.getNumDefs()) {
      into.writes |= whole[reg];
      if (kind.keeps_result) into.reads |= part_of[reg];
    } else {
      into.reads |= part_of[reg];
    }
    // Pushes and pops move the stack pointer; the usual ways to make and leave a frame do not let it escape.
    const bool usual = kind.frame_change || kind.push || kind.pop || kind.lea;
    if (registers->isSubRegisterEq(rsp, reg) && !(usual && reg == rsp && i <= desc.getNumDefs())) {
      into.takes_stack_pointer = true;
    }
    if (registers->isSubRegisterEq(rbp, reg) && i >= desc.getNumDefs() && !kind.push) {
      const bool leaves = kind.frame_change && inst.getOperand(0).isReg() && inst.getOperand(0).getReg() == rsp;
      if (!leaves) into.takes_frame_pointer = true;
    }
  }
  for (const llvm::MCPhysReg reg : desc.implicit_uses()) into.reads |= part_of[reg];
  for (const llvm::MCPhysReg reg : desc.implicit_defs()) into.writes |= whole[reg];
  if (kind.zeroes && inst.getNumOperands() >= 3 && inst.getOperand(1).getReg() == inst.getOperand(2).getReg())
    into.reads &= static_cast<u8>(~part_of[inst.getOperand(1).getReg()]);
  // `mov %rsp, X`: into the frame pointer only.
  if (kind.frame_change && inst.getNumOperands() == 2 && inst.getOperand(1).isReg() &&
      inst.getOperand(1).getReg() == rsp) {
    into.sets_frame_pointer = inst.getOperand(0).getReg() == rbp;
    into.takes_stack_pointer |= !into.sets_frame_pointer;
  }
}

void Decoder::Parts::note_flow(const llvm::MCInst& inst, const llvm::MCInstrDesc& desc, Instruction& into) {
  uint64_t target = 0;
  const bool direct = analysis->evaluateBranch(inst, into.address, into.size, target);
  if (desc.isCall() && !desc.isTerminator()) {
    into.flow = Flow::Call;
  } else if (desc.isReturn()) {
    into.flow = Flow::Return;
  } else if (desc.isBranch() || desc.isTerminator() || desc.isCall()) {
    into.target = target;
    into.flow = !direct ? Flow::Unknown : desc.isConditionalBranch() ? Flow::Branch : Flow::Jump;
    // jrcxz, loop, xbegin: whatever they are called, they may go on.
    if (direct && !desc.isBarrier()) into.flow = Flow::Branch;
  }
}

Decoder::Decoder() : parts_(std::make_unique<Parts>()) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86Disassembler();
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(kTriple, error);
  if (!target) throw std::runtime_error(error);
  Parts& p = *parts_;
  p.registers.reset(target->createMCRegInfo(kTriple));
  p.assembly.reset(target->createMCAsmInfo(*p.registers, kTriple, p.options));
  p.instructions.reset(target->createMCInstrInfo());
  p.subtarget.reset(target->createMCSubtargetInfo(kTriple, "", ""));
  p.analysis.reset(target->createMCInstrAnalysis(p.instructions.get()));
  p.context =
      std::make_unique<llvm::MCContext>(llvm::Triple(kTriple), p.assembly.get(), p.registers.get(), p.subtarget.get());
  p.disassembler.reset(target->createMCDisassembler(*p.subtarget, *p.context));
  p.kinds.resize(p.instructions->getNumOpcodes());
  p.name_registers();
}

Decoder::~Decoder() = default;

bool Decoder::decode(std::span<const u8> bytes, u64 address, Instruction& into) const {
  Parts& p = *parts_;
  llvm::MCInst inst;
  uint64_t size = 0;
  const auto status = p.disassembler->getInstruction(inst, size, llvm::ArrayRef<uint8_t>(bytes.data(), bytes.size()),
                                                     address, llvm::nulls());
  if (status != llvm::MCDisassembler::Success || size == 0) return false;
  into = {};
  into.address = address;
  into.size = static_cast<u32>(size);
  const llvm::MCInstrDesc& desc = p.instructions->get(inst.getOpcode());
  const Kind& kind = p.kind(inst.getOpcode());
  int memory = kind.lea ? 1 : -1;
  for (unsigned i = 0; i < desc.getNumOperands() && memory < 0; ++i)
    if (desc.operands()[i].OperandType == llvm::MCOI::OPERAND_MEMORY && i + kMemoryOperands <= inst.getNumOperands())
      memory = static_cast<int>(i);
  p.note_registers(inst, desc, kind, memory, into);
  if (memory >= 0) p.note_memory(inst, static_cast<unsigned>(memory), kind, desc, into);
  if (kind.push) into.access = {FrameAccess::kWrite, false, -8, 8};
  if (kind.pop) into.access = {FrameAccess::kRead, false, 0, 8};
  p.note_flow(inst, desc, into);
  if (kind.stops) into.flow = Flow::Stop;
  return true;
}

}  // namespace plait::frames
