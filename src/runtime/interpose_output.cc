// stdout and stderr. While exploring, `stdout` is a stream that writes into a buffer: no system calls. With --outcomes
// the order of writes is part of the result, so each call that writes to stdout is a scheduling point. libstdc++ writes
// through these functions too.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/failure.h"
#include "runtime/files.h"
#include "runtime/format.h"
#include "runtime/output.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"
#include "runtime/streams.h"

namespace plait::runtime {
namespace {

char captured[kOutputLimit];
u32 captured_size = 0;
constexpr u64 kWrite = u64{0x80} << 56;  // what was done to a descriptor
constexpr char kCut[] = "\n[output cut]\n";

void append(const char* text, size_t size) {
  const size_t room = kOutputLimit - sizeof kCut - captured_size;
  if (captured_size > kOutputLimit - sizeof kCut) return;
  if (size > room) {
    memcpy(captured + captured_size, text, room);
    memcpy(captured + captured_size + room, kCut, sizeof kCut - 1);
    captured_size = kOutputLimit;
    return;
  }
  memcpy(captured + captured_size, text, size);
  captured_size += static_cast<u32>(size);
}

ssize_t capture(void*, const char* text, size_t size) {
  append(text, size);
  return static_cast<ssize_t>(size);
}
ssize_t discard(void*, const char*, size_t size) { return static_cast<ssize_t>(size); }

/// A write to a stream, from its turn to its end. With --outcomes the event tells which part of the output it wrote.
class Writing {
 public:
  Writing(FILE* stream, u32 site, const void* data, size_t size) {
    if (!run.active || stream == stderr) return;
    use_buffer(stream, site);
    if (stream != stdout) {
      write_through(descriptor_of(stream), kWrite ^ size, data, size);
      require_open(stream, site);
      return;
    }
    begin_operation();
    if (!process.session->options.outputs_visible || run.init_phase) return;
    event_ = &await_turn({.op = Op::Output, .site = site, .location = 1});
    PLAIT_REAL(fflush)(stdout);  // what was written before belongs to others
    begin_ = captured_size;
  }
  ~Writing() {
    if (!event_) return;
    PLAIT_REAL(fflush)(stdout);
    event_->operand = begin_;
    event_->extra = captured_size - begin_;
  }

 private:
  Event* event_ = nullptr;
  u32 begin_ = 0;
};

}  // namespace

void redirect_output() {
  process.real_stdout = stdout;
  process.real_stderr = stderr;
  if (process.session->options.passthrough) return;
  stdout = fopencookie(nullptr, "w", {.read = nullptr, .write = capture, .seek = nullptr, .close = nullptr});
  stderr = fopencookie(nullptr, "w", {.read = nullptr, .write = discard, .seek = nullptr, .close = nullptr});
  if (!stdout || !stderr) die("cannot redirect the program's output");
  setvbuf(stderr, nullptr, _IONBF, 0);
}

void finish_output() {
  if (process.retire && !process.session->options.passthrough) return;  // the stream's lock may be taken
  PLAIT_REAL(fflush)(stdout);
}

u32 take_output(char* to, u32 capacity) {
  const u32 size = captured_size < capacity ? captured_size : capacity;
  memcpy(to, captured, size);
  captured_size = 0;
  return size;
}

}  // namespace plait::runtime

using namespace plait::runtime;

namespace plait::runtime {
namespace {

int print_out(const Call& call, FILE* stream, const char* format, va_list arguments) {
  const Writing writing(stream, call.site, nullptr, 0);
  return PLAIT_REAL(vfprintf)(stream, format, arguments);
}

int print_file(const Call& call, FILE* stream, const char* format, va_list arguments) {
  char text[Room::kSize];
  const int length = PLAIT_REAL(vsnprintf)(text, sizeof text, format, arguments);
  if (length < 0) return length;
  if (static_cast<size_t>(length) >= sizeof text) unsupported("fprintf of more than 64 KiB");
  const Writing writing(stream, call.site, text, static_cast<size_t>(length));
  return static_cast<int>(PLAIT_REAL(fwrite)(text, 1, static_cast<size_t>(length), stream));
}

/// What is printed is read from the program's memory first: accesses, at which others may step in.
int print(FILE* stream, const char* format, va_list arguments) {
  const Call call;
  Formatting formatting(call, format, arguments);
  const int result = stream == stdout || stream == stderr ? print_out(call, stream, formatting.format(), arguments)
                                                          : print_file(call, stream, formatting.format(), arguments);
  formatting.finish();
  return result;
}

/// A private copy of what is written. Too much for the room is read where it lies.
class Data {
 public:
  Data(const Call& call, const void* data, size_t size) : data_(static_cast<const char*>(data)) {
    if (!run.active || size == 0) return;
    if (size <= Room::kSize) {
      char* copy = room_.reserve(size);
      load_range(copy, at(data), size, call.site);
      data_ = copy;
      return;
    }
    for (size_t done = 0; done < size; done += Room::kSize)
      load_range(room_.whole(), at(data) + done, size - done < Room::kSize ? size - done : Room::kSize, call.site);
  }
  const char* get() const { return data_; }

