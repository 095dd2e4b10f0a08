// Reading from streams and descriptors. Their position is state that threads can share and that no trace shows: a read of a shared one is
// a visible operation, and the run is marked as one that cannot be predicted from others.
#include <stdio.h>
#include <unistd.h>

#include "runtime/access.h"
#include "runtime/process.h"

namespace plait::runtime {
namespace {

constexpr u64 kDescriptors = 0x30000;  // addresses that stand for descriptors in the shadow: no program has memory there

void reading(u64 location) {
  if (!run.active) return;
  const u32 site = take_call_site();
  begin_operation();
  if (classify(location, 1, true) != Visibility::Visible) return;
  run.unpredictable = true;
  await_turn({.op = Op::Input, .site = site, .location = location});
}

// By descriptor: where libc puts the FILE itself differs from run to run.
void reading(FILE* stream) { reading(kDescriptors + static_cast<u64>(fileno(stream))); }

/// What libc has written into the program's memory is stored once more, so that it is seen.
void note_written(const void* to, size_t size) {
  if (!run.active || size == 0) return;
  char copy_of[4096];
  for (size_t done = 0; done < size; done += sizeof copy_of) {
    const size_t part = size - done < sizeof copy_of ? size - done : sizeof copy_of;
    __builtin_memcpy(copy_of, static_cast<const char*>(to) + done, part);
    store_range(reinterpret_cast<u64>(to) + done, copy_of, part, kNoSite);
  }
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

char* fgets(char* to, int size, FILE* stream) {
  reading(stream);
  char* result = PLAIT_REAL(fgets)(to, size, stream);
  if (result) note_written(to, __builtin_strlen(to) + 1);
  return result;
}
size_t fread(void* to, size_t size, size_t count, FILE* stream) {
  reading(stream);
  const size_t result = PLAIT_REAL(fread)(to, size, count, stream);
  note_written(to, result * size);
  return result;
}
int fgetc(FILE* stream) {
  reading(stream);
  return PLAIT_REAL(fgetc)(stream);
}
int getc(FILE* stream) {
  reading(stream);
  return PLAIT_REAL(fgetc)(stream);
}
int getchar() {
  reading(stdin);
  return PLAIT_REAL(fgetc)(stdin);
}
int fseek(FILE* stream, long offset, int whence) {
  reading(stream);
  return PLAIT_REAL(fseek)(stream, offset, whence);
}
ssize_t read(int fd, void* to, size_t size) {
  reading(kDescriptors + static_cast<u64>(fd));
  const ssize_t result = PLAIT_REAL(read)(fd, to, size);
  if (result > 0) note_written(to, static_cast<size_t>(result));
  return result;
}
off_t lseek(int fd, off_t offset, int whence) noexcept {
  if (run.active) reading(kDescriptors + static_cast<u64>(fd));
  return PLAIT_REAL(lseek)(fd, offset, whence);
}
}
