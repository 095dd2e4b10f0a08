// malloc and friends (redirected by the pass), operator new and delete (replaced, so that libstdc++ uses them too),
// exception objects, anonymous mmap.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <new>

#include "runtime/access.h"
#include "runtime/failure.h"
#include "runtime/heap.h"
#include "runtime/process.h"
#include "runtime/unwritten.h"

namespace std {
// libstdc++'s, which a C++ program has.
[[noreturn]] void __throw_bad_alloc() __attribute__((weak));
[[noreturn]] void __throw_bad_array_new_length() __attribute__((weak));
}  // namespace std
unsigned char __plait_own_new;

namespace plait::runtime {
namespace {

constexpr size_t kExceptionHeader = 128;  // what the C++ ABI keeps before an exception object

constexpr size_t kMostMarked = 1 * kMiB;

/// A block of the program's own code has no value yet. (What a library allocates, it writes unseen.)
void* without_value(void* memory, size_t size) {
  if (memory && size < kMostMarked) mark_block(reinterpret_cast<u64>(memory), size);
  return memory;
}

void* new_block(size_t size, size_t alignment, bool throws = true) {
  begin_operation();
  const bool own = __plait_own_new;
  __plait_own_new = 0;
  if (void* memory = allocate(size ? size : 1, alignment, take_call_site(), false))
    return own ? without_value(memory, size) : memory;
  if (!throws) return nullptr;
  if (size == ~size_t{0} && std::__throw_bad_array_new_length) std::__throw_bad_array_new_length();
  if (size >= kImpossible && std::__throw_bad_alloc) std::__throw_bad_alloc();
  fail({.kind = FailureKind::OutOfResources}, "operator new of %zu bytes: a thread's heap has %lu bytes per run", size,
       kArenaSize);
}

void* malloc_block(size_t size, size_t alignment, bool zeroed) {
  begin_operation();
  void* memory = allocate(size, alignment, take_call_site(), zeroed);
  if (!memory) errno = ENOMEM;
  return zeroed ? memory : without_value(memory, size);
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

void* __plait_malloc(size_t size) { return malloc_block(size, 16, false); }
void* __plait_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return malloc_block(bytes, 16, true);
}
void __plait_free(void* pointer) { release(pointer, take_call_site(), "free"); }
void* __plait_realloc(void* pointer, size_t size) {
  const u32 site = take_call_site();
  if (pointer && !in_heap(reinterpret_cast<u64>(pointer))) return PLAIT_REAL(realloc)(pointer, size);
  begin_operation();
  void* memory = allocate(size, 16, site, false);
  if (!memory) {
    errno = ENOMEM;
    return nullptr;
  }
  without_value(memory, size);
  if (pointer) {
    const u64 old = block_size(pointer);
    copy(reinterpret_cast<u64>(memory), reinterpret_cast<u64>(pointer), old < size ? old : size, site);
    release(pointer, site, "realloc");
  }
  return memory;
}
void* __plait_reallocarray(void* pointer, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __plait_realloc(pointer, bytes);
}
void* __plait_aligned_alloc(size_t alignment, size_t size) { return malloc_block(size, alignment, false); }
void* __plait_memalign(size_t alignment, size_t size) { return malloc_block(size, alignment, false); }
void* __plait_valloc(size_t size) { return malloc_block(size, kPage, false); }
int __plait_posix_memalign(void** result, size_t alignment, size_t size) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1))) return EINVAL;
  void* memory = malloc_block(size, alignment, false);
  if (!memory) return ENOMEM;
  store<u64>(reinterpret_cast<u64>(result), reinterpret_cast<u64>(memory), Order::Plain, kNoSite);
  return 0;
}
size_t __plait_malloc_usable_size(void* pointer) { return pointer ? block_size(pointer) : 0; }

void* __cxa_allocate_exception(size_t size) noexcept {
  begin_operation();
  void* memory = allocate(size + kExceptionHeader, 16, kNoSite, true);
  if (!memory) fail({.kind = FailureKind::OutOfResources}, "no room for an exception object");
  memset(memory, 0, size + kExceptionHeader);
  return static_cast<char*>(memory) + kExceptionHeader;
}
void __cxa_free_exception(void* exception) noexcept {
  release_quietly(static_cast<char*>(exception) - kExceptionHeader);
}
void* __cxa_allocate_dependent_exception() noexcept {
  void* memory = allocate(kExceptionHeader, 16, kNoSite, true);
  if (!memory) fail({.kind = FailureKind::OutOfResources}, "no room for an exception object");
  memset(memory, 0, kExceptionHeader);
  return memory;
}
void __cxa_free_dependent_exception(void* exception) noexcept { release_quietly(exception); }

}  // extern "C"

void* operator new(size_t size) { return new_block(size, 16); }
void* operator new[](size_t size) { return new_block(size, 16); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return new_block(size, 16, false); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return new_block(size, 16, false); }
void* operator new(size_t size, std::align_val_t alignment) { return new_block(size, static_cast<size_t>(alignment)); }
void* operator new[](size_t size, std::align_val_t alignment) {
  return new_block(size, static_cast<size_t>(alignment));
}
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return new_block(size, static_cast<size_t>(alignment), false);
}
void* operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return new_block(size, static_cast<size_t>(alignment), false);
}
void operator delete(void* p) noexcept { release(p, take_call_site(), "delete"); }
void operator delete[](void* p) noexcept { release(p, take_call_site(), "delete[]"); }
void operator delete(void* p, size_t) noexcept { release(p, take_call_site(), "delete"); }
void operator delete[](void* p, size_t) noexcept { release(p, take_call_site(), "delete[]"); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p, take_call_site(), "delete"); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p, take_call_site(), "delete[]"); }
void operator delete(void* p, std::align_val_t) noexcept { release(p, take_call_site(), "delete"); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p, take_call_site(), "delete[]"); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { release(p, take_call_site(), "delete"); }
void operator delete[](void* p, size_t, std::align_val_t) noexcept { release(p, take_call_site(), "delete[]"); }
