// Numbers in texts, and the mathematical functions that have more than one result.
//
// Of an integer of digits its label is known: the digits' places, by their labels (labels.h). Which characters are
// digits has been decided; signs and spaces are given values, and so is everything in other numbers.
#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <wchar.h>

#include "runtime/call.h"
#include "runtime/labels.h"
#include "runtime/process.h"
#include "runtime/result.h"

extern "C" {
extern const void* __plait_label_returned;
extern plait::u64 __plait_label_result;
}

namespace plait::runtime {
namespace {

constexpr size_t kLongestNumber =
    1024;  // what is behind cannot change the value of an integer, nor that of a floating-point number by much

/// A private copy of the text up to where no number can go on.
template <class C>
struct NumberText {
  C text[kLongestNumber + 1];
  u64 labels[kLongestNumber + 1];  // also of what ended it
  size_t length = 0;
  bool labelled = false;
  C stopped_by{};

  /// Adds characters while `goes_on`(character, how many there are).
  template <class GoesOn>
  NumberText(const Call& call, const C* from, GoesOn goes_on) {
    while (length < kLongestNumber) {
      const Letter<C> c = call.letter(from + length);
      labels[length] = c.label;
      labelled |= c.label != 0;
      stopped_by = c.value;
      if (!c.value || !goes_on(*this, static_cast<wint_t>(c.value))) break;
      text[length++] = c.value;
    }
    text[length] = 0;
    if (length == kLongestNumber) labels[length] = 0;
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

template <class C>
void fix_labels(const Call& call, const NumberText<C>& number) {
  for (size_t i = 0; i <= number.length; ++i) decide(number.labels[i], decided::kFixed, call.site);
}

/// It is a digit, or it is none.
void decide_digit(const Call& call, u8 c, u64 label) {
  decide(make_binary(LabelOp::Ult, 8, c, label, '0', 0), decided::kBranch, call.site);
  decide(make_binary(LabelOp::Ult, 8, '9', 0, c, label), decided::kBranch, call.site);
}

/// The label of a decimal integer; what made it one has been decided by. 0: it has been given its value.
u64 decimal_label(const Call& call, const NumberText<char>& number) {
  constexpr size_t kMostDigits = 18;  // no overflow
  size_t begin = 0;
  while (begin < number.length && !is_digit(static_cast<wint_t>(number.text[begin]), 10)) ++begin;
  if (number.length - begin > kMostDigits) return fix_labels(call, number), 0;
  for (size_t i = 0; i < begin; ++i) decide(number.labels[i], decided::kFixed, call.site);
  const u64 of_last = number.labels[number.length];
  decide_digit(call, static_cast<u8>(number.stopped_by), of_last);
  if (begin == number.length) {  // no digit
    for (const char other : " \t\n\v\f\r+-")
      decide(make_binary(LabelOp::Eq, 8, static_cast<u8>(number.stopped_by), of_last, static_cast<u8>(other), 0),
             decided::kBranch, call.site);
    return 0;
  }
  u64 value = 0, label = 0;
  for (size_t i = begin; i < number.length; ++i) {
    const u8 c = static_cast<u8>(number.text[i]);
    const u64 of_c = number.labels[i], digit = c - u64{'0'};
    decide_digit(call, c, of_c);
    const u64 of_digit = make_binary(LabelOp::Sub, 64, c, make_cast(LabelOp::ZExt, 8, 64, c, of_c), '0', 0);
    const u64 tens = make_binary(LabelOp::Mul, 64, value, label, 10, 0);
    label = make_binary(LabelOp::Add, 64, value * 10, tens, digit, of_digit);
    value = value * 10 + digit;
  }
  const bool negative = begin > 0 && number.text[begin - 1] == '-';
  return negative ? make_binary(LabelOp::Sub, 64, 0, 0, value, label) : label;
}

/// As the compiled caller takes it; `function` is what it has called.
void return_integer(const void* function, unsigned width, u64 value, u64 label) {
  __plait_label_returned = function;
  __plait_label_result = width == 64 ? label : make_cast(LabelOp::Trunc, 64, width, value, label);
}

/// `parse`(text, end) on a private copy.
template <class C, class GoesOn, class Parse>
auto parse_number(const C* text, C** end, GoesOn goes_on, Parse parse) {
  const Call call;
  NumberText<C> copy(call, text, goes_on);
  C* stop = copy.text;
  const auto result = parse(copy.text, &stop);
  if (copy.labelled) fix_labels(call, copy);
  if (end) call.put_pointer(end, const_cast<C*>(text) + (stop - copy.text));
  return result;
}

/// The same, with the label of the result.
template <class Result>
Result parse_decimal(const char* text, char** end, const void* function, Result parse(const char*, char**)) {
  const Call call;
  NumberText<char> copy(call, text, integer_text<char>(10));
  char* stop = copy.text;
  const Result result = parse(copy.text, &stop);
  if (copy.labelled) return_integer(function, 8 * sizeof(Result), static_cast<u64>(result), decimal_label(call, copy));
  if (end) call.put_pointer(end, const_cast<char*>(text) + (stop - copy.text));
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
#define PLAIT_DECIMAL(name, base, Result)                                                                     \
  Result __plait_##name(const char* text, char** end, int base) {                                             \
    if (base != 10)                                                                                           \
      return parse_number(text, end, integer_text<char>(base),                                                \
                          [=](const char* copy, char** stop) { return PLAIT_REAL(name)(copy, stop, base); }); \
    return parse_decimal<Result>(                                                                             \
        text, end, reinterpret_cast<const void*>(&__plait_##name),                                            \
        [](const char* copy, char** stop) -> Result { return PLAIT_REAL(name)(copy, stop, 10); });            \
  }
#define PLAIT_FROM_TEXT(name, Result)                                                               \
  Result __plait_##name(const char* text) {                                                         \
    return parse_decimal<Result>(text, nullptr, reinterpret_cast<const void*>(&__plait_##name),     \
                                 [](const char* copy, char** stop) -> Result {                      \
                                   return static_cast<Result>(PLAIT_REAL(strtoll)(copy, stop, 10)); \
                                 });                                                                \
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

PLAIT_DECIMAL(strtol, base, long)
PLAIT_DECIMAL(strtoll, base, long long)
PLAIT_DECIMAL(strtoul, base, unsigned long)
PLAIT_DECIMAL(strtoull, base, unsigned long long)
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
PLAIT_FROM_TEXT(atoi, int)
PLAIT_FROM_TEXT(atol, long)
PLAIT_FROM_TEXT(atoll, long long)
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
