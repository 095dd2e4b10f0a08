// What compiled code and the runtime agree on. The instrumentation pass (instrument/) emits calls to these functions
// and fills these tables; nothing else may appear in between. C linkage, all names start with __plait_.
#pragma once
#include "trace/types.h"

namespace plait {

/// A place in the source. Tables of all units are concatenated in section "plait_sites"
/// (__start_plait_sites, __stop_plait_sites); a site is named by its address. Compiled code passes that address plus
/// kLibrarySite when the place and all that it was inlined into lie in system headers: a user is then shown where the
/// program called the library instead. In the address, so that the runtime need not look into the table.
struct Site {
  const char* file;      // as the compiler was given it
  const char* function;  // demangled by the reader
  const char* text;      // what is accessed, as source: "account->balance", "queue[i]"; may be null
  const Site* parent;    // where this was inlined, or null
  u32 line;
  u32 column;
};
static_assert(sizeof(Site) == 40);
inline constexpr u32 kLibrarySite = 1;
/// In __plait_unknown and __plait_opaque: code of neither libc nor libstdc++ was called by name, if it was not compiled
/// with the wrapper. The site's text is then kCallText and the name.
inline constexpr u32 kForeignCall = 2;

/// What is known of a library's function that is handed memory.
namespace handed_flag {
inline constexpr u32 kLast = 1;   // the object's destructor
inline constexpr u32 kReads = 2;  // it does not write there
}  // namespace handed_flag

/// A mutable global variable (section "plait_globals"). Small ones live in sections "plait_data" and
/// "plait_arrays" (those with red zones), which is restored as a whole;
/// zero-initialised ones over 64 KiB stay in .bss and are restored page by page.
struct GlobalVariable {
  void* address;
  u64 size;
  const char* name;  // as in the source
  const char* file;
  u32 line;
  u32 flags;  // 1: lies in plait_data or plait_arrays, 2: large, stays in .bss
};
static_assert(sizeof(GlobalVariable) == 40);

/// The type of a global variable, or of what is allocated or begins to live at a site (section "plait_types").
struct ObjectType {
  const void* of;      // the variable, or the site (perhaps with kLibrarySite)
  const char* name;    // may be null
  const char* layout;  // what it is made of: instrument/type_text.h; null: nothing that has names
};
static_assert(sizeof(ObjectType) == 24);

/// Bytes that nobody may touch (section "plait_red_zones"), right behind a global array or struct.
struct RedZone {
  const void* variable;
  u64 variable_size;
  u64 size;
  const char* name;  // the variable's; null: in front of the first one
};
static_assert(sizeof(RedZone) == 32);

/// What a load returns: in rax, and in rdx a set bit for each bit that has no value (runtime/unwritten.h).
template <class T>
struct Found {
  T value;
  u64 unwritten;
};
template struct Found<u8>;
template struct Found<u16>;
template struct Found<u32>;
template struct Found<u64>;

/// Whom a fence concerns.
enum class FenceScope : int {
  Threads,
  Signals,  // std::atomic_signal_fence
  Buffer,   // it stands in place of an access that nobody else sees, and does to the store buffer what that does
};

/// What is known of a call, where inputs are followed.
enum class LabelCall : int {
  Unknown,
  Followed,        // it is compiled likewise
  TouchesNothing,  // it reads and writes no memory of the program that the runtime does not see
};
inline constexpr unsigned kLabelArguments = 16;  // of a call; those behind have no label

}  // namespace plait

