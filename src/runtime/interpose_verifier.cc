// SV-COMP's inputs: each type has one fixed value, and the verdict says so.
#include <sys/types.h>

#include "runtime/access.h"
#include "runtime/process.h"

using namespace plait::runtime;

namespace {

template <class T>
T fixed() {
  note_input(plait::input_kind::kNondet);
  return T{};
}

}  // namespace

extern "C" {

#define PLAIT_NONDET(name, type) \
  type __VERIFIER_nondet_##name() { return fixed<type>(); }
PLAIT_NONDET(bool, bool)
PLAIT_NONDET(_Bool, bool)
PLAIT_NONDET(char, char)
PLAIT_NONDET(schar, signed char)
PLAIT_NONDET(uchar, unsigned char)
PLAIT_NONDET(short, short)
PLAIT_NONDET(ushort, unsigned short)
PLAIT_NONDET(int, int)
PLAIT_NONDET(uint, unsigned)
PLAIT_NONDET(unsigned, unsigned)
PLAIT_NONDET(long, long)
PLAIT_NONDET(ulong, unsigned long)
PLAIT_NONDET(longlong, long long)
PLAIT_NONDET(ulonglong, unsigned long long)
PLAIT_NONDET(int128, __int128)
PLAIT_NONDET(uint128, unsigned __int128)
PLAIT_NONDET(float, float)
PLAIT_NONDET(double, double)
PLAIT_NONDET(size_t, size_t)
PLAIT_NONDET(loff_t, long long)
PLAIT_NONDET(sector_t, unsigned long)
PLAIT_NONDET(pthread_t, unsigned long)
PLAIT_NONDET(u8, unsigned char)
PLAIT_NONDET(u16, unsigned short)
PLAIT_NONDET(u32, unsigned)
PLAIT_NONDET(u64, unsigned long long)
PLAIT_NONDET(pointer, void*)
PLAIT_NONDET(pchar, char*)
PLAIT_NONDET(charp, char*)
PLAIT_NONDET(const_char_pointer, const char*)
#undef PLAIT_NONDET

/// The block is stored to, so that others see it.
void __VERIFIER_nondet_memory(void* block, size_t size) {
  note_input(plait::input_kind::kNondet);
  static const char zeros[256] = {};
  const plait::u32 site = take_call_site();
  for (size_t done = 0; done < size;) {
    const size_t part = size - done < sizeof zeros ? size - done : sizeof zeros;
    store_range(reinterpret_cast<plait::u64>(block) + done, zeros, part, site);
    done += part;
  }
}

/// main looks at its parameters (instrument/calls.cc).
void __plait_uses_arguments() { note_input(plait::input_kind::kArguments); }
}
