#include "frames/liveness.h"

#include <llvm/ADT/BitVector.h>

#include <algorithm>
#include <unordered_map>

namespace plait::frames {
namespace {

constexpr u8 kAllRegisters = (1u << kKept) - 1;
constexpr i32 kDeepest = 4096;     // bytes of a frame that are told apart
constexpr i32 kReturnAddress = 8;  // the highest bytes of a frame
constexpr u32 kNone = ~u32{0};

struct State {
  u8 registers = 0;
  llvm::BitVector frame;  // by bytes below the frame's end

  bool operator==(const State&) const = default;
  void join(const State& other) {
    registers |= other.registers;
    frame |= other.frame;
  }
};

class Liveness {
 public:
  Liveness(const Function& function) : function_(function) {}

  bool decode(const Decoder& decoder, std::span<const u8> bytes) {
    for (u64 at = function_.begin; at < function_.end;) {
      Instruction instruction;
      if (!decoder.decode(bytes.subspan(at - function_.begin), at, instruction)) return false;
      for (const u64 named : instruction.names)
        if (named > function_.begin && named < function_.end) return false;
      number_of_[at] = static_cast<u32>(code_.size());
      rows_.push_back(&function_.row(at));
      code_.push_back(instruction);
      at = instruction.end();
    }
    return std::ranges::all_of(code_,
                               [&](const Instruction& i) { return !inside(i.target) || number(i.target) != kNone; }) &&
           std::ranges::all_of(function_.pads, [&](const LandingPad& p) { return number(p.pad) != kNone; });
  }

  /// How much of the frame is told apart; what it says about its caller's.
  void look_at_frame() {
    for (u32 i = 0; i < code_.size(); ++i) {
      const Instruction& instruction = code_[i];
      const bool escapes =
          instruction.takes_stack_pointer || (instruction.takes_frame_pointer && rows_[i]->by_frame_pointer);
      if (escapes) {
        frame_known_ = false;
        const bool by_end = instruction.address_by_frame_pointer == rows_[i]->by_frame_pointer;
        reads_arguments_ |= !instruction.address_of_frame || !by_end || below(i, *instruction.address_of_frame) <= 0;
      }
      if (instruction.sets_frame_pointer && !function_.row(instruction.end()).by_frame_pointer)
        frame_known_ = false, reads_arguments_ = true;
      const bool leaves = instruction.flow == Flow::Jump && !inside(instruction.target);
      reads_arguments_ |= leaves || instruction.flow == Flow::Unknown;
      if (instruction.access.kind == FrameAccess::kNone || is_restore(i)) continue;
      if (!is_of_frame(i)) {
        if (instruction.access.by_frame_pointer) continue;  // rbp is any register here
        if (instruction.access.kind == FrameAccess::kRead) reads_arguments_ = true, frame_known_ = false;
        continue;
      }
      const i32 begin = below(i, instruction.access.offset), end = begin - static_cast<i32>(instruction.access.bytes);
      reads_arguments_ |= end < 0 || instruction.access.bytes == 0;
      frame_known_ &= instruction.access.bytes != 0;
      depth_ = std::max(depth_, begin);
    }
    for (const Row& row : function_.rows)
      if (!row.by_frame_pointer) depth_ = std::max(depth_, row.end);
    frame_known_ &= depth_ <= kDeepest;
    if (!frame_known_) depth_ = 0;
  }

  void solve() {
    before_.assign(code_.size(), State{0, llvm::BitVector(static_cast<u32>(depth_) + 1)});
    for (bool changed = true; changed;) {
      changed = false;
      for (u32 i = static_cast<u32>(code_.size()); i-- > 0;) {
        State state = behind(i);
        apply(i, state);
        if (state == before_[i]) continue;
        before_[i] = std::move(state);
        changed = true;
      }
    }
  }

  void write(Table& table) const {
    for (u32 i = 0; i < code_.size(); ++i)
      if (code_[i].flow == Flow::Call) write(i, table);
  }

 private:
  bool inside(u64 address) const { return address >= function_.begin && address < function_.end; }
  u32 number(u64 address) const {
    const auto found = number_of_.find(address);
    return found == number_of_.end() ? kNone : found->second;
  }
  /// Bytes below the frame's end, of an offset from the pointer that its row goes by.
  i32 below(u32 i, i32 offset) const { return rows_[i]->end - offset; }
  bool is_of_frame(u32 i) const { return code_[i].access.by_frame_pointer == rows_[i]->by_frame_pointer; }
  /// A pop that gives a register its caller's value back. Where the frame goes by the frame pointer it is not known
  /// which bytes a pop reads; saved registers are left alone anyway.
  bool is_restore(u32 i) const {
    if (!rows_[i]->by_frame_pointer || code_[i].access.by_frame_pointer || code_[i].reads != 0) return false;
    for (u32 kept = 0; kept < kKept; ++kept)
      if (code_[i].writes == 1u << kept && rows_[i]->saved[kept] != 0) return code_[i].access.offset == 0;
    return false;
  }
  /// The frame is gone: what comes next is another function's business.
  bool is_left(u32 i) const {
    const Row& row = *rows_[i];
    return !row.by_frame_pointer && row.end == kReturnAddress;
  }

