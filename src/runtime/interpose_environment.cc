// The environment. libc would keep its changes in memory of its own, for all runs and all threads; here they belong to
// the run.
//
// The truth is `variables`, which changes together with its ghost word: what getenv finds is a function of that word.
// Programs can also look at `environ` themselves: a change is stored there, too, as an access to memory that others may
// see (and race with).
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/value.h"
#include "runtime/access.h"
#include "runtime/failure.h"
#include "runtime/ghost.h"
#include "runtime/heap.h"
#include "runtime/outside.h"
#include "runtime/process.h"
#include "runtime/system_state.h"

extern "C" char** environ;

namespace plait::runtime {
namespace {

constexpr u32 kMostVariables = 4096;
char* variables[kMostVariables];
u32 variable_count = 0;
char* published[kMostVariables + 1];  // what `environ` points to once the program has changed something
bool was_own = false;
bool own = false;  // the run has its own environment
char** first_environment = nullptr;
bool first_known = false;

/// "NAME=value" is about NAME.
bool is_about(const char* entry, const char* name, size_t length) {
  return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

u32 find(const char* name, size_t length) {
  u32 i = 0;
  while (i < variable_count && !is_about(variables[i], name, length)) ++i;
  return i;
}

[[noreturn]] void too_many() {
  fail({.kind = FailureKind::OutOfResources}, "more than %u environment variables", kMostVariables);
}

/// The run's own copy of what `environ` says. Before the first fork the program may also have assigned to `environ`.
void take_over() {
  if (own && environ == published) return;
  if (own && run.forked) unsupported("assigning to environ while threads run");
  variable_count = 0;
  for (char** entry = environ; entry && *entry; ++entry) {
    if (variable_count == kMostVariables) too_many();
    variables[variable_count++] = *entry;
  }
  memcpy(published, variables, variable_count * sizeof variables[0]);
  published[variable_count] = nullptr;
  own = true;
  environ = published;
}

/// One entry as those see it who look at `environ` themselves.
void publish(u32 index, char* entry, u32 site) {
  store<u64>(reinterpret_cast<u64>(published + index), reinterpret_cast<u64>(entry), Order::Relaxed, site);
}

void set_variable(const char* name, size_t length, char* entry, bool overwrite, u32 site) {
  const u32 index = find(name, length);
  if (index < variable_count) {
    if (!overwrite) return;
    variables[index] = entry;
    publish(index, entry, site);
    return;
  }
  if (variable_count == kMostVariables) too_many();
  variables[variable_count++] = entry;
  publish(index + 1, nullptr, site);
  publish(index, entry, site);
}

void remove_variable(const char* name, size_t length, u32 site) {
  const u32 index = find(name, length);
  if (index == variable_count) return;
  char* const last = variables[--variable_count];
  const u32 end = variable_count;
  variables[index] = last;
  if (index != end) publish(index, last, site);
  publish(end, nullptr, site);
}

int refuse_name() {
  errno = EINVAL;
  return -1;
}

/// `size` bytes of the program's heap that count as initialised.
char* room(u64 size, u32 site) {
  begin_operation();
  auto* memory = static_cast<char*>(allocate(size, 1, site, true));
  if (!memory) errno = ENOMEM;
  return memory;
}

}  // namespace

bool environment_changed() { return was_own; }

void reset_environment() {
  was_own = own;
  if (!first_known) first_environment = environ;
  first_known = true;
  environ = first_environment;  // its entries and their texts are part of the snapshot
  own = false;
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

char* getenv(const char* name) noexcept {
  if (!run.active) return PLAIT_REAL(getenv)(name);
  char copy[256];
  const u32 site = call_site();
  const u64 length = read_text(name, copy, sizeof copy, site);
  if (!is_free_variable(copy)) note_input(input_kind::kEnvironment);
  look_at(Ghost::Environment);
  if (length >= sizeof copy) unsupported("getenv of such a long name");
  if (run.init_phase && own) take_over();
  if (!own) return PLAIT_REAL(getenv)(copy);
  const u32 index = find(copy, length);
  return index < variable_count ? variables[index] + length + 1 : nullptr;
}
char* secure_getenv(const char* name) noexcept { return getenv(name); }

int setenv(const char* name, const char* value, int overwrite) noexcept {
  if (!run.active) return PLAIT_REAL(setenv)(name, value, overwrite);
  const u32 site = call_site();
  if (!name) return refuse_name();
  const u64 length = text_length(name, site), value_length = text_length(value, site);
  char* entry = room(length + value_length + 2, site);
  if (!entry) return -1;
  load_range(entry, reinterpret_cast<u64>(name), length, site);
  entry[length] = '=';
  load_range(entry + length + 1, reinterpret_cast<u64>(value), value_length, site);
  if (length == 0 || memchr(entry, '=', length)) return refuse_name();
  change(Ghost::Environment, hash_of(entry) * 2 + (overwrite != 0));
  take_over();
  set_variable(entry, length, entry, overwrite, site);
  return 0;
}

int unsetenv(const char* name) noexcept {
  if (!run.active) return PLAIT_REAL(unsetenv)(name);
  char copy[256];
  const u32 site = call_site();
  const u64 length = read_text(name, copy, sizeof copy, site);
  if (length >= sizeof copy) unsupported("unsetenv of such a long name");
  if (length == 0 || memchr(copy, '=', length)) return refuse_name();
  change(Ghost::Environment, ~hash_of(copy));
  take_over();
  remove_variable(copy, length, site);
  return 0;
}

// The text stays the program's: who changes it later changes the environment.
int putenv(char* text) noexcept {
  if (!run.active) return PLAIT_REAL(putenv)(text);
  const u32 site = call_site();
  const u64 size = text_length(text, site);
  const char* equals = static_cast<const char*>(memchr(text, '=', size));
  if (!equals) return unsetenv(text);
  change(Ghost::Environment, machine::mix(hash_of(text), reinterpret_cast<u64>(text)));
  take_over();
  set_variable(text, static_cast<size_t>(equals - text), text, true, site);
  return 0;
}

int clearenv() noexcept {
  if (!run.active) return PLAIT_REAL(clearenv)();
  const u32 site = call_site();
  replace(Ghost::Environment, 1);
  take_over();
  variable_count = 0;
  publish(0, nullptr, site);
  return 0;
}
}
