// Conversions between texts and wide texts, one character at a time: no byte is read that the function would not read.
// The pass redirects the program's calls here.
#include <limits.h>
#include <stdlib.h>
#include <wchar.h>

#include "runtime/call.h"

namespace plait::runtime {
namespace {

constexpr int kWrong = -1;

/// How many bytes of the text are the next character; kWrong: none is.
int next_character(const Call& call, const char* from, size_t most, wchar_t& character) {
  mbstate_t state = {};
  for (size_t n = 0; n < most && n < MB_LEN_MAX; ++n) {
    const char byte = call.get(from + n);
    const size_t length = mbrtowc(&character, &byte, 1, &state);
    if (length == static_cast<size_t>(-1)) return kWrong;
    if (length != static_cast<size_t>(-2)) return static_cast<int>(n) + 1;
  }
  return kWrong;
}

/// The bytes of a character.
int bytes_of(wchar_t character, char (&bytes)[MB_LEN_MAX]) {
  mbstate_t state = {};
  return static_cast<int>(wcrtomb(bytes, character, &state));
}

void put_bytes(const Call& call, char* to, const char* bytes, int count) {
  for (int i = 0; i < count; ++i) call.put(to + i, bytes[i]);
}

}  // namespace
}  // namespace plait::runtime

using namespace plait::runtime;

extern "C" {

size_t __plait_mbstowcs(wchar_t* to, const char* from, size_t size) {
  const Call call;
  for (size_t n = 0;; ++n) {
    if (to && n == size) return n;
    wchar_t character;
    const int length = next_character(call, from, SIZE_MAX, character);
    if (length == kWrong) return static_cast<size_t>(-1);
    if (to) call.put(to + n, character);
    if (!character) return n;
    from += length;
  }
}

size_t __plait_wcstombs(char* to, const wchar_t* from, size_t size) {
  const Call call;
  for (size_t n = 0;; ++from) {
    if (to && n == size) return n;
    const wchar_t character = call.get(from);
    char bytes[MB_LEN_MAX];
    const int length = bytes_of(character, bytes);
    if (length == kWrong) return static_cast<size_t>(-1);
    if (to && n + static_cast<size_t>(length) > size) return n;
    if (to) put_bytes(call, to + n, bytes, length);
    if (!character) return n;
    n += static_cast<size_t>(length);
  }
}

int __plait_mbtowc(wchar_t* to, const char* from, size_t size) {
  const Call call;
  if (!from) return 0;  // no encoding has a state
  wchar_t character;
  const int length = next_character(call, from, size, character);
  if (length == kWrong) return kWrong;
  if (to) call.put(to, character);
  return character ? length : 0;
}

int __plait_wctomb(char* to, wchar_t character) {
  const Call call;
  if (!to) return 0;
  char bytes[MB_LEN_MAX];
  const int length = bytes_of(character, bytes);
  if (length != kWrong) put_bytes(call, to, bytes, length);
  return length;
}
}
