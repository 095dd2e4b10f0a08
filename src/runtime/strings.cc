// The common memory and string functions, as accesses to the program's memory. The pass redirects the program's calls here.
// Byte by byte where a byte may be shared: these functions are not atomic.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/access.h"
#include "runtime/process.h"

namespace plait::runtime {
namespace {

u64 at(const void* pointer) { return reinterpret_cast<u64>(pointer); }

/// A call under way: where it was called from.
struct Call {
  u32 site = take_call_site();
  unsigned char get(const char* p) const { return load<u8>(at(p), Order::Plain, site); }
  void put(char* p, char c) const { store<u8>(at(p), static_cast<u8>(c), Order::Plain, site); }

  size_t length(const char* text, size_t most = SIZE_MAX) const {
    size_t n = 0;
    while (n < most && get(text + n)) ++n;
    return n;
  }
  char* copy_text(char* to, const char* from) const {
    for (;; ++to, ++from) {
      const char c = static_cast<char>(get(from));
      put(to, c);
      if (!c) return to;
    }
  }
  template <class Map>
  int compare(const char* a, const char* b, size_t most, bool text, Map map) const {
    for (size_t i = 0; i < most; ++i) {
      const int x = map(get(a + i)), y = map(get(b + i));
      if (x != y) return x - y;
      if (text && x == 0) return 0;
    }
    return 0;
  }
  bool contains(const char* set, char c) const {
    for (; const char s = static_cast<char>(get(set)); ++set)
      if (s == c) return true;
    return false;
  }
  size_t span(const char* text, const char* set, bool accept) const {
    size_t n = 0;
    for (; const char c = static_cast<char>(get(text + n)); ++n)
      if (contains(set, c) != accept) break;
    return n;
  }
  char* token(char* text, const char* delimiters, char** rest) const {
    if (!text) text = *rest;
    if (!text) return nullptr;
    text += span(text, delimiters, true);
    if (!get(text)) {
      *rest = nullptr;
      return nullptr;
    }
    char* end = text + span(text, delimiters, false);
    if (get(end)) {
      put(end, 0);
      *rest = end + 1;
    } else {
      *rest = nullptr;
    }
    return text;
  }
  char* duplicate(const char* text, size_t most) const {
    const size_t n = length(text, most);
    begin_operation();
    auto* result = static_cast<char*>(allocate(n + 1, 16, site, false));
    copy(at(result), at(text), n, site);
    put(result + n, 0);
    return result;
  }
};

int same(unsigned char c) { return c; }
int folded(unsigned char c) { return tolower(c); }

/// Formatting: libc writes into a private buffer, then the text is stored.
int format_into(char* to, size_t capacity, const char* format, va_list arguments) {
  const Call call;
  char small[512];
  va_list again;
  va_copy(again, arguments);
  const int length = PLAIT_REAL(vsnprintf)(small, sizeof small, format, arguments);
  if (length >= 0 && capacity > 0) {
    const size_t wanted = static_cast<size_t>(length) < capacity ? static_cast<size_t>(length) : capacity - 1;
    if (static_cast<size_t>(length) < sizeof small) {
      store_range(at(to), small, wanted, call.site);
    } else {
      auto* large = static_cast<char*>(PLAIT_REAL(malloc)(static_cast<size_t>(length) + 1));
      PLAIT_REAL(vsnprintf)(large, static_cast<size_t>(length) + 1, format, again);
      store_range(at(to), large, wanted, call.site);
      PLAIT_REAL(free)(large);
    }
    call.put(to + wanted, 0);
  }
  va_end(again);
  return length;
}

}  // namespace
}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

