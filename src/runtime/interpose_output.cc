// stdout and stderr. While exploring, `stdout` is a stream that writes into a buffer: no system calls. With --outcomes the order of
// writes is part of the result, so each call that writes to stdout is a scheduling point. libstdc++ writes through these functions too.
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/output.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

namespace plait::runtime {
namespace {

char captured[kOutputLimit];
u32 captured_size = 0;
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
  explicit Writing(FILE* stream) {
    if (!run.active || stream != stdout) return;
    const u32 site = take_call_site();
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

extern "C" {

int printf(const char* format, ...) {
  const Writing writing(stdout);
  va_list arguments;
  va_start(arguments, format);
  const int result = PLAIT_REAL(vfprintf)(stdout, format, arguments);
  va_end(arguments);
  return result;
}
int vprintf(const char* format, va_list arguments) {
  const Writing writing(stdout);
  return PLAIT_REAL(vfprintf)(stdout, format, arguments);
}
int fprintf(FILE* stream, const char* format, ...) {
  const Writing writing(stream);
  va_list arguments;
  va_start(arguments, format);
  const int result = PLAIT_REAL(vfprintf)(stream, format, arguments);
  va_end(arguments);
  return result;
}
int vfprintf(FILE* stream, const char* format, va_list arguments) {
  const Writing writing(stream);
  return PLAIT_REAL(vfprintf)(stream, format, arguments);
}
int puts(const char* text) {
  const Writing writing(stdout);
  auto* put = PLAIT_REAL(fputs);
  return put(text, stdout) < 0 ? EOF : PLAIT_REAL(fputc)('\n', stdout) < 0 ? EOF : 1;
}
int fputs(const char* text, FILE* stream) {
  const Writing writing(stream);
  return PLAIT_REAL(fputs)(text, stream);
}
int putchar(int character) {
  const Writing writing(stdout);
  return PLAIT_REAL(fputc)(character, stdout);
}
int fputc(int character, FILE* stream) {
  const Writing writing(stream);
  return PLAIT_REAL(fputc)(character, stream);
}
int putc(int character, FILE* stream) {
  const Writing writing(stream);
  return PLAIT_REAL(fputc)(character, stream);
}
size_t fwrite(const void* data, size_t size, size_t count, FILE* stream) {
  const Writing writing(stream);
  return PLAIT_REAL(fwrite)(data, size, count, stream);
}
int fflush(FILE* stream) { return PLAIT_REAL(fflush)(stream); }

ssize_t write(int fd, const void* data, size_t size) {
  if (!run.active || process.session->options.passthrough || (fd != STDOUT_FILENO && fd != STDERR_FILENO))
    return PLAIT_REAL(write)(fd, data, size);
  if (fd == STDERR_FILENO) return static_cast<ssize_t>(size);
  const Writing writing(stdout);
  append(static_cast<const char*>(data), size);
  return static_cast<ssize_t>(size);
}
}
