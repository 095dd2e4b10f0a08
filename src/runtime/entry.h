// Who called the runtime, and with what: noted by the stubs of entry.S while states are watched.
//
// A stub is entered in place of a function of entries.def. It notes the registers that belong to the caller and the
// arguments, calls the function, and wipes what the runtime has left below the caller's stack: stale words of ours must
// not turn up in frames that the program builds there later.
#pragma once
#include "trace/types.h"

namespace plait::runtime {

struct Entry {
  u64 stack_pointer;  // at the caller's return address; 0: the runtime was not entered through a stub
  u64 kept[6];        // rbx rbp r12 r13 r14 r15
  u64 argument[6];
  u64 arguments;  // how many count
};
static_assert(sizeof(Entry) == 14 * 8);

}  // namespace plait::runtime

extern "C" {
extern plait::runtime::Entry __plait_entry;
extern plait::u8 __plait_watch_states;  // else the stubs do nothing
}
