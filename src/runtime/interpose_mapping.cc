// Mapped memory. What the program maps for itself is a block of its heap; what it did not map, it must not take away.
#include <errno.h>
#include <sys/mman.h>

#include "runtime/access.h"
#include "runtime/failure.h"
#include "runtime/heap.h"
#include "runtime/interpose.h"
#include "runtime/process.h"

namespace plait::runtime {
namespace {

constexpr int kReadWrite = PROT_READ | PROT_WRITE;

u64 whole_pages(size_t size) { return (size + kPage - 1) & ~(kPage - 1); }

void* map(void* hint, size_t size, int protection, int flags, int fd, off_t offset) {
  const bool is_ours = (flags & MAP_ANONYMOUS) && !(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) && size > 0;
  // Before main, too: what is mapped then begins each run as main found it.
  if (!run.active && !(is_ours && protection == kReadWrite))
    return PLAIT_REAL(mmap)(hint, size, protection, flags, fd, offset);
  if (size == 0) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  if (!is_ours) unsupported("mmap of a file or at a fixed address");
  // A block can be written, so a write that the machine would stop would not be seen.
  if (protection != kReadWrite) unsupported("mmap of memory that is not for reading and writing");
  begin_operation();
  void* memory = allocate(whole_pages(size), kPage, take_call_site(), true);
  if (memory) return memory;
  errno = ENOMEM;
  return MAP_FAILED;
}

/// The executable, a shared library of the program, or what threads live on: without it nothing goes on.
bool belongs_to_program(u64 begin, u64 end) {
  const auto meets = [&](u64 from, u64 to) { return begin < to && from < end; };
  bool found = meets(process.image_begin, process.image_end) || meets(kZone, kZoneEnd);
  for (u32 i = 1; i < module_count; ++i) found |= meets(modules[i].image_begin, modules[i].image_end);
  return found;
}

int unmap(void* address, size_t size) {
  const u64 begin = reinterpret_cast<u64>(address), end = begin + whole_pages(size);
  if (begin % kPage || size == 0 || end < begin) {
    errno = EINVAL;
    return -1;
  }
  if (in_heap(begin)) {
    const BlockHeader* block = find_block(begin);
    const bool is_part = block && block->state == BlockState::Live && begin < block_address(block) + block->size &&
                         (begin != block_address(block) || end != begin + block->size);
    if (is_part && run.active) unsupported("munmap of a part of what was mapped");
    release(address, take_call_site(), "munmap");
    return 0;
  }
  if (!run.active) return PLAIT_REAL(munmap)(address, size);
  if (belongs_to_program(begin, end))
    fail({.kind = FailureKind::Crash, .site = take_call_site(), .address = begin},
         "munmap takes away memory of the program itself, at address 0x%lx", begin);
  process.retire = true;  // later runs would miss it
  return PLAIT_REAL(munmap)(address, size);
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

// Of the program's code.
void* __plait_mmap(void* hint, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  return map(hint, size, protection, flags, fd, offset);
}
void* __plait_mmap64(void* hint, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  return map(hint, size, protection, flags, fd, offset);
}
int __plait_munmap(void* address, size_t size) noexcept { return unmap(address, size); }

// Of libraries, and of the runtime before there are runs.
void* mmap(void* hint, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  if (!run.active) return PLAIT_REAL(mmap)(hint, size, protection, flags, fd, offset);
  return map(hint, size, protection, flags, fd, offset);
}
int munmap(void* address, size_t size) noexcept {
  if (!run.active && !in_heap(reinterpret_cast<u64>(address))) return PLAIT_REAL(munmap)(address, size);
  return unmap(address, size);
}
}
