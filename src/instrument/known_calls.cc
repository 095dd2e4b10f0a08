#include "instrument/known_calls.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

namespace plait::instrument {
namespace {

// Functions that the runtime stands in for (a test goes through the headers), and the language's own.
constexpr const char* kPrefixes[] = {
    "__plait_",    "pthread_",
    "sem_",        "mtx_",
    "cnd_",        "thrd_",
    "tss_",        "_Unwind_",
    "_Znw",        "_Zna",
    "_Zdl",        "_Zda",
    "__sync_",     "__atomic_",
    "__builtin_",  "__sanitizer_",
    "__VERIFIER_", "klee_",
    "__gxx_",      "__gcc_",
    "__assert",    "__clang_call_terminate",
    "_ZTW",        "_ZTH",
};

constexpr const char* kNames[] = {
#define PLAIT_STAND_IN(name) #name,
#define PLAIT_PURE(name) #name,
#define PLAIT_PURE_MATH(name) #name, #name "f", #name "l",
#define PLAIT_UNSEEN(name)
#include "instrument/known_calls.def"
#undef PLAIT_STAND_IN
#undef PLAIT_PURE
#undef PLAIT_PURE_MATH
#undef PLAIT_UNSEEN
};

constexpr const char* kUnseen[] = {
#define PLAIT_STAND_IN(name)
#define PLAIT_PURE(name)
#define PLAIT_PURE_MATH(name)
#define PLAIT_UNSEEN(name) #name,
#include "instrument/known_calls.def"
#undef PLAIT_STAND_IN
#undef PLAIT_PURE
#undef PLAIT_PURE_MATH
#undef PLAIT_UNSEEN
};

llvm::StringSet<> set_of(llvm::ArrayRef<const char*> names) {
  llvm::StringSet<> made;
  for (const char* name : names) made.insert(name);
  return made;
}

bool starts_with_one_of(llvm::StringRef function, llvm::ArrayRef<const char*> prefixes) {
  for (const char* prefix : prefixes)
    if (function.starts_with(prefix)) return true;
  return false;
}

// The standard library's code that is not in its headers.
constexpr const char* kStandard[] = {"_ZNSt", "_ZNKSt", "_ZSt",   "_ZNSo",         "_ZNSi",          "_ZNSd",
                                     "_ZNSa", "_ZNSs",  "_ZNKSs", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZNVSt"};

enum class Known { Instrumented, Controlled, Opaque };
struct Row {
  Known known;
  llvm::StringRef beginning;
};
constexpr Row kStandardFunctions[] = {
#define PLAIT_STANDARD(KNOWN, BEGINNING) {Known::KNOWN, BEGINNING},
#include "instrument/standard_library.def"
#undef PLAIT_STANDARD
};

Known known_of(llvm::StringRef function) {
  const Row* best = nullptr;
  for (const Row& row : kStandardFunctions)
    if (function.starts_with(row.beginning) && (!best || row.beginning.size() > best->beginning.size())) best = &row;
  return best ? best->known : Known::Opaque;
}

}  // namespace

bool keeps_no_state(llvm::StringRef function) {
  static const llvm::StringSet<> names = set_of(kNames);
  if (names.contains(function)) return true;
  if (starts_with_one_of(function, kPrefixes)) return true;
  if (function.starts_with("llvm.")) return true;  // a coroutine goes on: its code is the program's
  if (function.starts_with("__cxa_")) return function != "__cxa_demangle";
  // The standard library, but for files: what its objects know lies in the program's memory, which it is handed.
  return starts_with_one_of(function, kStandard) && !function.contains("filebuf") && !function.contains("fstream");
}

bool is_system_function(llvm::StringRef function) {
  static const llvm::StringSet<> unseen = set_of(kUnseen);
  constexpr const char* kTests[] = {"_ZN7testing", "_ZNK7testing"};  // GoogleTest
  return unseen.contains(function) || starts_with_one_of(function, kStandard) || starts_with_one_of(function, kTests);
}

bool touches_nothing_unseen(llvm::StringRef function) {
  if (starts_with_one_of(function, kStandard)) return known_of(function) == Known::Controlled;
  return keeps_no_state(function);
}

bool is_destructor(llvm::StringRef function) {
  return function.ends_with("D0Ev") || function.ends_with("D1Ev") || function.ends_with("D2Ev");
}

bool is_handed_memory(llvm::StringRef function, unsigned pointer) {
  static const llvm::StringSet<> unseen = set_of(kUnseen);
  if (unseen.contains(function)) return true;
  if (!starts_with_one_of(function, kStandard) || known_of(function) != Known::Opaque) return false;
  // The object comes first. Other pointers are to what is read, unless a value is put there.
  if (pointer == 0) return true;
  for (const char* part :
       {"_ZNSi", "_ZStrs", "getline", "basic_istream", "copyfmt", "swap", "_Rb_tree", "_List_node", "xsgetn"})
    if (function.contains(part)) return true;
  return false;
}

bool only_reads(llvm::StringRef function, unsigned pointer) {
  struct Arguments {
    const char* function;
    unsigned first, last;  // of the pointers
  };
  constexpr Arguments kRead[] = {
      {"strftime", 1, 2}, {"wcsftime", 1, 2},  {"strptime", 0, 1},   {"localtime_r", 0, 0}, {"gmtime_r", 0, 0},
      {"ctime_r", 0, 0},  {"asctime_r", 0, 0}, {"swprintf", 1, ~0u}, {"readlink", 0, 0},    {"mbrtowc", 1, 1},
      {"mbrlen", 0, 0},   {"wcsxfrm", 1, 1},   {"wcscoll", 0, 1},    {"strverscmp", 0, 1},  {"regexec", 0, 1},
      {"regcomp", 1, 1},  {"inet_ntop", 0, 0}, {"inet_pton", 0, 0},  {"inet_aton", 0, 0},   {"lfind", 0, 2},
      {"lsearch", 0, 0},  {"tfind", 0, 1},     {"nan", 0, 0},        {"nanf", 0, 0},        {"nanl", 0, 0},
  };
  for (const Arguments& one : kRead)
    if (function == one.function) return pointer >= one.first && pointer <= one.last;
  return pointer == 0 && function.starts_with("_ZNK");  // a const member
}

bool gives_values(llvm::StringRef function, unsigned pointer) {
  if (!starts_with_one_of(function, kStandard)) return false;
  const Known known = known_of(function);
  if (known != Known::Controlled) return known == Known::Opaque;
  return pointer == 0 && (function.contains("C1E") || function.contains("C2E"));  // constructors
}

}  // namespace plait::instrument