 private:
  const char* data_;
  Room room_;
};

int put_text(const Call& call, const char* text, FILE* stream, bool line) {
  const size_t size = run.active ? call.length(text) : strlen(text);
  const Data data(call, text, size);
  const Writing writing(stream, call.site, data.get(), size);
  if (PLAIT_REAL(fwrite)(data.get(), 1, size, stream) != size) return EOF;
  return line && PLAIT_REAL(fputc)('\n', stream) < 0 ? EOF : 1;
}

ssize_t write_file(int fd, const char* data, size_t size) {
  write_through(fd, kWrite ^ size, data, size);
  return PLAIT_REAL(write)(fd, data, size);
}

int put_character(int character, FILE* stream) {
  const Writing writing(stream, take_call_site(), &character, sizeof character);
  return PLAIT_REAL(fputc)(character, stream);
}

}  // namespace
}  // namespace plait::runtime

extern "C" {

int printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print(stdout, format, arguments);
  va_end(arguments);
  return result;
}
int vprintf(const char* format, va_list arguments) { return print(stdout, format, arguments); }
int fprintf(FILE* stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print(stream, format, arguments);
  va_end(arguments);
  return result;
}
int vfprintf(FILE* stream, const char* format, va_list arguments) { return print(stream, format, arguments); }
int puts(const char* text) { return put_text(Call(), text, stdout, true); }
int fputs(const char* text, FILE* stream) { return put_text(Call(), text, stream, false); }
int putchar(int character) { return put_character(character, stdout); }
int fputc(int character, FILE* stream) { return put_character(character, stream); }
int putc(int character, FILE* stream) { return put_character(character, stream); }
size_t fwrite(const void* from, size_t size, size_t count, FILE* stream) {
  const Call call;
  const Data data(call, from, size * count);
  const Writing writing(stream, call.site, data.get(), size * count);
  return PLAIT_REAL(fwrite)(data.get(), size, count, stream);
}
int fflush(FILE* stream) {
  if (stream && stream != stdout && stream != stderr) {
    use_buffer(stream, call_site());
    if (writes(stream))
      write_through(descriptor_of(stream), kWrite, "", 0);
    else
      use_descriptor(descriptor_of(stream), kWrite);
    require_open(stream, call_site());
  }
  return PLAIT_REAL(fflush)(stream);
}
void perror(const char* text) {
  const int error = errno;
  if (text && *text)
    fprintf(stderr, "%s: %s\n", text, strerror(error));
  else
    fprintf(stderr, "%s\n", strerror(error));
}

ssize_t write(int fd, const void* from, size_t size) {
  const Call call;
  const Data data(call, from, size);
  if (!run.active || process.session->options.passthrough || (fd != STDOUT_FILENO && fd != STDERR_FILENO))
    return write_file(fd, data.get(), size);
  if (fd == STDERR_FILENO) return static_cast<ssize_t>(size);
  const Writing writing(stdout, call.site, nullptr, 0);
  append(data.get(), size);
  return static_cast<ssize_t>(size);
}
int vdprintf(int fd, const char* format, va_list arguments) {
  const Call call;
  Formatting formatting(call, format, arguments);
  char text[Room::kSize];
  const int length = PLAIT_REAL(vsnprintf)(text, sizeof text, formatting.format(), arguments);
  formatting.finish();
  if (length < 0) return length;
  if (static_cast<size_t>(length) >= sizeof text) unsupported("dprintf of more than 64 KiB");
  return static_cast<int>(write(fd, text, static_cast<size_t>(length)));
}
int dprintf(int fd, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = vdprintf(fd, format, arguments);
  va_end(arguments);
  return result;
}

int fileno(FILE* stream) noexcept {
  if (stream == stdout && stream != process.real_stdout) return STDOUT_FILENO;  // ours have none
  if (stream == stderr && stream != process.real_stderr) return STDERR_FILENO;
  return PLAIT_REAL(fileno)(stream);
}
int fileno_unlocked(FILE* stream) noexcept { return fileno(stream); }
}
