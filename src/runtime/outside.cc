#include "runtime/outside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/access.h"
#include "runtime/process.h"
#include "trace/outside.h"

extern "C" {
extern const void* __plait_label_target;
extern const void* __plait_label_returned;
extern plait::u64 __plait_label_result;
}

namespace plait::runtime {
namespace {

struct FreeText {
  char name[40];
  char* text;
  u32 size;
};
FreeText texts[kMostFreeTexts];
u32 text_count = 0;
u32 free_arguments = 0;

u32 input_size = 0;
char input_bytes[kMostFreeBytes];
u64 input_labels[kMostFreeBytes];
bool input_handed[kMostFreeBytes];  // with their labels, or with their values needed

void add_text(const char* name, char* text) {
  FreeText& made = texts[text_count++];
  snprintf(made.name, sizeof made.name, "%s", name);
  made.text = text;
  made.size = static_cast<u32>(strlen(text));
}

/// A file of its own for each process: its bytes are those of the round.
void make_input() {
  const int file = PLAIT_REAL(memfd_create)("plait-input", MFD_CLOEXEC);
  if (file < 0 || PLAIT_REAL(ftruncate)(file, input_size) != 0 || PLAIT_REAL(dup2)(file, 0) != 0)
    die("cannot make the program's standard input");
  PLAIT_REAL(close)(file);
}

InputByte take_part(const char* name, u32 index) {
  char part[44];
  snprintf(part, sizeof part, "%.36s[%u]", name, index);
  return take_input_byte(part);
}

void decide_byte(u64 position, u32 site) {
  input_handed[position] = true;
  decide(input_labels[position], decided::kFixed, site);
}

}  // namespace

void find_outside_inputs(char** environment) {
  const char* all = getenv(kOutsideVariable);
  if (!all) return;
  for (const char* one = all; *one; one += strcspn(one, ";"), one += *one == ';')
    if (*one == 'a' && text_count + free_arguments < kMostFreeTexts) ++free_arguments;
  for (u32 i = 0; i < free_arguments; ++i) {
    const int index = process.argc - static_cast<int>(free_arguments - i);
    char name[16];
    snprintf(name, sizeof name, "argv[%d]", index);
    add_text(name, process.argv[index]);
  }
  for (const char* one = all; *one; one += strcspn(one, ";"), one += *one == ';') {
    if (*one == 's') input_size = static_cast<u32>(atoi(one + 1));
    if (*one != 'e') continue;
    const size_t length = strcspn(one + 1, ";");
    for (char** entry = environment; *entry && text_count < kMostFreeTexts; ++entry)
      if (strncmp(*entry, one + 1, length) == 0 && (*entry)[length] == '=') {
        char name[40];
        snprintf(name, sizeof name, "env.%.*s", static_cast<int>(length), one + 1);
        add_text(name, *entry + length + 1);
      }
  }
  if (input_size > kMostFreeBytes) die("too much of standard input is free");
  if (input_size) make_input();
}

void take_outside_inputs() {
  for (u32 t = 0; t < text_count; ++t)
    for (u32 i = 0; i < texts[t].size; ++i) {
      const InputByte byte = take_part(texts[t].name, i);
      store<u8>(reinterpret_cast<u64>(texts[t].text + i), byte.value, Order::Plain, kNoSite, byte.label);
    }
  if (!input_size) return;
  for (u32 i = 0; i < input_size; ++i) {
    const InputByte byte = take_part("stdin", i);
    input_bytes[i] = static_cast<char>(byte.value);
    input_labels[i] = byte.label;
    input_handed[i] = false;
  }
  if (PLAIT_REAL(pwrite)(0, input_bytes, input_size, 0) != static_cast<ssize_t>(input_size))
    die("cannot write the program's standard input");
}

bool are_arguments_free() { return free_arguments && static_cast<int>(free_arguments) == process.argc - 1; }

bool is_free_variable(const char* name) {
  for (u32 t = 0; t < text_count; ++t)
    if (strncmp(texts[t].name, "env.", 4) == 0 && strcmp(texts[t].name + 4, name) == 0) return true;
  return false;
}

bool is_free_input(int fd) { return input_size && fd == 0; }

u64 input_position() {
  const off_t position = PLAIT_REAL(lseek)(0, 0, SEEK_CUR);
  const off_t waiting = stdin->_IO_read_end - stdin->_IO_read_ptr;
  return static_cast<u64>(position > waiting ? position - waiting : 0);
}

u64 input_label(u64 position, u8 value) {
  if (position >= input_size) return 0;
  input_handed[position] = true;
  return static_cast<u8>(input_bytes[position]) == value ? input_labels[position] : 0;
}

void store_free_input(u64 to, const char* from, u64 size, u64 position, u32 site) {
  for (u64 i = 0; i < size; ++i) {
    const u8 byte = static_cast<u8>(from[i]);
    store<u8>(to + i, byte, Order::Plain, site, input_label(position + i, byte));
  }
}

void follow_line(u64 to, const char* from, u64 size, u64 position, u8 end, u32 site) {
  for (u64 i = 0; i < size; ++i) {
    const u8 byte = static_cast<u8>(from[i]);
    decide(make_binary(LabelOp::Eq, 8, byte, input_label(position + i, byte), end, 0), decided::kBranch, site);
  }
  store_free_input(to, from, size, position, site);
}

void fix_free_input(u64 position, u32 site) {
  if (position < input_size) decide_byte(position, site);
}

void settle_free_input() {
  if (!input_size || !follows_inputs()) return;
  // Such a function may have looked at one more; and one that has put something back stands in another buffer.
  const u64 read = static_cast<u64>(PLAIT_REAL(lseek)(0, 0, SEEK_CUR));
  const bool put_back = stdin->_IO_backup_base || stdin->_IO_save_base;
  const u64 end = put_back ? read : input_position() + 1;
  for (u64 i = 0; i < end && i < input_size && read; ++i)
    if (!input_handed[i]) decide_byte(i, 0);
}

void hand_label(const void* function, u64 label, u32 site) {
  if (!follows_inputs()) return;
  const bool followed = __plait_label_target == function;
  __plait_label_target = nullptr;
  decide(__plait_label_result, decided::kFixed, 0);  // nobody has asked for it
  __plait_label_returned = function;
  __plait_label_result = followed ? label : 0;
  if (!followed) decide(label, decided::kFixed, site);
}

}  // namespace plait::runtime
