#include "instrument/known_calls.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

namespace plait::instrument {
namespace {

// Functions that the runtime stands in for (a test goes through the headers), and the language's own.
constexpr const char* kPrefixes[] = {
    "__plait_",  "pthread_",   "sem_",       "mtx_",          "cnd_",    "thrd_",  "tss_",     "_Unwind_",
    "_Znw",      "_Zna",       "_Zdl",       "_Zda",          "__sync_", "__atomic_", "__builtin_", "__sanitizer_",
    "__gxx_",    "__gcc_",     "__assert",   "__clang_call_terminate", "_ZTW", "_ZTH",
};

constexpr const char* kNames[] = {
#define PLAIT_STAND_IN(name) #name,
#define PLAIT_PURE(name) #name,
#define PLAIT_PURE_MATH(name) #name, #name "f", #name "l",
#include "instrument/known_calls.def"
#undef PLAIT_STAND_IN
#undef PLAIT_PURE
#undef PLAIT_PURE_MATH
};

const llvm::StringSet<>& names() {
  static const llvm::StringSet<> set = [] {
    llvm::StringSet<> made;
    for (const char* name : kNames) made.insert(name);
    return made;
  }();
  return set;
}

}  // namespace

bool keeps_no_state(llvm::StringRef function) {
  if (names().contains(function)) return true;
  for (const char* prefix : kPrefixes)
    if (function.starts_with(prefix)) return true;
  if (function.starts_with("__cxa_")) return function != "__cxa_demangle";
  // The standard library, but for files and input: what its objects know lies in the program's memory.
  for (const char* prefix : {"_ZNSt", "_ZNKSt", "_ZSt", "_ZNSo", "_ZNSs", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZNVSt"})
    if (function.starts_with(prefix)) return !function.contains("filebuf") && !function.contains("fstream");
  return false;
}

}  // namespace plait::instrument
