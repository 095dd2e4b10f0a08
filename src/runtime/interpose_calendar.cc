// Calendar times that the program keeps itself: what is read and written through its pointers are accesses.
#include <string.h>
#include <time.h>

#include "runtime/call.h"
#include "runtime/failure.h"
#include "runtime/ghost.h"
#include "runtime/interpose.h"
#include "runtime/process.h"
#include "runtime/result.h"

namespace plait::runtime {
namespace {

constexpr size_t kTextSize = 26;  // "Sun Sep 16 01:03:52 1973\n", by the standard

/// Also the bytes between its members: what is there by chance must not get into the program.
tm blank() {
  tm result;
  memset(&result, 0, sizeof result);
  return result;
}

/// The time zone is the environment's.
void look_at_zone() {
  look_at(Ghost::Environment);
  tzset();
}

using Convert = tm* (*)(const time_t*, tm*);

tm* convert(Convert real, const time_t* time, tm* to) {
  const time_t when = take(time);
  tm result = blank();
  if (!real(&when, &result)) return nullptr;
  give(to, result);
  return to;
}

time_t normalise(time_t (*real)(tm*), tm* time) {
  tm value = take(time);
  const time_t result = real(&value);
  give(time, value);
  return result;
}

char* give_text(char* to, const char* text, size_t size) {
  store_range(at(to), text, size, peek_call_site());
  return to;
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

tm* gmtime_r(const time_t* __restrict time, tm* __restrict to) noexcept {
  if (!run.active) return PLAIT_REAL(gmtime_r)(time, to);
  return convert(PLAIT_REAL(gmtime_r), time, to);
}
tm* localtime_r(const time_t* __restrict time, tm* __restrict to) noexcept {
  if (!run.active) return PLAIT_REAL(localtime_r)(time, to);
  look_at_zone();
  return convert(PLAIT_REAL(localtime_r), time, to);
}
time_t mktime(tm* time) noexcept {
  if (!run.active) return PLAIT_REAL(mktime)(time);
  look_at_zone();
  return normalise(PLAIT_REAL(mktime), time);
}
time_t timegm(tm* time) noexcept {
  if (!run.active) return PLAIT_REAL(timegm)(time);
  return normalise(PLAIT_REAL(timegm), time);
}
char* asctime_r(const tm* __restrict time, char* __restrict to) noexcept {
  if (!run.active) return PLAIT_REAL(asctime_r)(time, to);
  const tm value = take(time);
  char text[kTextSize];
  return PLAIT_REAL(asctime_r)(&value, text) ? give_text(to, text, strlen(text) + 1) : nullptr;
}
char* ctime_r(const time_t* __restrict time, char* __restrict to) noexcept {
  if (!run.active) return PLAIT_REAL(ctime_r)(time, to);
  look_at_zone();
  const time_t when = take(time);
  char text[kTextSize];
  return PLAIT_REAL(ctime_r)(&when, text) ? give_text(to, text, strlen(text) + 1) : nullptr;
}
size_t strftime(char* __restrict to, size_t size, const char* __restrict format, const tm* __restrict time) noexcept {
  if (!run.active) return PLAIT_REAL(strftime)(to, size, format, time);
  look_at_zone();
  const tm value = take(time);
  const Call call;
  Room room;
  const char* copy = room.text(call, format);
  char* text = copy ? room.reserve(size < Room::kSize / 2 ? size : Room::kSize / 2) : nullptr;
  if (!text) unsupported("strftime with a format of more than 32 KiB");
  const size_t length = PLAIT_REAL(strftime)(text, size < Room::kSize / 2 ? size : Room::kSize / 2, copy, &value);
  if (length) store_range(at(to), text, length + 1, call.site);
  return length;
}
}
