// printf's and scanf's arguments: which of them are pointers to memory of the program.
#pragma once
#include <stdarg.h>

#include "runtime/call.h"

namespace plait::runtime {

/// The arguments of a printf, with private copies of its format and of the texts that %s names, until it goes out of
/// scope. What %n stores is stored by finish().
class Formatting {
 public:
  Formatting(const Call& call, const char* format, va_list arguments);
  ~Formatting();
  const char* format() const { return format_; }
  /// The program's memory gets what %n has written to ours.
  void finish();

 private:
  struct Patch {
    u64* slot;
    u64 original;
    char* counter;  // of %n; null: a text
    u32 size;
  };
  void walk(va_list arguments);
  void patch(u64* slot, char* copy, bool counter, u32 size);

  static constexpr u32 kMaxPatches = 64;
  const Call& call_;
  const char* format_;
  Patch patches_[kMaxPatches];
  u32 count_ = 0;
  Room room_;
};

/// One conversion of a format, taken apart.
struct Conversion {
  bool numbered = false, suppressed = false, allocates = false;
  bool star_width = false, star_precision = false, has_precision = false;
  size_t width = 0, precision = 0;
  enum class Length : u8 { None, Char, Short, Long, LongLong, LongDouble } length = Length::None;
  char letter = 0;  // 0: the format ends here
  bool is_wide() const { return length == Length::Long || letter == 'S' || letter == 'C'; }
  /// Size of the integer that it names.
  u32 integer_size() const;
};
/// The next conversion at or behind `p`, which moves behind it. `scanning`: a * suppresses, %[ ends with its bracket.
Conversion next_conversion(const char*& p, bool scanning);

/// The place of the next argument of these types in a va_list of this machine.
u64* next_integer(va_list arguments);
u64* next_double(va_list arguments);
u64* next_long_double(va_list arguments);

}  // namespace plait::runtime
