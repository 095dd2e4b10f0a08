#include "instrument/known_calls.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

namespace plait::instrument {
namespace {

// Functions that the runtime stands in for, and the language's own.
constexpr const char* kPrefixes[] = {
    "__plait_", "pthread_", "sem_", "mtx_",  "cnd_",   "thrd_",     "tss_",     "__cxa_",   "_Unwind_",
    "_Zn",      "_Zd",      "mem",  "__mem", "str",    "wcs",       "wmem",     "__isoc",   "__ctype_",
    "__sync_",  "__atomic_", "__builtin_",   "__sanitizer_", "__gxx_", "__gcc_", "__assert", "__clang_call_terminate",
    "_ZTW",     "_ZTH",
};

constexpr const char* kNames[] = {
    // allocation, the end of the program
    "malloc", "calloc", "realloc", "reallocarray", "free", "aligned_alloc", "posix_memalign", "valloc",
    "malloc_usable_size", "abort", "exit", "_exit", "_Exit", "quick_exit", "atexit", "at_quick_exit",
    // output, which is captured
    "printf", "fprintf", "vprintf", "vfprintf", "dprintf", "puts", "fputs", "putchar", "fputc", "putc", "fflush",
    "perror", "fwrite", "write", "snprintf", "sprintf", "vsnprintf", "vsprintf", "asprintf", "vasprintf", "sscanf",
    "vsscanf",
    // time, on virtual clocks; yielding
    "time", "clock", "clock_gettime", "clock_getres", "gettimeofday", "timespec_get", "sleep", "usleep",
    "nanosleep", "clock_nanosleep", "sched_yield", "sched_getcpu", "getpid", "gettid", "syscall", "call_once",
    "sysconf", "get_nprocs",
    // random numbers, per thread
    "rand", "srand", "random", "srandom", "rand_r", "drand48", "lrand48", "mrand48", "getrandom", "arc4random",
    // numbers and characters
    "abs", "labs", "llabs", "div", "ldiv", "lldiv", "atoi", "atol", "atoll", "atof", "isalnum", "isalpha",
    "isascii", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper",
    "isxdigit", "tolower", "toupper", "bcmp", "bcopy", "bzero", "ffs", "ffsl", "ffsll", "htonl", "htons", "ntohl",
    "ntohs",
    // algorithms that call back
    "qsort", "qsort_r", "bsearch", "setjmp", "_setjmp", "longjmp", "__sigsetjmp", "__errno_location", "getenv",
    // floating-point modes, which are part of a thread's state
    "fegetround", "fesetround", "fetestexcept", "feclearexcept", "feraiseexcept", "fegetexcept", "feenableexcept",
    "fedisableexcept",
    // the process, whose state ghost words show
    "umask", "chdir", "fchdir", "getcwd", "get_current_dir_name", "setenv", "unsetenv", "putenv", "clearenv",
    "secure_getenv",
};

constexpr const char* kMath[] = {
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erf",
    "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "frexp", "hypot",
    "ilogb", "ldexp", "llrint", "llround", "log", "log10", "log1p", "log2", "logb", "lrint", "lround", "modf",
    "nan", "nearbyint", "nextafter", "nexttoward", "pow", "remainder", "remquo", "rint", "round", "scalbln",
    "scalbn", "sin", "sincos", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc",
};

const llvm::StringSet<>& names() {
  static const llvm::StringSet<> set = [] {
    llvm::StringSet<> made;
    for (const char* name : kNames) made.insert(name);
    for (const char* name : kMath)
      for (const char* suffix : {"", "f", "l"}) made.insert((llvm::Twine(name) + suffix).str());
    return made;
  }();
  return set;
}

}  // namespace

bool keeps_no_state(llvm::StringRef function) {
  if (names().contains(function)) return true;
  for (const char* prefix : kPrefixes)
    if (function.starts_with(prefix)) return true;
  // The standard library, but for files and input: what its objects know lies in the program's memory.
  for (const char* prefix : {"_ZNSt", "_ZNKSt", "_ZSt", "_ZNSo", "_ZNSs", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZNVSt"})
    if (function.starts_with(prefix)) return !function.contains("filebuf") && !function.contains("fstream");
  return false;
}

}  // namespace plait::instrument