  State everything() const { return {kAllRegisters, llvm::BitVector(static_cast<u32>(depth_) + 1, true)}; }
  State nothing() const { return {0, llvm::BitVector(static_cast<u32>(depth_) + 1)}; }

  void join_next(u32 i, State& state) const {
    if (i + 1 < code_.size()) state.join(before_[i + 1]);
  }

  State behind(u32 i) const {
    const Instruction& instruction = code_[i];
    State state = nothing();
    const bool leaves = instruction.flow == Flow::Unknown || !inside(instruction.target);
    switch (instruction.flow) {
      case Flow::Return:
      case Flow::Stop: return state;
      case Flow::Unknown: return is_left(i) ? state : everything();
      case Flow::Call:
        for (const LandingPad& pad : function_.pads)
          if (instruction.address < pad.end && instruction.end() > pad.begin) state.join(before_[number(pad.pad)]);
        break;
      case Flow::Branch:
      case Flow::Jump:
        if (leaves && !is_left(i)) return everything();
        if (!leaves) state.join(before_[number(instruction.target)]);
        if (instruction.flow == Flow::Jump) return state;
        break;
      case Flow::Next: break;
    }
    join_next(i, state);
    return state;
  }

  void apply(u32 i, State& state) const {
    const Instruction& instruction = code_[i];
    state.registers = static_cast<u8>((state.registers & ~instruction.writes) | instruction.reads);
    const FrameAccess& access = instruction.access;
    if (depth_ == 0 || access.kind == FrameAccess::kNone || !is_of_frame(i) || is_restore(i)) return;
    const i32 first = below(i, access.offset), last = first - static_cast<i32>(access.bytes) + 1;
    const u32 low = static_cast<u32>(std::clamp(last, 1, depth_ + 1)),
              high = static_cast<u32>(std::clamp(first + 1, 1, depth_ + 1));
    if (low >= high) return;
    if (access.kind == FrameAccess::kRead)
      state.frame.set(low, high);
    else
      state.frame.reset(low, high);
  }

  void write(u32 i, Table& table) const {
    const Row& row = *rows_[i];
    State state = behind(i);
    if (row.end < kReturnAddress || row.end % 8 != 0 || (row.by_frame_pointer && row.end != 16)) return;
    if (row.end / 8 >= kByFramePointer) return;
    Site site{};
    site.address = static_cast<u32>(code_[i].end());
    site.words = row.by_frame_pointer ? kByFramePointer : static_cast<u16>(row.end / 8);
    site.live = state.registers;
    if (row.by_frame_pointer) site.live |= 1u << kRbp;
    site.flags = reads_arguments_ ? kReadsArguments : 0;
    site.first = static_cast<u32>(table.ranges.size());
    state.frame.resize(static_cast<u32>(std::max(depth_, kReturnAddress)) + 1, true);
    for (u32 kept = 0; kept < kKept; ++kept) {
      const i32 saved = row.saved[kept];
      if (saved / 8 > 255) return;
      site.saved[kept] = static_cast<u8>(saved / 8);
      if (saved != 0 && saved <= depth_) state.frame.set(static_cast<u32>(saved) - 7, static_cast<u32>(saved) + 1);
    }
    const i32 depth = row.by_frame_pointer ? depth_ : std::min(depth_, row.end);
    state.frame.set(0, kReturnAddress + 1);
    for (i32 at = kReturnAddress + 1; at <= depth; ++at) {
      if (state.frame[static_cast<u32>(at)]) continue;
      const i32 low = at - 1;
      while (at < depth && !state.frame[static_cast<u32>(at) + 1]) ++at;
      table.ranges.push_back({static_cast<u16>(at), static_cast<u16>(low)});
    }
    site.count = static_cast<u16>(table.ranges.size() - site.first);
    table.sites.push_back(site);
  }

  const Function& function_;
  std::vector<Instruction> code_;
  std::vector<const Row*> rows_;  // by instruction
  std::unordered_map<u64, u32> number_of_;
  std::vector<State> before_;
  i32 depth_ = 0;  // bytes of the frame that are told apart; 0: none
  bool frame_known_ = true, reads_arguments_ = false;
};

}  // namespace

void add_calls(const Decoder& decoder, std::span<const u8> bytes, const Function& function, Table& table) {
  Liveness liveness(function);
  if (!liveness.decode(decoder, bytes)) return;
  liveness.look_at_frame();
  liveness.solve();
  liveness.write(table);
}

}  // namespace plait::frames
