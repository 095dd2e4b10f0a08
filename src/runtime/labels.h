// Which of the program's bytes depend on its inputs, and how (trace/labels.h; docs/inputs.md).
//
// Compiled code that follows inputs (instrument/labels.h) carries a label beside each integer. It asks for the label of
// what it has just loaded, and tells that of what it has just stored: between an access and such a call no other thread
// runs. Nobody else sees labels. The runtime's own accesses to the program's memory (library functions) need values:
// what they load is fixed, what they store has no label.
#pragma once
#include "runtime/abi.h"
#include "trace/labels.h"

namespace plait::runtime {

struct LabelState {
  LabelTables* tables = nullptr;  // null: nobody follows inputs
  u32 labelled = 0;               // bytes of memory with a label
  bool reads = false;             // symbols are what threads read; what depends on them goes into the trace
};
extern LabelState label_state;

inline bool follows_inputs() { return __builtin_expect(label_state.tables != nullptr, false); }
inline bool has_labels() { return __builtin_expect(label_state.labelled != 0, false); }

/// Between runs: no byte has a label.
void forget_labels();
/// In this run, what threads read are symbols. Shared memory then has no labels: its stores say what they store.
void follow_reads();

/// An expression; what it is of stands in `node` but for its label and value. 0 if there is no room for it.
u64 label_of(LabelNode node);
const LabelNode* find_label(u64 label);
u64 make_binary(LabelOp op, unsigned width, u64 a, u64 label_a, u64 b, u64 label_b);
u64 make_cast(LabelOp op, unsigned from, unsigned to, u64 value, u64 label);
u64 make_extract(unsigned from, unsigned shift, unsigned width, u64 value, u64 label);

/// Has the current thread just performed this visible operation there, with nothing in between?
bool has_performed(Op op, u64 address);
/// The result of what it has just performed: a symbol.
u64 read_symbol(u64 size, u64 value);
/// An operand of what it has just performed (label_note::k...).
void note_label(u8 kind, u64 label, u32 site);

/// Something depends on the expression's value (decided::k...).
void decide(u64 label, u32 how, u32 site);

/// The label of up to 8 bytes as the current thread sees them, if they hold this value.
u64 memory_label(u64 address, u64 size, u64 value);
/// They have just got this value, which had this label.
void set_memory_label(u64 address, u64 size, u64 value, u64 label);
/// They got values that depend on nothing; they were copied.
void clear_labels(u64 address, u64 size);
void move_labels(u64 to, u64 from, u64 size);
/// Their values are needed.
void fix_memory(u64 address, u64 size, u32 site);
/// All labelled memory: code that nobody follows is about to run.
void fix_all_memory(u32 site);

/// Memory that threads share is about to change, or is read: what everybody sees there now. `size` up to 8.
void note_shared_memory(u64 address, u64 size);
/// A label goes to memory.
void flush_label(u64 address, u64 size, u64 label);
/// As memory_label, of memory that no other thread can reach.
u64 private_label(u64 address, u64 size, u64 value);

/// A hash of the labels of the current thread's own memory, for its fingerprint; its stack from there on.
u64 digest_labels(u64 stack);

/// Is this function compiled so that it follows inputs?
bool is_followed(const void* function);

/// The runtime calls a function of the program.
void announce_call(const void* function);

}  // namespace plait::runtime
