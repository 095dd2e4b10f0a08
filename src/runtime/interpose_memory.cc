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
extern "C" {
// The program's own allocator, which the pass has given these names.
void* __plait_own_malloc(size_t) __attribute__((weak));
void* __plait_own_calloc(size_t, size_t) __attribute__((weak));
void* __plait_own_realloc(void*, size_t) __attribute__((weak));
void __plait_own_free(void*) __attribute__((weak));
void* __plait_own_aligned_alloc(size_t, size_t) __attribute__((weak));
int __plait_own_posix_memalign(void**, size_t, size_t) __attribute__((weak));
}
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
  if (__plait_own_malloc && alignment <= 16) return __plait_own_malloc(size ? size : 1);
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

void delete_block(void* p, const char* what) {
  if (__plait_own_free && !in_heap(reinterpret_cast<u64>(p))) return __plait_own_free(p);
  release(p, take_call_site(), what);
}

void* malloc_block(size_t size, size_t alignment, bool zeroed) {
  begin_operation();
  __plait_own_new = 0;
  void* memory = allocate(size, alignment, take_call_site(), zeroed);
  if (!memory) errno = ENOMEM;
  return zeroed ? memory : without_value(memory, size);
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

void* __plait_malloc(size_t size) {
  return __plait_own_malloc ? __plait_own_malloc(size) : malloc_block(size, 16, false);
}
void* __plait_calloc(size_t count, size_t size) {
  if (__plait_own_calloc) return __plait_own_calloc(count, size);
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return malloc_block(bytes, 16, true);
}
void __plait_free(void* pointer) { delete_block(pointer, "free"); }
void* __plait_realloc(void* pointer, size_t size) {
  if (__plait_own_realloc) return __plait_own_realloc(pointer, size);
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
void* __plait_aligned_alloc(size_t alignment, size_t size) {
  return __plait_own_aligned_alloc ? __plait_own_aligned_alloc(alignment, size) : malloc_block(size, alignment, false);
}
void* __plait_memalign(size_t alignment, size_t size) { return malloc_block(size, alignment, false); }
void* __plait_valloc(size_t size) { return malloc_block(size, kPage, false); }
int __plait_posix_memalign(void** result, size_t alignment, size_t size) {
  if (__plait_own_posix_memalign) return __plait_own_posix_memalign(result, alignment, size);
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

// A program may replace some of these (replaceable.txt). As in the standard library, the others call the replaced ones.
void* operator new(size_t size) { return new_block(size, 16); }
void* operator new(size_t size, std::align_val_t alignment) { return new_block(size, static_cast<size_t>(alignment)); }

extern "C" {
void* __plait_default_new(size_t) __attribute__((alias("_Znwm")));
void* __plait_default_aligned_new(size_t, std::align_val_t) __attribute__((alias("_ZnwmSt11align_val_t")));
}

namespace {

/// By operator new, whoever's it is: the linker decides that, so the compiler must not.
void* new_plain(size_t size, bool throws = true) {
  void* (*operator_new)(size_t) = &::operator new;
  asm("" : "+r"(operator_new));
  return operator_new == &__plait_default_new ? new_block(size, 16, throws) : operator_new(size);
}

void* new_aligned(size_t size, std::align_val_t alignment, bool throws = true) {
  void* (*operator_new)(size_t, std::align_val_t) = &::operator new;
  asm("" : "+r"(operator_new));
  if (operator_new != &__plait_default_aligned_new) return operator_new(size, alignment);
  return new_block(size, static_cast<size_t>(alignment), throws);
}

}  // namespace

void* operator new[](size_t size) { return new_plain(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return new_plain(size, false); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return new_plain(size, false); }
void* operator new[](size_t size, std::align_val_t alignment) { return new_aligned(size, alignment); }
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return new_aligned(size, alignment, false);
}
void* operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return new_aligned(size, alignment, false);
}
void operator delete(void* p) noexcept { delete_block(p, "delete"); }
void operator delete(void* p, std::align_val_t) noexcept { delete_block(p, "delete"); }

extern "C" {
void __plait_default_delete(void*) noexcept __attribute__((alias("_ZdlPv")));
void __plait_default_aligned_delete(void*, std::align_val_t) noexcept __attribute__((alias("_ZdlPvSt11align_val_t")));
}

namespace {

/// By the program's operator delete, if it has one.
void delete_plain(void* p, const char* what) {
  void (*operator_delete)(void*) = &::operator delete;
  asm("" : "+r"(operator_delete));  // the linker decides whose it is
  if (operator_delete != &__plait_default_delete) return operator_delete(p);
  delete_block(p, what);
}

void delete_aligned(void* p, std::align_val_t alignment, const char* what) {
  void (*operator_delete)(void*, std::align_val_t) = &::operator delete;
  asm("" : "+r"(operator_delete));
  if (operator_delete != &__plait_default_aligned_delete) return operator_delete(p, alignment);
  delete_block(p, what);
}

}  // namespace

void operator delete[](void* p) noexcept { delete_plain(p, "delete[]"); }
void operator delete(void* p, size_t) noexcept { delete_plain(p, "delete"); }
void operator delete[](void* p, size_t) noexcept { delete_plain(p, "delete[]"); }
void operator delete(void* p, const std::nothrow_t&) noexcept { delete_plain(p, "delete"); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { delete_plain(p, "delete[]"); }
void operator delete[](void* p, std::align_val_t a) noexcept { delete_aligned(p, a, "delete[]"); }
void operator delete(void* p, size_t, std::align_val_t a) noexcept { delete_aligned(p, a, "delete"); }
void operator delete[](void* p, size_t, std::align_val_t a) noexcept { delete_aligned(p, a, "delete[]"); }
