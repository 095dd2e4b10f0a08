#include "runtime/format.h"

#include <wchar.h>

#include "runtime/failure.h"

namespace plait::runtime {

// The register save area and the stack, as the System V ABI for x86-64 lays them out (3.5.7).
u64* next_integer(va_list arguments) {
  auto& list = arguments[0];
  if (list.gp_offset < 48) {
    auto* slot = reinterpret_cast<u64*>(static_cast<char*>(list.reg_save_area) + list.gp_offset);
    list.gp_offset += 8;
    return slot;
  }
  auto* slot = static_cast<u64*>(list.overflow_arg_area);
  list.overflow_arg_area = slot + 1;
  return slot;
}

u64* next_double(va_list arguments) {
  auto& list = arguments[0];
  if (list.fp_offset < 176) {
    auto* slot = reinterpret_cast<u64*>(static_cast<char*>(list.reg_save_area) + list.fp_offset);
    list.fp_offset += 16;
    return slot;
  }
  auto* slot = static_cast<u64*>(list.overflow_arg_area);
  list.overflow_arg_area = slot + 1;
  return slot;
}

u64* next_long_double(va_list arguments) {
  auto& list = arguments[0];
  auto* slot = reinterpret_cast<u64*>((reinterpret_cast<u64>(list.overflow_arg_area) + 15) & ~u64{15});
  list.overflow_arg_area = slot + 2;
  return slot;
}

u32 Conversion::integer_size() const {
  switch (length) {
    case Length::Char: return 1;
    case Length::Short: return 2;
    case Length::None: return 4;
    default: return 8;
  }
}

namespace {

size_t digits(const char*& p) {
  size_t n = 0;
  for (; *p >= '0' && *p <= '9'; ++p) n = n * 10 + static_cast<size_t>(*p - '0');
  return n;
}

void read_length(const char*& p, Conversion& conversion, bool scanning) {
  using Length = Conversion::Length;
  for (;; ++p) {
    switch (*p) {
      case 'h': conversion.length = conversion.length == Length::Short ? Length::Char : Length::Short; break;
      case 'l': conversion.length = conversion.length == Length::Long ? Length::LongLong : Length::Long; break;
      case 'q': conversion.length = Length::LongLong; break;
      case 'L': conversion.length = Length::LongDouble; break;
      case 'j':
      case 'z':
      case 't': conversion.length = Length::LongLong; break;
      case 'Z':
        if (scanning) return;
        conversion.length = Length::LongLong;
        break;
      default: return;
    }
  }
}

}  // namespace

Conversion next_conversion(const char*& p, bool scanning) {
  Conversion result;
  for (;; ++p) {
    if (!*p) return result;
    if (*p != '%') continue;
    if (p[1] != '%') break;
    ++p;
  }
  ++p;
  const char* begin = p;
  if (digits(p) > 0 && *p == '$')
    result.numbered = true, ++p;
  else
    p = begin;
  if (scanning) {
    for (; *p == '*' || *p == '\'' || *p == 'I'; ++p) result.suppressed |= *p == '*';
    result.width = digits(p);
    if (*p == 'm') result.allocates = true, ++p;
  } else {
    while (*p && __builtin_strchr("-+ #0'I", *p)) ++p;
    if (*p == '*')
      result.star_width = true, ++p;
    else
      result.width = digits(p);
    if (*p == '.') {
      ++p;
      result.has_precision = true;
      if (*p == '*')
        result.star_precision = true, ++p;
      else
        result.precision = digits(p);
    }
    if (*p >= '0' && *p <= '9') digits(p), result.numbered = *p == '$';  // "*1$"
  }
  read_length(p, result, scanning);
  result.letter = *p;
  if (*p) ++p;
  if (scanning && result.letter == '[') {
    if (*p == '^') ++p;
    if (*p == ']') ++p;
    while (*p && *p != ']') ++p;
    if (*p) ++p;
  }
  return result;
}

Formatting::Formatting(const Call& call, const char* format, va_list arguments) : call_(call), format_(format) {
  if (!run.active) return;
  format_ = room_.text(call_, format);
  if (!format_) unsupported("a format of more than 64 KiB");
  va_list walked;
  va_copy(walked, arguments);
  walk(walked);
  va_end(walked);
}

void Formatting::walk(va_list arguments) {
  for (const char* p = format_;;) {
    Conversion conversion = next_conversion(p, false);
    if (!conversion.letter) return;
    if (conversion.numbered) unsupported("printf with numbered arguments");
    if (conversion.star_width) next_integer(arguments);
    if (conversion.star_precision) {
      const int precision = static_cast<int>(*next_integer(arguments));
      conversion.has_precision = precision >= 0;
      conversion.precision = precision >= 0 ? static_cast<size_t>(precision) : 0;
    }
    switch (conversion.letter) {
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        if (conversion.length == Conversion::Length::LongDouble)
          next_long_double(arguments);
        else
          next_double(arguments);
        break;
      case 'm': break;
      case 's': {
        u64* slot = next_integer(arguments);
        if (!*slot || conversion.is_wide()) break;
        const char* text = reinterpret_cast<const char*>(*slot);
        // One that is too long stays where it is, and libc reads it there.
        if (char* copy = room_.text(call_, text, conversion.has_precision ? conversion.precision : SIZE_MAX))
          patch(slot, copy, false, 0);
        break;
      }
      case 'n': {
        u64* slot = next_integer(arguments);
        if (char* counter = room_.reserve(8)) patch(slot, counter, true, conversion.integer_size());
        break;
      }
      default: next_integer(arguments);
    }
  }
}

void Formatting::patch(u64* slot, char* copy, bool counter, u32 size) {
  if (count_ == kMaxPatches) return;
  patches_[count_++] = {slot, *slot, counter ? copy : nullptr, size};
  *slot = reinterpret_cast<u64>(copy);
}

Formatting::~Formatting() {
  for (u32 i = 0; i < count_; ++i) *patches_[i].slot = patches_[i].original;
}

void Formatting::finish() {
  for (u32 i = 0; i < count_; ++i)
    if (patches_[i].counter) store_range(patches_[i].original, patches_[i].counter, patches_[i].size, call_.site);
}

}  // namespace plait::runtime