extern "C" {
// A shared library's tables, when it is loaded. Units that go into the executable say so, too, without effect.
void __plait_module(const plait::Site*, const plait::Site* sites_end, const plait::GlobalVariable*,
                    const plait::GlobalVariable* globals_end, const plait::RedZone*, const plait::RedZone* zones_end);

// The site of the call into uninstrumented code that is about to happen (one store before each such call), so that
// interposed functions know where they were called from, even from inside libstdc++.
extern const plait::Site* __plait_call_site;
// The user's line that is under way in a library: stored before each call from user code that may run code of system
// headers. Per thread (the runtime switches it), so it names what events inside of the library belong to.
extern const plait::Site* __plait_user_site;

// Calls of functions that may keep state which the runtime cannot see. Stored before a call of code that is not known:
// its site; an instrumented function stores null there when it is entered. What is still there after the call goes to
// __plait_opaque, where the runtime finds it.
extern const plait::Site* __plait_unknown;
extern const plait::Site* __plait_opaque;

// The call of operator new that is about to happen comes from compiled code: 1.
extern unsigned char __plait_own_new;

// Plain accesses. The runtime performs them (store buffers need that).
plait::Found<uint8_t> __plait_load1(const void*, const plait::Site*);  // compiled code looks at the value only
plait::Found<uint16_t> __plait_load2(const void*, const plait::Site*);
plait::Found<uint32_t> __plait_load4(const void*, const plait::Site*);
plait::Found<uint64_t> __plait_load8(const void*, const plait::Site*);
void __plait_store1(void*, uint8_t, const plait::Site*);
void __plait_store2(void*, uint16_t, const plait::Site*);
void __plait_store4(void*, uint32_t, const plait::Site*);
void __plait_store8(void*, uint64_t, const plait::Site*);
// The same for who asks which bits of the value were never written (unwritten.h): a pair of the value and of a set bit
// for each.
// __plait_read1 ... 8(const void*, const plait::Site*), __plait_atomic_read1 ... 8(const void*, int order, const
// plait::Site*) Bytes of a store whose bits are all set in `bits` have no value; a local variable has none yet; a
// library has written there.
void __plait_store_unwritten(void*, uint64_t bits, uint64_t size);
void __plait_put_unwritten(void*, const void* bits, uint64_t size);
void __plait_get_unwritten(void* bits, const void* from, uint64_t size);
void __plait_unwritten(void*, uint64_t size);
void __plait_written(void*);
// A value decides something, and these bits of it were never written; `use`: ValueUse.
void __plait_uninitialised(uint64_t bits, int use, const plait::Site*);
// Any other size or type: through a private temporary of the caller.
void __plait_load_range(void* to_temporary, const void* from, uint64_t size, const plait::Site*);
void __plait_store_range(void* to, const void* from_temporary, uint64_t size, const plait::Site*);

// Atomic and volatile accesses; `order` is plait::Order as an int. N = 1, 2, 4, 8, 16.
#define PLAIT_ATOMIC_ABI(N, T, Loaded)                                                \
  Loaded __plait_atomic_load##N(const void*, int order, const plait::Site*);          \
  void __plait_atomic_store##N(void*, T value, int order, const plait::Site*);        \
  T __plait_atomic_rmw##N(void*, T operand, int kind, int order, const plait::Site*); \
  T __plait_atomic_cas##N(void*, T expected, T desired, int order, int failure_order, const plait::Site*);
PLAIT_ATOMIC_ABI(1, uint8_t, plait::Found<uint8_t>)
PLAIT_ATOMIC_ABI(2, uint16_t, plait::Found<uint16_t>)
PLAIT_ATOMIC_ABI(4, uint32_t, plait::Found<uint32_t>)
PLAIT_ATOMIC_ABI(8, uint64_t, plait::Found<uint64_t>)
PLAIT_ATOMIC_ABI(16, unsigned __int128, unsigned __int128)
#undef PLAIT_ATOMIC_ABI
void __plait_fence(int order, int scope, const plait::Site*);  // scope: FenceScope

// A loop of turns (turns.h) is about to begin, `depth` others around it; a turn is over: 1 if the loop is settled.
void __plait_begin_turns(int depth);
int __plait_turn(int depth, uint32_t flags, const plait::Site*);

// nanosleep, by value.
void __plait_sleep(int64_t seconds, int64_t nanoseconds);

// A wait begins that lasts a while (1), or is over (0); what was seen of a clock before counts no longer (2). It looks
// at a clock to know until when: in C++, in C.
void __plait_timed_wait(int what);
int64_t __plait_look();
int __plait_look_at(int clock, void* time);

// Memory that a library's function is about to read and write unseen; `last`: it is destroyed.
void __plait_handed(void*, int how, const plait::Site*);

// A local variable whose address leaves its function comes to life; its life ends. `zones`: bytes of its red zones, in
// front of it and (times 2^32) behind it.
void __plait_begin_life(void*, uint64_t size, uint64_t zones, const plait::Site*);
void __plait_end_life(void*, uint64_t size, uint64_t zones, const plait::Site*);
// The same for variables without a fixed size. Their life ends with all that lies below `top` on the stack; or, control
// having arrived by an exception or longjmp, with all that lies below the caller's frame.
void __plait_guard(void*, uint64_t size, uint64_t zones, const plait::Site*);
void __plait_release_stack(void* top);
void __plait_unwound();

// A module that looks at floating-point modes or flags, or changes them, says so when it is loaded.
void __plait_uses_float_modes();

// An access of `size` bytes at an offset that lies outside of its object, which `object` describes.
void __plait_out_of_bounds(uint64_t offset, uint64_t size, int writes, uint64_t object_size, const char* object,
                           const plait::Site*);

// Inline assembly that may access memory: nobody sees what it does.
void __plait_assembly(const plait::Site*);

// LLVM's memory intrinsics.
void __plait_copy(void* to, const void* from, uint64_t size, const plait::Site*);  // memcpy and memmove
void __plait_fill(void* to, int byte, uint64_t size, const plait::Site*);

// Library functions that the pass redirects by name, all uses: NAME becomes __plait_NAME with the same type
// (the list is instrument/redirect.def). Each reads __plait_call_site.
}