void* __plait_memcpy(void* to, const void* from, size_t size) {
  copy(at(to), at(from), size, Call().site);
  return to;
}
void* __plait_memmove(void* to, const void* from, size_t size) { return __plait_memcpy(to, from, size); }
void* __plait_mempcpy(void* to, const void* from, size_t size) {
  return static_cast<char*>(__plait_memcpy(to, from, size)) + size;
}
void* __plait_memset(void* to, int byte, size_t size) {
  fill(at(to), static_cast<u8>(byte), size, Call().site);
  return to;
}
void __plait_bzero(void* to, size_t size) { fill(at(to), 0, size, Call().site); }
void __plait_bcopy(const void* from, void* to, size_t size) { copy(at(to), at(from), size, Call().site); }
int __plait_memcmp(const void* a, const void* b, size_t size) {
  return Call().compare(static_cast<const char*>(a), static_cast<const char*>(b), size, false, same);
}
int __plait_bcmp(const void* a, const void* b, size_t size) { return __plait_memcmp(a, b, size); }
void* __plait_memchr(const void* text, int byte, size_t size) {
  const Call call;
  const char* p = static_cast<const char*>(text);
  for (size_t i = 0; i < size; ++i)
    if (call.get(p + i) == static_cast<unsigned char>(byte)) return const_cast<char*>(p + i);
  return nullptr;
}
void* __plait_memrchr(const void* text, int byte, size_t size) {
  const Call call;
  const char* p = static_cast<const char*>(text);
  while (size-- > 0)
    if (call.get(p + size) == static_cast<unsigned char>(byte)) return const_cast<char*>(p + size);
  return nullptr;
}
size_t __plait_strlen(const char* text) { return Call().length(text); }
size_t __plait_strnlen(const char* text, size_t most) { return Call().length(text, most); }
int __plait_strcmp(const char* a, const char* b) { return Call().compare(a, b, SIZE_MAX, true, same); }
int __plait_strncmp(const char* a, const char* b, size_t most) { return Call().compare(a, b, most, true, same); }
int __plait_strcasecmp(const char* a, const char* b) { return Call().compare(a, b, SIZE_MAX, true, folded); }
int __plait_strncasecmp(const char* a, const char* b, size_t most) { return Call().compare(a, b, most, true, folded); }
char* __plait_strcpy(char* to, const char* from) {
  Call().copy_text(to, from);
  return to;
}
char* __plait_stpcpy(char* to, const char* from) { return Call().copy_text(to, from); }
char* __plait_strncpy(char* to, const char* from, size_t size) {
  const Call call;
  bool ended = false;
  for (size_t i = 0; i < size; ++i) {
    const char c = ended ? 0 : static_cast<char>(call.get(from + i));
    ended = ended || c == 0;
    call.put(to + i, c);
  }
  return to;
}
char* __plait_strcat(char* to, const char* from) {
  const Call call;
  call.copy_text(to + call.length(to), from);
  return to;
}
char* __plait_strncat(char* to, const char* from, size_t most) {
  const Call call;
  char* end = to + call.length(to);
  size_t i = 0;
  for (; i < most; ++i) {
    const char c = static_cast<char>(call.get(from + i));
    if (!c) break;
    call.put(end + i, c);
  }
  call.put(end + i, 0);
  return to;
}
char* __plait_strchr(const char* text, int character) {
  const Call call;
  for (;; ++text) {
    const char c = static_cast<char>(call.get(text));
    if (c == static_cast<char>(character)) return const_cast<char*>(text);
    if (!c) return nullptr;
  }
}
char* __plait_strrchr(const char* text, int character) {
  const Call call;
  const char* found = nullptr;
  for (;; ++text) {
    const char c = static_cast<char>(call.get(text));
    if (c == static_cast<char>(character)) found = text;
    if (!c) return const_cast<char*>(found);
  }
}
char* __plait_strstr(const char* text, const char* wanted) {
  const Call call;
  const size_t n = call.length(wanted);
  for (;; ++text) {
    if (call.compare(text, wanted, n, true, same) == 0) return const_cast<char*>(text);
    if (!call.get(text)) return nullptr;
  }
}
char* __plait_strtok_r(char* text, const char* delimiters, char** rest) { return Call().token(text, delimiters, rest); }
char* __plait_strtok(char* text, const char* delimiters) {
  Fiber& fiber = *run.current;  // libc keeps one state for all threads; a program that relies on that is broken anyway
  return Call().token(text, delimiters, &fiber.token_rest);
}
size_t __plait_strspn(const char* text, const char* set) { return Call().span(text, set, true); }
size_t __plait_strcspn(const char* text, const char* set) { return Call().span(text, set, false); }
char* __plait_strpbrk(const char* text, const char* set) {
  const Call call;
  text += call.span(text, set, false);
  return call.get(text) ? const_cast<char*>(text) : nullptr;
}
char* __plait_strdup(const char* text) { return Call().duplicate(text, SIZE_MAX); }
char* __plait_strndup(const char* text, size_t most) { return Call().duplicate(text, most); }

int __plait_vsnprintf(char* to, size_t capacity, const char* format, va_list arguments) {
  return format_into(to, capacity, format, arguments);
}
int __plait_vsprintf(char* to, const char* format, va_list arguments) { return format_into(to, SIZE_MAX, format, arguments); }
int __plait_snprintf(char* to, size_t capacity, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = format_into(to, capacity, format, arguments);
  va_end(arguments);
  return length;
}
int __plait_sprintf(char* to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = format_into(to, SIZE_MAX, format, arguments);
  va_end(arguments);
  return length;
}
}
