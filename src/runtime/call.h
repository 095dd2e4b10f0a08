// A library function under way that works on the program's memory: every byte that it reads or writes there is an
// access. Byte by byte where a byte may be shared: these functions are not atomic.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "runtime/access.h"

namespace plait::runtime {

template <size_t kSize>
struct WordOf {
  using Type = u32;
};
template <>
struct WordOf<1> {
  using Type = u8;
};
template <size_t kSize>
using UnitOf = typename WordOf<kSize>::Type;

inline u64 at(const void* pointer) { return reinterpret_cast<u64>(pointer); }

/// A character with its label (labels.h): a function that goes on according to what it is says so by these questions.
template <class C>
struct Letter {
  C value;
  u64 label;
  u32 site;

  static constexpr unsigned kWidth = 8 * sizeof(C);
  static u64 bits(C c) { return sizeof(C) == 1 ? static_cast<u8>(c) : static_cast<u32>(c); }
  bool is(const Letter& other) const {
    if (label | other.label) ask(LabelOp::Eq, other);
    return value == other.value;
  }
  bool is(C other) const { return is(Letter{other, 0, site}); }
  /// As the functions that compare have it: of bytes without sign, of wide characters with it.
  bool is_below(const Letter& other) const {
    if (label | other.label) ask(sizeof(C) == 1 ? LabelOp::Ult : LabelOp::Slt, other);
    return sizeof(C) == 1 ? bits(value) < bits(other.value) : value < other.value;
  }
  C fixed() const {
    if (label) decide(label, decided::kFixed, site);
    return value;
  }

 private:
  void ask(LabelOp op, const Letter& other) const {
    decide(make_binary(op, kWidth, bits(value), label, bits(other.value), other.label), decided::kBranch, site);
  }
};

/// Where it was called from, and how it gets at memory. C: char or wchar_t.
struct Call {
  u32 site = take_call_site();

  /// With its label.
  template <class C>
  Letter<C> letter(const C* p) const {
    using Word = UnitOf<sizeof(C)>;
    const Word value = load_followed<Word>(at(p), Order::Plain, site);
    return {static_cast<C>(value), follows_inputs() ? memory_label(at(p), sizeof(C), value) : 0, site};
  }
  /// The same where the function goes on according to what it finds.
  template <class C>
  Letter<C> look(const C* p) const {
    run.unwritten = 0;
    const Letter<C> c = letter(p);
    if (run.unwritten) need_value(at(p), sizeof(C), site, ValueUse::Argument);
    return c;
  }
  template <class C>
  void put(C* p, const Letter<C>& c) const {
    store<UnitOf<sizeof(C)>>(at(p), static_cast<UnitOf<sizeof(C)>>(c.value), Order::Plain, site, c.label);
  }

  template <class C>
  C get(const C* p) const {
    if constexpr (sizeof(C) == 1)
      return static_cast<C>(load<u8>(at(p), Order::Plain, site));
    else
      return static_cast<C>(load<u32>(at(p), Order::Plain, site));
  }
  /// The same where the function goes on according to what it finds.
  template <class C>
  C see(const C* p) const {
    run.unwritten = 0;
    const C c = get(p);
    if (run.unwritten) need_value(at(p), sizeof(C), site, ValueUse::Argument);
    return c;
  }
  template <class C>
  void put(C* p, C c) const {
    if constexpr (sizeof(C) == 1)
      store<u8>(at(p), static_cast<u8>(c), Order::Plain, site);
    else
      store<u32>(at(p), static_cast<u32>(c), Order::Plain, site);
  }
  template <class P>
  P* get_pointer(P* const* p) const {
    return reinterpret_cast<P*>(load<u64>(at(p), Order::Plain, site));
  }
  template <class P>
  void put_pointer(P** p, P* value) const {
    store<u64>(at(p), at(value), Order::Plain, site);
  }

  template <class C>
  size_t length(const C* text, size_t most = SIZE_MAX) const {
    size_t n = 0;
    while (n < most && !look(text + n).is(C{})) ++n;
    return n;
  }
};

/// Room for private copies of what a call reads and writes, on the caller's stack: a run may end at any access, and
/// nothing is left behind.
class Room {
 public:
  static constexpr size_t kSize = 64 * 1024;

  /// Null: there is no more.
  char* reserve(size_t size) {
    size = (size + 15) & ~size_t{15};
    if (size > kSize - used_) return nullptr;
    char* result = bytes_ + used_;
    used_ += size;
    return result;
  }
  /// A private copy of a text of at most `most` bytes; null: it is too long.
  char* text(const Call& call, const char* from, size_t most = SIZE_MAX) {
    char* result = bytes_ + used_;
    for (size_t n = 0; used_ + n + 16 < kSize; ++n) {
      result[n] = n < most ? call.see(from + n) : '\0';
      if (result[n]) continue;
      used_ = (used_ + n + 16) & ~size_t{15};
      return result;
    }
    return nullptr;
  }

  /// All of it, for somebody who reserves nothing.
  char* whole() { return bytes_; }

 private:
  alignas(16) char bytes_[kSize];
  size_t used_ = 0;
};

}  // namespace plait::runtime
