/* plait.h: what a program may tell Plait. C and C++. Without the wrapper (`plait cc`, `plait c++`) everything here is
 * a no-op, except plait_assert, which is assert.
 *
 *   plait_input(object, size, "name")   the object gets any value: checks are about all of them
 *   plait::input<T>("name")             the same for an integer, an enumeration or bool
 *   plait::input_range(lo, hi, "name")  any number of that range, both ends included
 *   plait_assume(cond)     executions in which cond is false are of no interest: they end here, silently
 *   plait_assert(cond)     a failure of the program if cond is false; never compiled out under Plait, not even by
 * NDEBUG plait_yield()          a scheduling point without an effect plait_atomic_begin()   until plait_atomic_end() no
 * other thread steps; sections may nest plait::atomic_section  the same for a C++ scope
 */
#ifndef PLAIT_H
#define PLAIT_H

#ifdef __PLAIT__

#ifdef __cplusplus
extern "C" {
#endif
void __plait_input(void* object, unsigned long size, const char* name);
long long __plait_input_range(long long low, long long high, const char* name);
void __plait_assume(int condition);
void __plait_assert_fail(const char* expression, const char* file, unsigned line, const char* function)
    __attribute__((noreturn));
void __plait_yield(void);
void __plait_atomic_begin(void);
void __plait_atomic_end(void);
#ifdef __cplusplus
}
#endif

#define plait_input(object, size, name) __plait_input(object, size, name)
#define plait_input_range(low, high, name) __plait_input_range(low, high, name)
#define plait_assume(cond) __plait_assume(!!(cond))
#define plait_assert(cond) ((cond) ? (void)0 : __plait_assert_fail(#cond, __FILE__, __LINE__, __func__))
#define plait_yield() __plait_yield()
#define plait_atomic_begin() __plait_atomic_begin()
#define plait_atomic_end() __plait_atomic_end()

#else /* not under Plait */

#include <assert.h>
#include <string.h>

#define plait_input(object, size, name) ((void)memset(object, 0, size))
#define plait_input_range(low, high, name) ((long long)(low))
#define plait_assume(cond) ((void)0)
#define plait_assert(cond) assert(cond)
#define plait_yield() ((void)0)
#define plait_atomic_begin() ((void)0)
#define plait_atomic_end() ((void)0)

#endif

#ifdef __cplusplus
namespace plait {

/// Any value of the type: an integer, an enumeration, bool.
template <class T>
T input(const char* name) {
  T value = T();
  plait_input(&value, sizeof value, name);
  return value;
}
template <>
inline bool input<bool>(const char* name) {
  return plait_input_range(0, 1, name) != 0;
}

/// Any number from low to high.
template <class T>
T input_range(T low, T high, const char* name) {
  (void)high;
  return static_cast<T>(plait_input_range(static_cast<long long>(low), static_cast<long long>(high), name));
}

/// Holds the scheduler for the scope: `{ plait::atomic_section section; ... }`.
class atomic_section {
 public:
  atomic_section() { plait_atomic_begin(); }
  ~atomic_section() { plait_atomic_end(); }
  atomic_section(const atomic_section&) = delete;
  atomic_section& operator=(const atomic_section&) = delete;
};

}  // namespace plait
#endif

#endif /* PLAIT_H */
