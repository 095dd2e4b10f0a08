// Randomness: the same numbers in every run. Each thread has its own sequence, so that it depends on the thread's
// history only (rand()'s state is shared between threads in libc; a checker of schedules does not want that order to
// matter).
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "runtime/interpose.h"
#include "runtime/process.h"
#include "runtime/result.h"

namespace plait::runtime {
namespace {

u64 next(u64& state) {
  // splitmix64
  u64 z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

u64 next() {
  note_input(input_kind::kRandom);
  return next(run.current->random);
}

void fill_random(void* to, size_t size) {
  auto* bytes = static_cast<unsigned char*>(to);
  for (size_t i = 0; i < size; ++i) give(bytes + i, static_cast<unsigned char>(next() >> 24));
}

}  // namespace
}  // namespace plait::runtime

using namespace plait::runtime;

extern "C" {

int rand() noexcept { return static_cast<int>(next() & 0x7fffffff); }
void srand(unsigned seed) noexcept { run.current->random = seed; }
int rand_r(unsigned* seed) noexcept {
  plait::u64 state = take(seed);
  const auto value = next(state);
  give(seed, static_cast<unsigned>(state ^ (state >> 32)));
  return static_cast<int>(value & 0x7fffffff);
}
long random() noexcept { return static_cast<long>(next() & 0x7fffffff); }
void srandom(unsigned seed) noexcept { run.current->random = seed; }
double drand48() noexcept { return static_cast<double>(next() >> 11) / 9007199254740992.0; }
long mrand48() noexcept { return static_cast<int>(next()); }
long lrand48() noexcept { return static_cast<long>(next() & 0x7fffffff); }
void srand48(long seed) noexcept { run.current->random = static_cast<plait::u64>(seed); }
unsigned arc4random() noexcept { return static_cast<unsigned>(next()); }
ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  if (!run.active) return PLAIT_REAL(getrandom)(buffer, size, flags);
  fill_random(buffer, size);
  return static_cast<ssize_t>(size);
}
int getentropy(void* buffer, size_t size) {
  fill_random(buffer, size);
  return 0;
}

// std::random_device, which would read the processor's or the kernel's generator.
unsigned plait_random_device() asm("_ZNSt13random_device9_M_getvalEv");
unsigned plait_random_device() { return static_cast<unsigned>(next()); }
void plait_random_device_init(void*, const void*) asm(
    "_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
void plait_random_device_init(void*, const void*) {}
void plait_random_device_fini(void*) asm("_ZNSt13random_device7_M_finiEv");
void plait_random_device_fini(void*) {}
}
