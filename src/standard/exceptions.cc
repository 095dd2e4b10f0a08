// The standard exceptions with texts: libstdc++ keeps their texts in counted strings, which it reads and writes inside
// its shared library. An exception can travel to another thread, so these are accesses like any other.
//
// The layout of a counted string is libstdc++'s, because its own code makes and destroys such exceptions, too: length,
// capacity and the number of further owners stand in front of the text.
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <future>
#include <new>
#include <stdexcept>
#include <system_error>

namespace std {
namespace {

struct Counted {
  size_t length, capacity;
  int more_owners;
};

Counted* counted(const char* text) { return reinterpret_cast<Counted*>(const_cast<char*>(text)) - 1; }

const char* make(const char* text, size_t length) {
  auto* made = static_cast<Counted*>(::operator new(sizeof(Counted) + length + 1));
  made->length = made->capacity = length;
  made->more_owners = 0;
  char* copy = reinterpret_cast<char*>(made + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

const char* share(const char* text) {
  __atomic_fetch_add(&counted(text)->more_owners, 1, __ATOMIC_ACQ_REL);
  return text;
}

void drop(const char* text) {
  if (__atomic_fetch_sub(&counted(text)->more_owners, 1, __ATOMIC_ACQ_REL) <= 0) ::operator delete(counted(text));
}

}  // namespace

__cow_string::__cow_string() : _M_p(make("", 0)) {}
__cow_string::__cow_string(const string& text) : _M_p(make(text.data(), text.size())) {}
__cow_string::__cow_string(const char* text, size_t length) : _M_p(make(text, length)) {}
__cow_string::__cow_string(const __cow_string& other) noexcept : _M_p(share(other._M_p)) {}
__cow_string::__cow_string(__cow_string&& other) noexcept : _M_p(share(other._M_p)) {}
__cow_string& __cow_string::operator=(const __cow_string& other) noexcept {
  const char* text = share(other._M_p);
  drop(_M_p);
  _M_p = text;
  return *this;
}
__cow_string& __cow_string::operator=(__cow_string&& other) noexcept { return *this = other; }
__cow_string::~__cow_string() { drop(_M_p); }

#define PLAIT_ERROR(NAME)                                      \
  NAME::NAME(const string& text) : _M_msg(text) {}             \
  NAME::NAME(const char* text) : _M_msg(text, strlen(text)) {} \
  NAME::NAME(NAME&& other) noexcept = default;                 \
  NAME& NAME::operator=(NAME&& other) noexcept = default;      \
  NAME::NAME(const NAME& other) noexcept = default;            \
  NAME& NAME::operator=(const NAME& other) noexcept = default; \
  NAME::~NAME() noexcept = default;                            \
  const char* NAME::what() const noexcept { return _M_msg._M_p; }
PLAIT_ERROR(logic_error)
PLAIT_ERROR(runtime_error)
#undef PLAIT_ERROR

#define PLAIT_ERROR(NAME, BASE)                  \
  NAME::NAME(const string& text) : BASE(text) {} \
  NAME::NAME(const char* text) : BASE(text) {}   \
  NAME::~NAME() noexcept = default;
PLAIT_ERROR(domain_error, logic_error)
PLAIT_ERROR(invalid_argument, logic_error)
PLAIT_ERROR(length_error, logic_error)
PLAIT_ERROR(out_of_range, logic_error)
PLAIT_ERROR(range_error, runtime_error)
PLAIT_ERROR(overflow_error, runtime_error)
PLAIT_ERROR(underflow_error, runtime_error)
#undef PLAIT_ERROR

system_error::~system_error() noexcept = default;
future_error::~future_error() noexcept = default;
const char* future_error::what() const noexcept { return logic_error::what(); }

#define PLAIT_THROW(NAME) \
  void __throw_##NAME(const char* text) { throw NAME(text); }
PLAIT_THROW(logic_error)
PLAIT_THROW(domain_error)
PLAIT_THROW(invalid_argument)
PLAIT_THROW(length_error)
PLAIT_THROW(out_of_range)
PLAIT_THROW(runtime_error)
PLAIT_THROW(range_error)
PLAIT_THROW(overflow_error)
PLAIT_THROW(underflow_error)
#undef PLAIT_THROW

void __throw_system_error(int error) { throw system_error(error_code(error, generic_category())); }
void __throw_future_error(int error) { throw future_error(make_error_code(future_errc(error))); }

void __throw_out_of_range_fmt(const char* format, ...) {
  // The longest text of the headers has a hundred characters and four numbers.
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw out_of_range(text);
}

}  // namespace std
