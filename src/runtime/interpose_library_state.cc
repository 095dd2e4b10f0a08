// State that libraries keep for the whole process: the locale, the parsing of options, the time zone, handlers of the
// C++ runtime. Restored for each run. Changes while several threads run are refused where others would see them without
// an access.
#include <getopt.h>
#include <locale.h>
#include <string.h>
#include <time.h>

#include "runtime/failure.h"
#include "runtime/ghost.h"
#include "runtime/process.h"
#include "runtime/result.h"
#include "runtime/scheduler.h"
#include "runtime/system_state.h"

// In the C++ half of the runtime (cxx_terminate.cc), which is linked only into C++ programs.
extern "C" {
void (*__plait_new_handler())() __attribute__((weak));
void __plait_restore_cxx_state(void (*new_handler)(), int locale_changed) __attribute__((weak));
}

namespace plait::runtime {
namespace {

char first_locale[256];
void (*first_new_handler)() = nullptr;
bool known = false, locale_changed = false, options_changed = false, times_used = false;
ThreadSet own_locale = 0;  // threads with a locale of their own

// What localtime and its relatives return: one place for the whole process, as the standard has it.
struct {
  tm broken_down;
  char text[64];
} times;

void note_first() {
  known = true;
  if (__plait_new_handler) first_new_handler = __plait_new_handler();
  strncpy(first_locale, PLAIT_REAL(setlocale)(LC_ALL, nullptr), sizeof first_locale - 1);
  tzset();  // so that no run is the first one to do it
}

/// The stream of arguments starts afresh: glibc's own way of saying so, and then what a new process has.
void reset_options() {
  char name[] = "";
  char* arguments[] = {name, nullptr};
  optind = 0;
  PLAIT_REAL(getopt)(1, arguments, "");
  optind = opterr = 1;
  optopt = '?';
  optarg = nullptr;
}

void parse_option() {
  if (!run.active) return;
  if (run.forked) unsupported("getopt while threads run");
  options_changed = true;
}

tm* keep(const tm& value) {
  times_used = true;
  give(&times.broken_down, value);
  return &times.broken_down;
}

char* keep(const char* text) {
  times_used = true;
  store_range(reinterpret_cast<u64>(times.text), text, strlen(text) + 1, call_site());
  return times.text;
}

}  // namespace

void reset_library_state() {
  if (!known) note_first();
  if (__plait_restore_cxx_state) __plait_restore_cxx_state(first_new_handler, locale_changed);
  if (locale_changed) PLAIT_REAL(setlocale)(LC_ALL, first_locale);
  const u64 here = read_fs_base();
  for (; own_locale; own_locale &= own_locale - 1) {
    write_fs_base(fibers[lowest(own_locale)].fs_base);
    PLAIT_REAL(uselocale)(LC_GLOBAL_LOCALE);
    write_fs_base(here);
  }
  if (options_changed) reset_options();
  if (environment_changed()) tzset();
  if (times_used) times = {};
  locale_changed = options_changed = times_used = false;
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

char* setlocale(int category, const char* wanted) noexcept {
  if (!run.active || !wanted) return PLAIT_REAL(setlocale)(category, wanted);
  if (run.forked) unsupported("setlocale while threads run");
  locale_changed = true;
  return PLAIT_REAL(setlocale)(category, wanted);
}
locale_t uselocale(locale_t wanted) noexcept {
  if (run.active && wanted) own_locale |= bit(run.current->id);
  return PLAIT_REAL(uselocale)(wanted);
}

int getopt(int count, char* const* arguments, const char* options) noexcept {
  parse_option();
  return PLAIT_REAL(getopt)(count, arguments, options);
}
int getopt_long(int count, char* const* arguments, const char* options, const option* names, int* index) noexcept {
  parse_option();
  return PLAIT_REAL(getopt_long)(count, arguments, options, names, index);
}
int getopt_long_only(int count, char* const* arguments, const char* options, const option* names, int* index) noexcept {
  parse_option();
  return PLAIT_REAL(getopt_long_only)(count, arguments, options, names, index);
}

tm* gmtime(const time_t* time) noexcept {
  if (!run.active) return PLAIT_REAL(gmtime)(time);
  const time_t when = take(time);
  tm result;
  return PLAIT_REAL(gmtime_r)(&when, &result) ? keep(result) : nullptr;
}
tm* localtime(const time_t* time) noexcept {
  if (!run.active) return PLAIT_REAL(localtime)(time);
  const time_t when = take(time);
  look_at(Ghost::Environment);
  tzset();
  tm result;
  return PLAIT_REAL(localtime_r)(&when, &result) ? keep(result) : nullptr;
}
char* asctime(const tm* time) noexcept {
  if (!run.active) return PLAIT_REAL(asctime)(time);
  const tm copy = take(time);
  char text[64];
  return PLAIT_REAL(asctime_r)(&copy, text) ? keep(text) : nullptr;
}
char* ctime(const time_t* time) noexcept {
  if (!run.active) return PLAIT_REAL(ctime)(time);
  return asctime(localtime(time));
}
}
