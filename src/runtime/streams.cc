#include "runtime/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/access.h"
#include "runtime/failure.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

namespace plait::runtime {
namespace {

constexpr u32 kStreams = 32;
constexpr u32 kBufferSize = 4096;
constexpr u32 kMostBytes = 1024;  // of the object, with its lock and its part for wide characters

// glibc's bits in FILE::_flags.
constexpr int kNoReads = 4, kNoWrites = 8, kAppends = 0x1000;

/// A stream as it was when it was made.
struct Image {
  FILE* stream;
  u32 size;
  char bytes[kMostBytes];

  void take(FILE* from, u32 bytes_of) {
    if (bytes_of > kMostBytes) die("this C library's FILE objects are larger than expected");
    stream = from;
    size = bytes_of;
    memcpy(bytes, from, size);
  }
  void restore() {
    if (memcmp(stream, bytes, sizeof *stream) == 0)
      return;  // nobody has used it: its lock and wide part are as they were, too
    FILE* const next = reinterpret_cast<FILE*>(stream->_chain);  // libc's list of all streams is its own business
    memcpy(stream, bytes, size);
    stream->_chain = next;
  }
};

struct Stream {
  Image image;
  bool used;
  int fd;  // the last one
  char buffer[kBufferSize];
};
Stream streams[kStreams];
Image standard[3];
char standard_buffer[3][kBufferSize];
bool made = false;

Stream* own(const FILE* stream) {
  for (Stream& one : streams)
    if (one.image.stream == stream) return &one;
  return nullptr;
}

void make_streams() {
  for (Stream& one : streams) {
    const int fd = PLAIT_REAL(open)("/dev/null", O_RDWR | O_CLOEXEC);
    FILE* stream = fd < 0 ? nullptr : PLAIT_REAL(fdopen)(fd, "r+");
    if (!stream) die("cannot make streams for the program");
    setvbuf(stream, one.buffer, _IOFBF, kBufferSize);
    one.image.take(stream, static_cast<u32>(malloc_usable_size(stream)));
    PLAIT_REAL(close)(fd);
    stream->_fileno = -1;
  }
  FILE* const three[] = {stdin, stdout, stderr};
  for (unsigned i = 0; i < 3; ++i) {
    if (i > 0 && process.session->options.passthrough) continue;
    if (i == 0 || three[i] == stdout) setvbuf(three[i], standard_buffer[i], _IOFBF, kBufferSize);
    standard[i].take(three[i], i == 0 ? sizeof(FILE) : static_cast<u32>(malloc_usable_size(three[i])));
  }
}

}  // namespace

int open_flags(const char* mode) {
  int flags = 0;
  switch (*mode) {
    case 'r': flags = O_RDONLY; break;
    case 'w': flags = O_WRONLY | O_CREAT | O_TRUNC; break;
    case 'a': flags = O_WRONLY | O_CREAT | O_APPEND; break;
    default: errno = EINVAL; return -1;
  }
  for (++mode; *mode && *mode != ','; ++mode) {
    if (*mode == '+') flags = (flags & ~O_ACCMODE) | O_RDWR;
    if (*mode == 'x') flags |= O_EXCL;
    if (*mode == 'e') flags |= O_CLOEXEC;
  }
  return flags;
}

FILE* take_stream(int fd, int flags) {
  for (Stream& one : streams) {
    if (one.used) continue;
    one.used = true;
    one.image.restore();
    FILE* const stream = one.image.stream;
    stream->_fileno = one.fd = fd;
    stream->_flags |= (flags & O_ACCMODE) == O_RDONLY ? kNoWrites : (flags & O_ACCMODE) == O_WRONLY ? kNoReads : 0;
    if (flags & O_APPEND) stream->_flags |= kAppends;
    return stream;
  }
  fail({.kind = FailureKind::OutOfResources}, "more than %u streams are open", kStreams);
}

bool give_back_stream(FILE* stream) {
  const bool written = PLAIT_REAL(fflush)(stream) == 0;
  Stream* one = own(stream);
  one->image.restore();
  stream->_fileno = -1;
  one->used = false;
  return written;
}

bool writes(const FILE* stream) { return !(stream->_flags & kNoWrites); }

int descriptor_of(FILE* stream) {
  const Stream* one = own(stream);
  return one ? one->fd : fileno(stream);
}

void require_open(const FILE* stream, u32 site) {
  const Stream* one = own(stream);
  if (!run.active || !one || one->used) return;
  fail({.kind = FailureKind::UseAfterFree, .site = site}, "T%u uses a stream that was closed", run.current->id);
}

// Atomic: the stream's own lock keeps threads apart there.
void use_buffer(const FILE* stream, u32 site) {
  const u64 buffer = reinterpret_cast<u64>(stream->_IO_buf_base);
  if (run.active && in_zone(buffer)) load<u8>(buffer, Order::SeqCst, site);
}

bool is_own_stream(const FILE* stream) { return own(stream) != nullptr; }

void reset_streams() {
  if (!made) make_streams();
  made = true;
  for (Stream& one : streams) {
    if (!one.used) continue;
    one.image.restore();
    one.image.stream->_fileno = -1;
    one.used = false;
  }
  for (Image& one : standard)
    if (one.stream) one.restore();
}

}  // namespace plait::runtime
