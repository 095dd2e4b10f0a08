// Owners of exceptions. An exception that std::current_exception was asked for can belong to several threads, and the
// last one destroys it: the counter in front of the object is shared memory. libstdc++ counts inside of its library, so
// each change of the counter is announced here first, as a read-modify-write, and taken back for the library to do it.
#include "runtime/call.h"
#include "runtime/result.h"

using plait::u64;

extern "C" {
void** __cxa_get_globals() __attribute__((weak));
void __cxa_throw(void*, void*, void (*)(void*)) __attribute__((weak));
void* __cxa_init_primary_exception(void*, void*, void (*)(void*)) __attribute__((weak));
void __cxa_end_catch() __attribute__((weak));
void __cxa_free_exception(void*);
void _ZSt17current_exceptionv(u64* result) __attribute__((weak));
void _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(const u64* exception) __attribute__((weak));
}

namespace plait::runtime {
namespace {

// Of the C++ ABI and libstdc++: the object comes behind a header, the counter in front of that.
struct Header {
  void* type_or_primary;  // another thread's or an earlier exception's object, if this one only refers to it
  void (*destroy)(void*);
  void* handlers[2];
  void* next;
  int catches;
  int rest_of_search[9];
  u64 language;  // _Unwind_Exception
  u64 rest_of_unwinding[3];
};
static_assert(sizeof(Header) == 112);
constexpr u64 kCounter = 128;
constexpr u64 kGnuCxx = 0x474e5543432b2b00;  // "GNUCC++"

Header* header_of(u64 object) { return reinterpret_cast<Header*>(object) - 1; }

/// The object that is being handled; 0: none, or none of C++.
u64 handled(const Header* header) {
  if (!header || (header->language & ~u64{1}) != kGnuCxx) return 0;
  return header->language & 1 ? reinterpret_cast<u64>(header->type_or_primary) : reinterpret_cast<u64>(header + 1);
}

const Header* caught() { return static_cast<const Header*>(*__cxa_get_globals()); }

/// The counter has eight bytes here and four in the library; the others are zero.
u64 count(u64 object, i64 change, u32 site) {
  return update(object - kCounter, static_cast<u64>(change), RmwKind::Add, Order::AcqRel, site);
}
/// The library is about to do the same.
void announce(u64 object, i64 change, u32 site) {
  if (!run.active || !object) return;
  count(object, change, site);
  *reinterpret_cast<volatile int*>(object - kCounter) -= static_cast<int>(change);
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

void __plait___cxa_throw(void* object, void* type, void (*destroy)(void*)) {
  if (run.active) store<u64>(at(object) - kCounter, 1, Order::Plain, peek_call_site());
  __cxa_throw(object, type, destroy);
}

void* __plait___cxa_init_primary_exception(void* object, void* type, void (*destroy)(void*)) {
  if (run.active) store<u64>(at(object) - kCounter, 0, Order::Plain, peek_call_site());
  return __cxa_init_primary_exception(object, type, destroy);
}

void __plait___cxa_end_catch() {
  const Header* header = caught();
  if (header && header->catches == 1) announce(handled(header), -1, peek_call_site());
  __cxa_end_catch();
}

void __plait__ZSt17current_exceptionv(u64* result) {
  const u32 site = peek_call_site();
  announce(handled(caught()), 1, site);
  u64 object = 0;
  _ZSt17current_exceptionv(&object);
  give(result, object, site);
}

void __plait__ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(const u64* exception) {
  const u32 site = peek_call_site();
  announce(take(exception, site), 1, site);
  _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(exception);
}

void __plait__ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(const u64* exception) {
  const u32 site = peek_call_site();
  if (const u64 object = take(exception, site)) count(object, 1, site);
}

void __plait__ZNSt15__exception_ptr13exception_ptrC1EPv(u64* exception, u64 object) {
  const u32 site = peek_call_site();
  give(exception, object, site);
  if (object) count(object, 1, site);
}

void __plait__ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(u64* exception) {
  const u32 site = peek_call_site();
  const u64 object = take(exception, site);
  if (!object) return;
  if (count(object, -1, site) == 1) {
    if (auto* destroy = header_of(object)->destroy) destroy(reinterpret_cast<void*>(object));
    __cxa_free_exception(reinterpret_cast<void*>(object));
    give(exception, u64{0}, site);
  }
}
}
