// Numbers in texts, and the mathematical functions that have more than one result.
#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <wchar.h>

#include "runtime/call.h"
#include "runtime/process.h"
#include "runtime/result.h"

namespace plait::runtime {
namespace {

constexpr size_t kLongestNumber =
    1024;  // what is behind cannot change the value of an integer, nor that of a floating-point number by much

/// A private copy of the text up to where no number can go on.
template <class C>
struct NumberText {
  C text[kLongestNumber + 1];
  size_t length = 0;

  /// Adds characters while `goes_on`(character, how many there are).
  template <class GoesOn>
  NumberText(const Call& call, const C* from, GoesOn goes_on) {
    while (length < kLongestNumber) {
      const C c = call.get(from + length);
      if (!c || !goes_on(*this, static_cast<wint_t>(c))) break;
      text[length++] = c;
    }
    text[length] = 0;
  }
  /// The first character behind white space and sign; 0: none yet.
  wint_t first() const {
    size_t i = 0;
    while (i < length && iswspace_ascii(text[i])) ++i;
    if (i < length && (text[i] == '+' || text[i] == '-')) ++i;
    return i < length ? static_cast<wint_t>(text[i]) : 0;
  }
  bool only_space() const { return length == 0 || iswspace_ascii(text[length - 1]); }
  static bool iswspace_ascii(C c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
};

bool is_digit(wint_t c, int base) {
  const int value = c >= '0' && c <= '9'   ? static_cast<int>(c - '0')
                    : c >= 'a' && c <= 'z' ? static_cast<int>(c - 'a') + 10
                    : c >= 'A' && c <= 'Z' ? static_cast<int>(c - 'A') + 10
                                           : 99;
  return value < base;
}

template <class C>
auto integer_text(int base) {
  return [base](const NumberText<C>& so_far, wint_t c) {
    if (!so_far.first() && so_far.only_space() &&
        (NumberText<C>::iswspace_ascii(static_cast<C>(c)) || c == '+' || c == '-'))
      return true;
    const bool hexadecimal = base == 16 || (base == 0 && so_far.first() == '0');
    if ((c == 'x' || c == 'X') && hexadecimal && so_far.text[so_far.length - 1] == '0') return true;
    return is_digit(c, base == 0 ? (hexadecimal ? 16 : 10) : base);
  };
}

template <class C>
bool floating_text(const NumberText<C>& so_far, wint_t c) {
  if (!so_far.first() && so_far.only_space() &&
      (NumberText<C>::iswspace_ascii(static_cast<C>(c)) || c == '+' || c == '-'))
    return true;
  if (is_digit(c, 36) || c == '.' || c == '_') return true;
  const wint_t first = so_far.first();
  if (c == '(' || c == ')') return first == 'n' || first == 'N';
  const wint_t last = so_far.length ? static_cast<wint_t>(so_far.text[so_far.length - 1]) : 0;
  return (c == '+' || c == '-') && (last == 'e' || last == 'E' || last == 'p' || last == 'P');
}

/// `parse`(text, end) on a private copy.
template <class C, class GoesOn, class Parse>
auto parse_number(const C* text, C** end, GoesOn goes_on, Parse parse) {
  const Call call;
  NumberText<C> copy(call, text, goes_on);
  C* stop = copy.text;
  const auto result = parse(copy.text, &stop);
  if (end) call.put_pointer(end, const_cast<C*>(text) + (stop - copy.text));
  return result;
}

/// From libm itself: the program may not be linked with it any more, now that its calls come here.
template <class F>
F* math_function(const char* name) {
  static void* library = PLAIT_REAL(dlopen)("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
  void* found = library ? dlsym(library, name) : nullptr;
  if (!found) die("there is no libm");
  return reinterpret_cast<F*>(found);
}

}  // namespace
}  // namespace plait::runtime

using namespace plait::runtime;

#define PLAIT_INTEGER(C, name, Result)                                                                \
  Result __plait_##name(const C* text, C** end, int base) {                                           \
    return parse_number(text, end, integer_text<C>(base),                                             \
                        [=](const C* copy, C** stop) { return PLAIT_REAL(name)(copy, stop, base); }); \
  }
#define PLAIT_FLOATING(C, name, Result)                                                        \
  Result __plait_##name(const C* text, C** end) {                                              \
    return parse_number(text, end, floating_text<C>,                                           \
                        [](const C* copy, C** stop) { return PLAIT_REAL(name)(copy, stop); }); \
  }
#define PLAIT_SECOND_RESULT(name, Result, Second)                      \
  Result __plait_##name(Result x, Second* second) {                    \
    static auto* real = math_function<Result(Result, Second*)>(#name); \
    Second value;                                                      \
    const Result result = real(x, &value);                             \
    give(second, value);                                               \
    return result;                                                     \
  }
#define PLAIT_SINCOS(name, T)                                  \
  void __plait_##name(T x, T* sine, T* cosine) {               \
    static auto* real = math_function<void(T, T*, T*)>(#name); \
    T s, c;                                                    \
    real(x, &s, &c);                                           \
    give(sine, s);                                             \
    give(cosine, c);                                           \
  }
#define PLAIT_REMQUO(name, T)                                \
  T __plait_##name(T x, T y, int* quotient) {                \
    static auto* real = math_function<T(T, T, int*)>(#name); \
    int value;                                               \
    const T result = real(x, y, &value);                     \
    give(quotient, value);                                   \
    return result;                                           \
  }

extern "C" {

PLAIT_INTEGER(char, strtol, long)
PLAIT_INTEGER(char, strtoll, long long)
PLAIT_INTEGER(char, strtoul, unsigned long)
PLAIT_INTEGER(char, strtoull, unsigned long long)
PLAIT_INTEGER(char, strtoimax, intmax_t)
PLAIT_INTEGER(char, strtoumax, uintmax_t)
PLAIT_INTEGER(wchar_t, wcstol, long)
PLAIT_INTEGER(wchar_t, wcstoll, long long)
PLAIT_INTEGER(wchar_t, wcstoul, unsigned long)
PLAIT_INTEGER(wchar_t, wcstoull, unsigned long long)
PLAIT_FLOATING(char, strtof, float)
PLAIT_FLOATING(char, strtod, double)
PLAIT_FLOATING(char, strtold, long double)
PLAIT_FLOATING(wchar_t, wcstof, float)
PLAIT_FLOATING(wchar_t, wcstod, double)
PLAIT_FLOATING(wchar_t, wcstold, long double)
int __plait_atoi(const char* text) { return static_cast<int>(__plait_strtol(text, nullptr, 10)); }
long __plait_atol(const char* text) { return __plait_strtol(text, nullptr, 10); }
long long __plait_atoll(const char* text) { return __plait_strtoll(text, nullptr, 10); }
double __plait_atof(const char* text) { return __plait_strtod(text, nullptr); }

PLAIT_SECOND_RESULT(frexp, double, int)
PLAIT_SECOND_RESULT(frexpf, float, int)
PLAIT_SECOND_RESULT(frexpl, long double, int)
PLAIT_SECOND_RESULT(modf, double, double)
PLAIT_SECOND_RESULT(modff, float, float)
PLAIT_SECOND_RESULT(modfl, long double, long double)
PLAIT_SINCOS(sincos, double)
PLAIT_SINCOS(sincosf, float)
PLAIT_SINCOS(sincosl, long double)
PLAIT_REMQUO(remquo, double)
PLAIT_REMQUO(remquof, float)
PLAIT_REMQUO(remquol, long double)
}
