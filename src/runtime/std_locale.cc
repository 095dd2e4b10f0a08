// std::locale is a pointer to a counted object of the library. The pointer is the program's memory, the object is not.
#include "runtime/result.h"

using plait::u64;

extern "C" {
void _ZNSt6localeC1Ev(u64*) __attribute__((weak));
void _ZNSt6localeC1ERKS_(u64*, const u64*) __attribute__((weak));
void _ZNSt6localeD1Ev(u64*) __attribute__((weak));
void _ZNSt6localeaSERKS_(u64*, const u64*) __attribute__((weak));
}

using namespace plait::runtime;

extern "C" {

void __plait__ZNSt6localeC1Ev(u64* object) {
  u64 made = 0;
  _ZNSt6localeC1Ev(&made);
  give(object, made);
}

void __plait__ZNSt6localeC1ERKS_(u64* object, const u64* other) {
  const u64 from = take(other);
  u64 made = 0;
  _ZNSt6localeC1ERKS_(&made, &from);
  give(object, made);
}

void __plait__ZNSt6localeD1Ev(u64* object) {
  u64 last = take(object);
  _ZNSt6localeD1Ev(&last);
}

u64* __plait__ZNSt6localeaSERKS_(u64* object, const u64* other) {
  const u64 from = take(other);
  u64 own = take(object);
  _ZNSt6localeaSERKS_(&own, &from);
  give(object, own);
  return object;
}
}
