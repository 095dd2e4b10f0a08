// The common memory and string functions, narrow and wide, as accesses to the program's memory. The pass redirects the
// program's calls here.
#include "runtime/strings.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "runtime/failure.h"
#include "runtime/format.h"
#include "runtime/process.h"

namespace plait::runtime {
namespace {

/// The functions, for char and wchar_t alike. Members of the call that they belong to.
struct Strings : Call {
  template <class C>
  C* copy_text(C* to, const C* from) const {
    for (;; ++to, ++from) {
      const Letter<C> c = look(from);
      put(to, c);
      if (c.is(C{})) return to;
    }
  }
  template <class C>
  C* copy_padded(C* to, const C* from, size_t size) const {  // returns the end of the text
    C* end = nullptr;
    for (size_t i = 0; i < size; ++i) {
      const Letter<C> c = end ? Letter<C>{} : look(from + i);
      if (!end && c.is(C{})) end = to + i;
      put(to + i, c);
    }
    return end ? end : to + size;
  }
  template <class C>
  C* append(C* to, const C* from, size_t most) const {
    C* end = to + length(to);
    size_t i = 0;
    for (; i < most; ++i) {
      const Letter<C> c = look(from + i);
      if (c.is(C{})) break;
      put(end + i, c);
    }
    put(end + i, C{});
    return to;
  }
  template <class C, class Map>
  int compare(const C* a, const C* b, size_t most, bool text, Map map) const {
    for (size_t i = 0; i < most; ++i) {
      const Letter<C> x = map(text ? look(a + i) : letter(a + i)), y = map(text ? look(b + i) : letter(b + i));
      if (!x.is(y)) return x.is_below(y) ? -1 : 1;
      if (text && x.is(C{})) return 0;
    }
    return 0;
  }
  template <class C>
  C* find(const C* text, C wanted, C* otherwise_at_end = nullptr, bool end = false) const {
    for (;; ++text) {
      const Letter<C> c = look(text);
      if (c.is(wanted)) return const_cast<C*>(text);
      if (c.is(C{})) return end ? const_cast<C*>(text) : otherwise_at_end;
    }
  }
  template <class C>
  C* find_last(const C* text, C wanted) const {
    for (const C* found = nullptr;; ++text) {
      const Letter<C> c = look(text);
      if (c.is(wanted)) found = text;
      if (c.is(C{})) return const_cast<C*>(found);
    }
  }
  template <class C>
  C* find_unit(const C* text, C wanted, size_t size) const {
    for (size_t i = 0; i < size; ++i)
      if (letter(text + i).is(wanted)) return const_cast<C*>(text + i);
    return nullptr;
  }
  template <class C, class Map>
  C* find_text(const C* text, const C* wanted, Map map) const {
    const size_t n = length(wanted);
    for (;; ++text) {
      if (compare(text, wanted, n, true, map) == 0) return const_cast<C*>(text);
      if (is_end(text)) return nullptr;
    }
  }
  template <class C>
  bool is_end(const C* text) const {
    return letter(text).is(C{});
  }
  template <class C>
  bool contains(const C* set, const Letter<C>& c) const {
    for (;; ++set) {
      const Letter<C> s = letter(set);
      if (s.is(C{})) return false;
      if (s.is(c)) return true;
    }
  }
  template <class C>
  size_t span(const C* text, const C* set, bool accept) const {
    for (size_t n = 0;; ++n) {
      const Letter<C> c = letter(text + n);
      if (c.is(C{}) || contains(set, c) != accept) return n;
    }
  }
  /// As in glibc: at its end the rest of a text is empty, that of a wide text is null.
  template <class C>
  C* token(C* text, const C* delimiters, C** rest) const {
    if (!text) text = get_pointer(rest);
    if (!text) return nullptr;
    text += span(text, delimiters, true);
    constexpr bool kWide = sizeof(C) > 1;
    if (is_end(text)) {
      put_pointer<C>(rest, kWide ? nullptr : text);
      return nullptr;
    }
    C* end = text + span(text, delimiters, false);
    const bool more = !is_end(end);
    if (more) put(end, C{});
    put_pointer<C>(rest, more ? end + 1 : kWide ? nullptr : end);
    return text;
  }
  template <class C>
  C* duplicate(const C* text, size_t most) const {
    const size_t n = length(text, most);
    begin_operation();
    auto* result = static_cast<C*>(allocate((n + 1) * sizeof(C), 16, site, false));
    copy(at(result), at(text), n * sizeof(C), site);
    put(result + n, C{});
    return result;
  }
};

template <class C>
const Letter<C>& same(const Letter<C>& c) {
  return c;
}
Letter<char> folded(const Letter<char>& c) {
  return {static_cast<char>(tolower(static_cast<unsigned char>(c.fixed()))), 0, c.site};
}
Letter<wchar_t> folded_wide(const Letter<wchar_t>& c) {
  return {static_cast<wchar_t>(towlower(static_cast<wint_t>(c.fixed()))), 0, c.site};
}

char* token_rest;  // strtok: one for all threads, as in libc

/// Formatting: libc writes into a private buffer, then the text is stored.
int format_into(char* to, size_t capacity, const char* format, va_list arguments) {
  const Call call;
  Formatting formatting(call, format, arguments);
  char small[512];
  va_list again;
  va_copy(again, arguments);
  const int length = PLAIT_REAL(vsnprintf)(small, sizeof small, formatting.format(), arguments);
  if (length >= 0 && capacity > 0) {
    const size_t wanted = static_cast<size_t>(length) < capacity ? static_cast<size_t>(length) : capacity - 1;
    if (static_cast<size_t>(length) < sizeof small) {
      store_range(at(to), small, wanted, call.site);
    } else {
      auto* large = static_cast<char*>(PLAIT_REAL(malloc)(static_cast<size_t>(length) + 1));
      PLAIT_REAL(vsnprintf)(large, static_cast<size_t>(length) + 1, formatting.format(), again);
      store_range(at(to), large, wanted, call.site);
      PLAIT_REAL(free)(large);
    }
    call.put(to + wanted, '\0');
  }
  va_end(again);
  formatting.finish();
  return length;
}

int format_new(char** to, const char* format, va_list arguments) {
  const Call call;
  Formatting formatting(call, format, arguments);
  va_list again;
  va_copy(again, arguments);
  const int length = PLAIT_REAL(vsnprintf)(nullptr, 0, formatting.format(), again);
  va_end(again);
  if (length < 0) return length;
  begin_operation();
  const size_t size = static_cast<size_t>(length) + 1;
  auto* text = static_cast<char*>(allocate(size, 16, call.site, false));
  auto* made = static_cast<char*>(PLAIT_REAL(malloc)(size));
  PLAIT_REAL(vsnprintf)(made, size, formatting.format(), arguments);
  store_range(at(text), made, size, call.site);
  PLAIT_REAL(free)(made);
  call.put_pointer(to, text);
  formatting.finish();
  return length;
}

}  // namespace

void reset_strings() { token_rest = nullptr; }

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
void* __plait_memccpy(void* to, const void* from, int byte, size_t size) {
  const Call call;
  auto* out = static_cast<char*>(to);
  auto* in = static_cast<const char*>(from);
  for (size_t i = 0; i < size; ++i) {
    const Letter<char> c = call.letter(in + i);
    call.put(out + i, c);
    if (c.is(static_cast<char>(byte))) return out + i + 1;
  }
  return nullptr;
}
void __plait_swab(const void* from, void* to, ssize_t size) {
  const Call call;
  auto* in = static_cast<const char*>(from);
  auto* out = static_cast<char*>(to);
  for (ssize_t i = 0; i + 1 < size; i += 2) {
    const Letter<char> first = call.letter(in + i), second = call.letter(in + i + 1);
    call.put(out + i, second);
    call.put(out + i + 1, first);
  }
}
void* __plait_memset(void* to, int byte, size_t size) {
  fill(at(to), static_cast<u8>(byte), size, Call().site);
  return to;
}
void __plait_bzero(void* to, size_t size) { fill(at(to), 0, size, Call().site); }
void __plait_bcopy(const void* from, void* to, size_t size) { copy(at(to), at(from), size, Call().site); }
int __plait_memcmp(const void* a, const void* b, size_t size) {
  return Strings().compare(static_cast<const char*>(a), static_cast<const char*>(b), size, false, same<char>);
}
int __plait_bcmp(const void* a, const void* b, size_t size) { return __plait_memcmp(a, b, size); }
void* __plait_memchr(const void* text, int byte, size_t size) {
  return Strings().find_unit(static_cast<const char*>(text), static_cast<char>(byte), size);
}
void* __plait_rawmemchr(const void* text, int byte) {
  return Strings().find_unit(static_cast<const char*>(text), static_cast<char>(byte), SIZE_MAX);
}
void* __plait_memrchr(const void* text, int byte, size_t size) {
  const Call call;
  const char* p = static_cast<const char*>(text);
  while (size-- > 0)
    if (call.letter(p + size).is(static_cast<char>(byte))) return const_cast<char*>(p + size);
  return nullptr;
}
void* __plait_memmem(const void* text, size_t size, const void* wanted, size_t wanted_size) {
  const Strings call;
  const char* p = static_cast<const char*>(text);
  for (size_t i = 0; i + wanted_size <= size; ++i)
    if (call.compare(p + i, static_cast<const char*>(wanted), wanted_size, false, same<char>) == 0)
      return const_cast<char*>(p + i);
  return nullptr;
}
size_t __plait_strlen(const char* text) { return Call().length(text); }
size_t __plait_strnlen(const char* text, size_t most) { return Call().length(text, most); }
int __plait_strcmp(const char* a, const char* b) { return Strings().compare(a, b, SIZE_MAX, true, same<char>); }
int __plait_strncmp(const char* a, const char* b, size_t most) {
  return Strings().compare(a, b, most, true, same<char>);
}
int __plait_strcasecmp(const char* a, const char* b) { return Strings().compare(a, b, SIZE_MAX, true, folded); }
int __plait_strncasecmp(const char* a, const char* b, size_t most) {
  return Strings().compare(a, b, most, true, folded);
}
char* __plait_strcpy(char* to, const char* from) {
  Strings().copy_text(to, from);
  return to;
}
char* __plait_stpcpy(char* to, const char* from) { return Strings().copy_text(to, from); }
char* __plait_strncpy(char* to, const char* from, size_t size) {
  Strings().copy_padded(to, from, size);
  return to;
}
char* __plait_stpncpy(char* to, const char* from, size_t size) { return Strings().copy_padded(to, from, size); }
char* __plait_strcat(char* to, const char* from) { return Strings().append(to, from, SIZE_MAX); }
char* __plait_strncat(char* to, const char* from, size_t most) { return Strings().append(to, from, most); }
char* __plait_strchr(const char* text, int character) { return Strings().find(text, static_cast<char>(character)); }
char* __plait_index(const char* text, int character) { return __plait_strchr(text, character); }
char* __plait_strchrnul(const char* text, int character) {
  return Strings().find<char>(text, static_cast<char>(character), nullptr, true);
}
char* __plait_strrchr(const char* text, int character) {
  return Strings().find_last(text, static_cast<char>(character));
}
char* __plait_rindex(const char* text, int character) { return __plait_strrchr(text, character); }
char* __plait_strstr(const char* text, const char* wanted) { return Strings().find_text(text, wanted, same<char>); }
char* __plait_strcasestr(const char* text, const char* wanted) { return Strings().find_text(text, wanted, folded); }
char* __plait_strtok_r(char* text, const char* delimiters, char** rest) {
  return Strings().token(text, delimiters, rest);
}
char* __plait_strtok(char* text, const char* delimiters) { return Strings().token(text, delimiters, &token_rest); }
char* __plait_strsep(char** rest, const char* delimiters) {
  const Strings call;
  char* text = call.get_pointer(rest);
  if (!text) return nullptr;
  char* end = text + call.span(text, delimiters, false);
  const bool more = !call.is_end(end);
  if (more) call.put(end, '\0');
  call.put_pointer<char>(rest, more ? end + 1 : nullptr);
  return text;
}
size_t __plait_strspn(const char* text, const char* set) { return Strings().span(text, set, true); }
size_t __plait_strcspn(const char* text, const char* set) { return Strings().span(text, set, false); }
char* __plait_strpbrk(const char* text, const char* set) {
  const Strings call;
  text += call.span(text, set, false);
  return call.is_end(text) ? nullptr : const_cast<char*>(text);
}
char* __plait_strdup(const char* text) { return Strings().duplicate(text, SIZE_MAX); }
char* __plait_strndup(const char* text, size_t most) { return Strings().duplicate(text, most); }
int __plait_strcoll(const char* a, const char* b) {
  const Call call;
  Room room;
  const char *x = room.text(call, a), *y = room.text(call, b);
  if (!x || !y) unsupported("strcoll of more than 64 KiB");
  return PLAIT_REAL(strcoll)(x, y);
}
size_t __plait_strxfrm(char* to, const char* from, size_t size) {
  const Call call;
  Room room;
  const char* text = room.text(call, from);
  char* result = text ? room.reserve(size) : nullptr;
  if (!text || (size && !result)) unsupported("strxfrm of more than 64 KiB");
  const size_t length = PLAIT_REAL(strxfrm)(result, text, size);
  if (size) store_range(at(to), result, length < size ? length + 1 : size, call.site);
  return length;
}
char* __plait_strerror_r(int number, char* to, size_t size) {  // GNU's: it may return another text
  const Call call;
  char text[256];
  const char* result = PLAIT_REAL(strerror_r)(number, text, size < sizeof text ? size : sizeof text);
  if (result != text) return const_cast<char*>(result);
  store_range(at(to), text, strlen(text) + 1, call.site);
  return to;
}
int __plait___xpg_strerror_r(int number, char* to, size_t size) {
  const Call call;
  char text[256];
  static const auto real = reinterpret_cast<int (*)(int, char*, size_t)>(real_function("__xpg_strerror_r"));
  const int error = real(number, text, size < sizeof text ? size : sizeof text);
  if (size) store_range(at(to), text, strlen(text) + 1, call.site);
  return error;
}

size_t __plait_wcslen(const wchar_t* text) { return Call().length(text); }
size_t __plait_wcsnlen(const wchar_t* text, size_t most) { return Call().length(text, most); }
int __plait_wcscmp(const wchar_t* a, const wchar_t* b) {
  return Strings().compare(a, b, SIZE_MAX, true, same<wchar_t>);
}
int __plait_wcsncmp(const wchar_t* a, const wchar_t* b, size_t most) {
  return Strings().compare(a, b, most, true, same<wchar_t>);
}
int __plait_wcscasecmp(const wchar_t* a, const wchar_t* b) {
  return Strings().compare(a, b, SIZE_MAX, true, folded_wide);
}
int __plait_wcsncasecmp(const wchar_t* a, const wchar_t* b, size_t most) {
  return Strings().compare(a, b, most, true, folded_wide);
}
wchar_t* __plait_wcscpy(wchar_t* to, const wchar_t* from) {
  Strings().copy_text(to, from);
  return to;
}
wchar_t* __plait_wcpcpy(wchar_t* to, const wchar_t* from) { return Strings().copy_text(to, from); }
wchar_t* __plait_wcsncpy(wchar_t* to, const wchar_t* from, size_t size) {
  Strings().copy_padded(to, from, size);
  return to;
}
wchar_t* __plait_wcpncpy(wchar_t* to, const wchar_t* from, size_t size) {
  return Strings().copy_padded(to, from, size);
}
wchar_t* __plait_wcscat(wchar_t* to, const wchar_t* from) { return Strings().append(to, from, SIZE_MAX); }
wchar_t* __plait_wcsncat(wchar_t* to, const wchar_t* from, size_t most) { return Strings().append(to, from, most); }
wchar_t* __plait_wcschr(const wchar_t* text, wchar_t character) { return Strings().find(text, character); }
wchar_t* __plait_wcschrnul(const wchar_t* text, wchar_t character) {
  return Strings().find<wchar_t>(text, character, nullptr, true);
}
wchar_t* __plait_wcsrchr(const wchar_t* text, wchar_t character) { return Strings().find_last(text, character); }
wchar_t* __plait_wcsstr(const wchar_t* text, const wchar_t* wanted) {
  return Strings().find_text(text, wanted, same<wchar_t>);
}
wchar_t* __plait_wcstok(wchar_t* text, const wchar_t* delimiters, wchar_t** rest) {
  return Strings().token(text, delimiters, rest);
}
size_t __plait_wcsspn(const wchar_t* text, const wchar_t* set) { return Strings().span(text, set, true); }
size_t __plait_wcscspn(const wchar_t* text, const wchar_t* set) { return Strings().span(text, set, false); }
wchar_t* __plait_wcspbrk(const wchar_t* text, const wchar_t* set) {
  const Strings call;
  text += call.span(text, set, false);
  return call.is_end(text) ? nullptr : const_cast<wchar_t*>(text);
}
wchar_t* __plait_wcsdup(const wchar_t* text) { return Strings().duplicate(text, SIZE_MAX); }
wchar_t* __plait_wmemcpy(wchar_t* to, const wchar_t* from, size_t size) {
  copy(at(to), at(from), size * sizeof(wchar_t), Call().site);
  return to;
}
wchar_t* __plait_wmemmove(wchar_t* to, const wchar_t* from, size_t size) { return __plait_wmemcpy(to, from, size); }
wchar_t* __plait_wmempcpy(wchar_t* to, const wchar_t* from, size_t size) {
  return __plait_wmemcpy(to, from, size) + size;
}
wchar_t* __plait_wmemset(wchar_t* to, wchar_t character, size_t size) {
  const Call call;
  for (size_t i = 0; i < size; ++i) call.put(to + i, character);
  return to;
}
int __plait_wmemcmp(const wchar_t* a, const wchar_t* b, size_t size) {
  return Strings().compare(a, b, size, false, same<wchar_t>);
}
wchar_t* __plait_wmemchr(const wchar_t* text, wchar_t character, size_t size) {
  return Strings().find_unit(text, character, size);
}

int __plait_vsnprintf(char* to, size_t capacity, const char* format, va_list arguments) {
  return format_into(to, capacity, format, arguments);
}
int __plait_vsprintf(char* to, const char* format, va_list arguments) {
  return format_into(to, SIZE_MAX, format, arguments);
}
int __plait_vasprintf(char** to, const char* format, va_list arguments) { return format_new(to, format, arguments); }
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
int __plait_asprintf(char** to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = format_new(to, format, arguments);
  va_end(arguments);
  return length;
}
}
