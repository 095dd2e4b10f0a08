// sscanf: libc scans a private copy into private variables; what it has found is stored in the program's.
#include <stdio.h>

#include "runtime/failure.h"
#include "runtime/format.h"
#include "runtime/process.h"

namespace plait::runtime {
namespace {

constexpr u32 kMaxTargets = 24;
constexpr u64 kNotReached = 0x5a3c5a3c5a3c5a3c;  // in the variable of an %n that the scan has not come to

struct Target {
  u64 address;     // in the program
  char* variable;  // ours
  u32 size;        // 0: a text
  u32 unit;        // bytes per character of a text
  bool counts;     // among the results
};

u32 size_of(const Conversion& conversion) {
  using Length = Conversion::Length;
  switch (conversion.letter) {
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return conversion.length == Length::LongDouble ? 16 : conversion.length == Length::Long ? 8 : 4;
    case 'p': return 8;
    default: return conversion.integer_size();
  }
}

class Scan {
 public:
  int run(const char* text, const char* format, va_list arguments) {
    const char* input = room_.text(call_, text);
    const char* pattern = room_.text(call_, format);
    if (!input || !pattern) unsupported("sscanf of more than 64 KiB");
    input_length_ = __builtin_strlen(input);
    find_targets(pattern, arguments);
    char* v[kMaxTargets] = {};
    for (u32 i = 0; i < count_; ++i) v[i] = targets_[i].variable;
    static const auto scan = reinterpret_cast<int (*)(const char*, const char*, ...)>(real_function("__isoc99_sscanf"));
    const int result = scan(input, pattern, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11],
                            v[12], v[13], v[14], v[15], v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23]);
    store_results(result);
    return result;
  }

 private:
  void find_targets(const char* pattern, va_list arguments) {
    for (const char* p = pattern;;) {
      const Conversion conversion = next_conversion(p, true);
      if (!conversion.letter) return;
      if (conversion.numbered || conversion.allocates) unsupported("sscanf with numbered or allocated results");
      if (conversion.suppressed) continue;
      if (count_ == kMaxTargets) unsupported("sscanf with more than 24 results");
      const u32 unit = conversion.is_wide() ? 4 : 1;
      Target target = {*next_integer(arguments), nullptr, 0, unit, conversion.letter != 'n'};
      size_t room = 16;
      switch (conversion.letter) {
        case 'c':
        case 'C':
          target.size = static_cast<u32>(conversion.width ? conversion.width : 1) * unit;
          room = target.size;
          break;
        case 's':
        case 'S':
        case '[': room = (input_length_ + 1) * unit; break;
        default: target.size = size_of(conversion);
      }
      target.variable = room_.reserve(room);
      if (!target.variable) unsupported("sscanf of more than 64 KiB");
      __builtin_memcpy(target.variable, &kNotReached, 8);
      targets_[count_++] = target;
    }
  }

  void store_results(int assigned) {
    for (u32 i = 0; i < count_; ++i) {
      const Target& target = targets_[i];
      if (target.counts ? assigned-- <= 0 : __builtin_memcmp(target.variable, &kNotReached, target.size) == 0) {
        if (target.counts) return;
        continue;
      }
      u64 size = target.size;
      if (size == 0) {
        while (!is_end(target.variable + size, target.unit)) size += target.unit;
        size += target.unit;
      }
      store_range(target.address, target.variable, size, call_.site);
    }
  }
  static bool is_end(const char* p, u32 unit) {
    for (u32 i = 0; i < unit; ++i)
      if (p[i]) return false;
    return true;
  }

  Call call_;
  Room room_;
  size_t input_length_ = 0;
  Target targets_[kMaxTargets];
  u32 count_ = 0;
};

}  // namespace
}  // namespace plait::runtime

using namespace plait::runtime;

extern "C" {

// glibc has two: the other one takes %as for an allocated text, as was usual before C99.
int __plait_vsscanf(const char* text, const char* format, va_list arguments) {
  Scan scan;
  return scan.run(text, format, arguments);
}
int __plait___isoc99_vsscanf(const char* text, const char* format, va_list arguments) {
  return __plait_vsscanf(text, format, arguments);
}
int __plait_sscanf(const char* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = __plait_vsscanf(text, format, arguments);
  va_end(arguments);
  return result;
}
int __plait___isoc99_sscanf(const char* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = __plait_vsscanf(text, format, arguments);
  va_end(arguments);
  return result;
}
}
