// Other ways to read, write and move in files: they are told as the plain ones are (interpose_input.cc,
// interpose_output.cc).
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/call.h"
#include "runtime/failure.h"
#include "runtime/files.h"
#include "runtime/outside.h"
#include "runtime/process.h"
#include "runtime/streams.h"

extern "C" void* __plait_realloc(void* block, size_t size);

namespace plait::runtime {
namespace {

enum Action : u64 { kPosition = 0x40, kLine };

void act(FILE* stream, u64 what) {
  use_buffer(stream, call_site());
  use_descriptor(descriptor_of(stream), what);
  require_open(stream, call_site());
}

ssize_t read_at(int fd, char* to, size_t size, off_t offset) {
  if (!run.active) return PLAIT_REAL(pread)(fd, to, size, offset);
  if (size > Room::kSize) unsupported("pread of more than 64 KiB");
  const Call call;
  Room room;
  read_in_place(fd);
  const ssize_t found = PLAIT_REAL(pread)(fd, room.whole(), size, offset);
  if (is_free_input(first_descriptor(fd)))
    for (ssize_t i = 0; i < found; ++i) fix_free_input(static_cast<u64>(offset + i), call.site);
  if (found > 0) store_range(at(to), room.whole(), static_cast<size_t>(found), call.site);
  return found;
}

ssize_t write_at(int fd, const char* from, size_t size, off_t offset) {
  if (!run.active) return PLAIT_REAL(pwrite)(fd, from, size, offset);
  if (size > Room::kSize) unsupported("pwrite of more than 64 KiB");
  const Call call;
  Room room;
  load_range(room.whole(), at(from), size, call.site);
  write_in_place(fd, hash_of(room.whole(), size) ^ static_cast<u64>(offset) << 20);
  return PLAIT_REAL(pwrite)(fd, room.whole(), size, offset);
}

/// The next line of a stream, with its end, into private memory; its length, or -1.
ssize_t take_line(FILE* stream, int end, char* to, size_t most) {
  size_t length = 0;
  for (int c = 0; c != end && length < most;) {
    if ((c = PLAIT_REAL(fgetc)(stream)) == EOF) break;
    to[length++] = static_cast<char>(c);
  }
  if (length == most) unsupported("getline of more than 64 KiB");
  return length ? static_cast<ssize_t>(length) : -1;
}

/// libc scans and stores by itself: while main is alone that is the same in every run.
int scan(FILE* stream, const char* format, va_list arguments) {
  if (run.active && run.forked) unsupported("scanf of a stream while threads run");
  const int found = PLAIT_REAL(vfscanf)(stream, format, arguments);
  if (run.active) settle_free_input();
  return found;
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

off64_t lseek64(int fd, off64_t offset, int whence) noexcept { return lseek(fd, offset, whence); }
ssize_t pread(int fd, void* to, size_t size, off_t offset) { return read_at(fd, static_cast<char*>(to), size, offset); }
ssize_t pread64(int fd, void* to, size_t size, off64_t offset) {
  return read_at(fd, static_cast<char*>(to), size, offset);
}
ssize_t pwrite(int fd, const void* from, size_t size, off_t offset) {
  return write_at(fd, static_cast<const char*>(from), size, offset);
}
ssize_t pwrite64(int fd, const void* from, size_t size, off64_t offset) {
  return write_at(fd, static_cast<const char*>(from), size, offset);
}

// In parts: nobody else has the descriptor between them, or the parts are seen.
ssize_t writev(int fd, const iovec* parts, int count) {
  if (!run.active) return PLAIT_REAL(writev)(fd, parts, count);
  ssize_t total = 0;
  for (int i = 0; i < count; ++i) {
    iovec part;
    load_range(reinterpret_cast<char*>(&part), at(parts + i), sizeof part, kNoSite);
    const ssize_t written = write(fd, part.iov_base, part.iov_len);
    if (written < 0) return total ? total : written;
    total += written;
  }
  return total;
}
ssize_t readv(int fd, const iovec* parts, int count) {
  if (!run.active) return PLAIT_REAL(readv)(fd, parts, count);
  ssize_t total = 0;
  for (int i = 0; i < count; ++i) {
    iovec part;
    load_range(reinterpret_cast<char*>(&part), at(parts + i), sizeof part, kNoSite);
    const ssize_t found = read(fd, part.iov_base, part.iov_len);
    if (found < 0) return total ? total : found;
    total += found;
    if (static_cast<size_t>(found) < part.iov_len) break;
  }
  return total;
}

int fseeko(FILE* stream, off_t offset, int whence) { return fseek(stream, offset, whence); }
int fseeko64(FILE* stream, off64_t offset, int whence) { return fseek(stream, offset, whence); }
off_t ftello(FILE* stream) { return ftell(stream); }
off64_t ftello64(FILE* stream) { return ftell(stream); }
int fgetpos(FILE* stream, fpos_t* to) {
  if (!run.active) return PLAIT_REAL(fgetpos)(stream, to);
  const Call call;
  act(stream, kPosition << 56);
  fpos_t position = {};
  const int result = PLAIT_REAL(fgetpos)(stream, &position);
  if (result == 0) store_range(at(to), reinterpret_cast<const char*>(&position), sizeof position, call.site);
  return result;
}
int fsetpos(FILE* stream, const fpos_t* from) {
  if (!run.active) return PLAIT_REAL(fsetpos)(stream, from);
  const Call call;
  fpos_t position;
  load_range(reinterpret_cast<char*>(&position), at(from), sizeof position, call.site);
  act(stream, kPosition << 56 ^ static_cast<u64>(position.__pos));
  return PLAIT_REAL(fsetpos)(stream, &position);
}

ssize_t getdelim(char** line, size_t* capacity, int end, FILE* stream) {
  if (!run.active) return PLAIT_REAL(getdelim)(line, capacity, end, stream);
  const Call call;
  Room room;
  act(stream, kLine << 56 ^ static_cast<u64>(end));
  const bool free = is_free_input(descriptor_of(stream));
  const u64 from = free ? input_position() : 0;
  const ssize_t length = take_line(stream, end, room.whole(), Room::kSize);
  if (length < 0) return length;
  const auto needed = static_cast<u64>(length) + 1;
  room.whole()[length] = 0;
  char* to = call.get_pointer(line);
  if (!to || load<u64>(at(capacity), Order::Plain, call.site) < needed) {
    const u64 size = needed < 120 ? 120 : needed;
    to = static_cast<char*>(__plait_realloc(to, size));
    if (!to) return -1;
    call.put_pointer(line, to);
    store<u64>(at(capacity), size, Order::Plain, call.site);
  }
  store_range(at(to), room.whole(), needed, call.site);
  if (free) follow_line(at(to), room.whole(), static_cast<u64>(length), from, static_cast<u8>(end), call.site);
  return length;
}
ssize_t __getdelim(char** line, size_t* capacity, int end, FILE* stream) {
  return getdelim(line, capacity, end, stream);
}
ssize_t getline(char** line, size_t* capacity, FILE* stream) { return getdelim(line, capacity, '\n', stream); }

#define PLAIT_SCAN(name)                                \
  int name(FILE* stream, const char* format, ...) {     \
    va_list arguments;                                  \
    va_start(arguments, format);                        \
    const int result = scan(stream, format, arguments); \
    va_end(arguments);                                  \
    return result;                                      \
  }
#define PLAIT_SCAN_INPUT(name)                         \
  int name(const char* format, ...) {                  \
    va_list arguments;                                 \
    va_start(arguments, format);                       \
    const int result = scan(stdin, format, arguments); \
    va_end(arguments);                                 \
    return result;                                     \
  }
PLAIT_SCAN(__isoc99_fscanf)
PLAIT_SCAN_INPUT(__isoc99_scanf)
int __isoc99_vfscanf(FILE* stream, const char* format, va_list arguments) { return scan(stream, format, arguments); }
int __isoc99_vscanf(const char* format, va_list arguments) { return scan(stdin, format, arguments); }

// One thread runs at a time, and the ghost words tell who did what: the locks of streams do not matter.
int getc_unlocked(FILE* stream) { return fgetc(stream); }
int fgetc_unlocked(FILE* stream) { return fgetc(stream); }
int getchar_unlocked() { return fgetc(stdin); }
int putc_unlocked(int character, FILE* stream) { return fputc(character, stream); }
int fputc_unlocked(int character, FILE* stream) { return fputc(character, stream); }
int putchar_unlocked(int character) { return fputc(character, stdout); }
int fputs_unlocked(const char* text, FILE* stream) { return fputs(text, stream); }
char* fgets_unlocked(char* to, int size, FILE* stream) { return fgets(to, size, stream); }
size_t fread_unlocked(void* to, size_t size, size_t count, FILE* stream) { return fread(to, size, count, stream); }
size_t fwrite_unlocked(const void* from, size_t size, size_t count, FILE* stream) {
  return fwrite(from, size, count, stream);
}
int fflush_unlocked(FILE* stream) { return fflush(stream); }
int feof_unlocked(FILE* stream) noexcept { return feof(stream); }
int ferror_unlocked(FILE* stream) noexcept { return ferror(stream); }
void clearerr_unlocked(FILE* stream) noexcept { clearerr(stream); }
}
