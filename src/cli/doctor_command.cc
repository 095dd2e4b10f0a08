// plait doctor: does everything that Plait needs work here? Says what to do if not.
#include <fmt/core.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "cli/target.h"
#include "compile/compile.h"
#include "compile/process.h"
#include "engine/check_engine.h"
#include "report/files.h"

namespace plait {
namespace {

namespace fs = std::filesystem;

class Examination {
 public:
  explicit Examination(const Style& style) : style_(style) {}
  void fine(const std::string& what) { std::printf("%s  %s\n", style_.green("ok      ").c_str(), what.c_str()); }
  void optional(const std::string& what, const std::string& advice) {
    std::printf("%s  %s: %s\n", style_.yellow("optional").c_str(), what.c_str(), advice.c_str());
  }
  void broken(const std::string& what, const std::string& advice) {
    std::printf("%s  %s: %s\n", style_.red("problem ").c_str(), what.c_str(), advice.c_str());
    ++problems_;
  }
  int problems() const { return problems_; }

 private:
  Style style_;
  int problems_ = 0;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

bool in_path(const std::string& command) {
  return capture({"sh", "-c", "command -v " + command + " >/dev/null 2>&1"}).status == 0;
}

void compilers(Examination& e) {
  Toolchain toolchain = locate_toolchain();
  for (bool cplusplus : {false, true}) {
    if (std::string problem = toolchain_problem(toolchain, cplusplus); !problem.empty()) {
      e.broken(cplusplus ? "C++ compiler" : "C compiler", problem);
      continue;
    }
    const std::string& compiler = cplusplus ? toolchain.clangxx : toolchain.clang;
    e.fine(fmt::format("{} ({})", first_line(capture({compiler, "--version"}).output), compiler));
  }
  for (const std::string& part : {toolchain.plugin, toolchain.runtime, toolchain.include + "/plait.h"})
    if (access(part.c_str(), R_OK) == 0)
      e.fine(part);
    else
      e.broken(part, "is missing: install or build Plait again");
}

void this_machine(Examination& e) {
  constexpr unsigned long kFsgsbase = 1ul << 1;  // HWCAP2_FSGSBASE
  if (getauxval(AT_HWCAP2) & kFsgsbase)
    e.fine("the processor and the kernel let programs switch thread-local storage (FSGSBASE)");
  else
    e.broken("FSGSBASE", "the processor or the kernel (before 5.9, or booted with nofsgsbase) does not allow it");
  int before = personality(0xffffffff);
  bool fixed = before != -1 && personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE) != -1 &&
               (personality(0xffffffff) & ADDR_NO_RANDOMIZE);
  if (before != -1) personality(static_cast<unsigned long>(before));
  if (fixed)
    e.fine("address-space randomisation can be switched off");
  else
    e.broken("personality()",
             "is refused, so addresses cannot be fixed: in a container, allow it in the seccomp profile "
             "(docker run --security-opt seccomp=unconfined)");
  int file = memfd_create("plait-doctor", MFD_CLOEXEC);
  if (file >= 0)
    e.fine("shared memory (memfd_create)");
  else
    e.broken("memfd_create", "is refused: a kernel from 3.17 on is needed");
  if (file >= 0) close(file);
  e.fine(fmt::format("{} cores", std::max(1u, std::thread::hardware_concurrency())));
}

void helpers(Examination& e) {
  if (!in_path("gdb"))
    e.optional("gdb", "not installed; plait replay --gdb needs it (Debian: apt-get install gdb)");
  else if (capture({"gdb", "-q", "-batch", "-nx", "-ex", "python print(1)"}).status != 0)
    e.optional("gdb", "has no Python: plait-next and plait-threads will not be there");
  else
    e.fine(first_line(capture({"gdb", "--version"}).output));
  if (in_path("rr"))
    e.fine(first_line(capture({"rr", "--version"}).output));
  else
    e.optional("rr", "not installed; plait replay --rr needs it (Debian: apt-get install rr)");
  if (in_path("llvm-symbolizer-19"))
    e.fine("llvm-symbolizer-19");
  else
    e.optional("llvm-symbolizer-19",
               "not installed; call stacks and lines of some crashes stay unknown (Debian: apt-get install llvm-19)");
}

/// From source to verdict: a lost update must be found, and only that.
void whole_way(Examination& e) {
  constexpr const char* kProgram =
      "#include <pthread.h>\n#include <assert.h>\nint x;\n"
      "void *add(void *a) { x = x + 1; return a; }\n"
      "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, add, 0);\n  add(0);\n  pthread_join(t, 0);\n"
      "  assert(x == 2);\n}\n";
  char directory[] = "/tmp/plait-doctor-XXXXXX";
  if (!mkdtemp(directory)) return e.broken("/tmp", "cannot be written");
  try {
    CheckOptions options;
    options.quiet = true;
    options.races = "off";
    options.timeout = 30;
    options.output_dir = directory;
    options.targets = {std::string(directory) + "/doctor.c"};
    write_file(options.targets[0], kProgram);
    BugProgram target = prepare_target(options);
    CheckResult result = run_check_engine(options, target);
    if (result.verdict == Verdict::Bug)
      e.fine(fmt::format("a program was compiled and checked: its bug was found in {} executions", result.executions));
    else
      e.broken("checking a small program", "its bug was not found; please report this");
  } catch (const std::exception& error) {
    e.broken("checking a small program", error.what());
  }
  std::error_code ignored;
  fs::remove_all(directory, ignored);
}

}  // namespace

int run_doctor(ColorMode color) {
  std::printf("plait " PLAIT_VERSION "\n");
  Examination e{Style(use_color(color, 1))};
  this_machine(e);
  compilers(e);
  helpers(e);
  if (e.problems() == 0) whole_way(e);
  std::printf(e.problems() ? "%d problem%s\n" : "everything that is needed is here\n", e.problems(),
              e.problems() == 1 ? "" : "s");
  return e.problems() ? 2 : 0;
}

}  // namespace plait
