// Reading from streams and descriptors. Their position is state that threads can share and that lies in no memory of
// the program: a ghost word (ghost.h) stands for what has been done to each, and one for the contents of all files.
// libc reads into private memory; then it is stored.
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

#include "runtime/call.h"
#include "runtime/failure.h"
#include "runtime/files.h"
#include "runtime/outside.h"
#include "runtime/process.h"
#include "runtime/streams.h"

namespace plait::runtime {

namespace {

u32 word_of(int fd) {
  fd = first_descriptor(fd);
  return fd >= 0 && fd < kGhostDescriptors ? static_cast<u32>(fd) : kGhostDescriptors;
}

u64 uses[kGhostDescriptors + 1];  // whose results depend on what a descriptor stands for, so far

u64 change_word(int fd, u64 what) {
  ++uses[word_of(fd)];
  return after_change(change(Ghost::Descriptor, what, word_of(fd)), what);
}

}  // namespace

// The file comes last: that others write to it meanwhile is more common than that they use the same descriptor without
// a lock.
u64 use_descriptor(int fd, u64 what) {
  if (!run.active) return 0;
  const u64 left = change_word(fd, what);
  look_at(Ghost::Files, contents_of_descriptor(fd));
  expect_descriptor(fd, left);
  return left;
}

u64 write_through(int fd, u64 what, const void* data, u64 size) {
  if (!run.active) return 0;
  const u64 left = change_word(fd, what);
  change(Ghost::Files, hash_of(data, size), contents_of_descriptor(fd));
  expect_descriptor(fd, left);
  return left;
}

void read_in_place(int fd) {
  if (!run.active) return;
  ++uses[word_of(fd)];
  const u64 seen = look_at(Ghost::Descriptor, word_of(fd));
  look_at(Ghost::Files, contents_of_descriptor(fd));
  expect_descriptor(fd, seen);
}

void write_in_place(int fd, u64 what) {
  if (!run.active) return;
  ++uses[word_of(fd)];
  const u64 seen = look_at(Ghost::Descriptor, word_of(fd));
  change(Ghost::Files, what, contents_of_descriptor(fd));
  expect_descriptor(fd, seen);
}

void expect_descriptor(int fd, u64 left) { expect(Ghost::Descriptor, left, word_of(fd)); }

// Who uses a number after it stands for something else and before the word says so, or the other way round, gets what
// no trace explains. Others may open and close what they like meanwhile.
void note_new_descriptor(int fd) {
  if (!run.active) return;
  const u32 word = word_of(fd);
  const u64 before = uses[word];
  change(Ghost::Descriptor, 1, word);
  if (uses[word] != before) run.unpredictable = true;
}

Closing begin_closing(int fd) {
  const u32 word = word_of(fd);
  change(Ghost::Descriptor, 2, word);
  return {word, uses[word]};
}

void end_closing(int fd, const Closing& begun) {
  if (!run.active) return;
  if (uses[begun.word] != begun.uses) run.unpredictable = true;
  if (word_of(fd) != begun.word) note_new_descriptor(fd);  // the number has become that of a copy meanwhile
}

namespace {

enum Action : u64 { kGet = 1, kText, kBytes, kSeek, kTell, kUnget, kState, kClear, kRead, kDescriptorSeek };

void note_file(int fd) {
  if (!is_free_input(first_descriptor(fd))) note_input(input_kind::kFiles);
}

void act(FILE* stream, Action action, u64 argument = 0) {
  use_buffer(stream, call_site());
  if (run.active) note_file(descriptor_of(stream));
  use_descriptor(descriptor_of(stream), action << 56 ^ argument);
  if (run.active && is_free_input(descriptor_of(stream)) && action == kSeek) settle_free_input();
  require_open(stream, call_site());
}

/// Standard input is an input, and this is it.
bool is_free(FILE* stream) { return run.active && is_free_input(descriptor_of(stream)); }

/// A character or EOF, with its label.
int get_character(FILE* stream, const void* function) {
  act(stream, kGet);
  if (!is_free(stream)) return PLAIT_REAL(fgetc)(stream);
  const u32 site = take_call_site();
  const u64 position = input_position();
  const int c = PLAIT_REAL(fgetc)(stream);
  if (c == EOF) return c;
  const u8 byte = static_cast<u8>(c);
  hand_label(function, make_cast(LabelOp::ZExt, 8, 32, byte, input_label(position, byte)), site);
  return c;
}

/// A line of free input, whose characters may be zeros.
char* get_line(char* to, const char* line, u64 from, u32 site) {
  const u64 length = input_position() - from;
  follow_line(at(to), line, length, from, '\n', site);
  store<u8>(at(to) + length, 0, Order::Plain, site);
  return to;
}

/// `get`(to, size) reads at most `size` bytes into private memory and tells how many; less than asked for is the end.
template <class Get>
size_t read_into(const Call& call, int fd, char* to, size_t size, Get get) {
  const bool free = is_free_input(first_descriptor(fd));
  Room room;
  size_t done = 0;
  while (done < size) {
    const size_t part = size - done < Room::kSize ? size - done : Room::kSize;
    const u64 position = free ? input_position() : 0;
    const ssize_t found = get(room.whole(), part);
    if (found <= 0) return done ? done : static_cast<size_t>(found);
    if (free)
      store_free_input(at(to) + done, room.whole(), static_cast<u64>(found), position, call.site);
    else
      store_range(at(to) + done, room.whole(), static_cast<size_t>(found), call.site);
    done += static_cast<size_t>(found);
    if (static_cast<size_t>(found) < part) break;
  }
  return done;
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

char* fgets(char* to, int size, FILE* stream) {
  act(stream, kText, static_cast<u64>(size));
  const Call call;
  if (size <= 0) return nullptr;
  Room room;
  if (static_cast<size_t>(size) > Room::kSize) unsupported("fgets of more than 64 KiB");
  char* line = room.whole();
  line[size - 1] = 1;
  const u64 from = is_free(stream) ? input_position() : 0;
  if (!PLAIT_REAL(fgets)(line, size, stream)) return nullptr;
  if (is_free(stream)) return get_line(to, line, from, call.site);
  // A line may hold zeros: its end is the one that libc has written.
  size_t length = __builtin_strlen(line);
  if (run.active)
    store_range(at(to), line, length + 1, call.site);
  else
    __builtin_memcpy(to, line, length + 1);
  return to;
}
size_t fread(void* to, size_t size, size_t count, FILE* stream) {
  size_t bytes;
  if (size == 0 || __builtin_mul_overflow(size, count, &bytes)) return 0;
  if (!run.active) return PLAIT_REAL(fread)(to, size, count, stream);
  act(stream, kBytes, bytes);
  const Call call;
  return read_into(
             call, descriptor_of(stream), static_cast<char*>(to), bytes,
             [=](char* part, size_t most) { return static_cast<ssize_t>(PLAIT_REAL(fread)(part, 1, most, stream)); }) /
         size;
}
int fgetc(FILE* stream) { return get_character(stream, reinterpret_cast<const void*>(&fgetc)); }
int getc(FILE* stream) { return get_character(stream, reinterpret_cast<const void*>(&getc)); }
int getchar() { return get_character(stdin, reinterpret_cast<const void*>(&getchar)); }
int ungetc(int character, FILE* stream) {
  act(stream, kUnget, static_cast<u64>(character));
  // What is put back has its value, so what was there gets it, too.
  if (const u64 position = is_free(stream) ? input_position() : 0) fix_free_input(position - 1, take_call_site());
  return PLAIT_REAL(ungetc)(character, stream);
}
int fseek(FILE* stream, long offset, int whence) {
  act(stream, kSeek, static_cast<u64>(offset) * 4 + static_cast<u64>(whence));
  return PLAIT_REAL(fseek)(stream, offset, whence);
}
void rewind(FILE* stream) {
  act(stream, kSeek);
  PLAIT_REAL(rewind)(stream);
}
// These only look, and a look is recorded as one more thing that was done: exact, if more than is needed.
long ftell(FILE* stream) {
  act(stream, kTell);
  return PLAIT_REAL(ftell)(stream);
}
int feof(FILE* stream) noexcept {
  act(stream, kState);
  return PLAIT_REAL(feof)(stream);
}
int ferror(FILE* stream) noexcept {
  act(stream, kState);
  return PLAIT_REAL(ferror)(stream);
}
void clearerr(FILE* stream) noexcept {
  act(stream, kClear);
  PLAIT_REAL(clearerr)(stream);
}
ssize_t read(int fd, void* to, size_t size) {
  if (!run.active) return PLAIT_REAL(read)(fd, to, size);
  note_file(fd);
  use_descriptor(fd, kRead << 56 ^ size);
  const Call call;
  return static_cast<ssize_t>(read_into(call, fd, static_cast<char*>(to), size,
                                        [=](char* part, size_t most) { return PLAIT_REAL(read)(fd, part, most); }));
}
off_t lseek(int fd, off_t offset, int whence) noexcept {
  if (run.active && is_free_input(first_descriptor(fd))) settle_free_input();
  use_descriptor(fd, kDescriptorSeek << 56 ^ (static_cast<u64>(offset) * 4 + static_cast<u64>(whence)));
  return PLAIT_REAL(lseek)(fd, offset, whence);
}
}
