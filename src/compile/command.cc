// Which flags are added, and why each.
#include <algorithm>

#include "compile/arguments.h"
#include "compile/compile.h"

namespace plait {

namespace {

using Words = std::vector<std::string>;

void append(Words& to, const Words& words) { to.insert(to.end(), words.begin(), words.end()); }

/// The same for every phase, so that `-E` shows what `-c` compiles.
Words macros(const Toolchain& toolchain) {
  return {
      "-D__PLAIT__=1",
      "-D_GLIBCXX_ASSERTIONS",  // also makes std::string a template of this unit, so that its accesses are seen
      "-idirafter" + toolchain.include,
  };
}

/// Checked variants (__memcpy_chk ...) would bypass the runtime. After the user's own -D_FORTIFY_SOURCE.
Words final_macros() { return {"-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=0"}; }

Words code_flags(const Toolchain& toolchain, const Arguments& arguments) {
  Words flags = {
      "-g",                               // sites
      "-mcx16",                           // 16-byte atomics as instructions, not as calls to a library
      "-fno-common",                      // every global has one definition and can be given a section
      "-ftrivial-auto-var-init=pattern",  // uninitialised locals must not differ from run to run
      "-Xclang",
      "-fsanitize-address-use-after-scope",  // marks where locals begin and end, at -O0 too
      "-fplugin=" + toolchain.plugin,
      "-fpass-plugin=" + toolchain.plugin,
  };
  if (!arguments.optimisation) flags.push_back("-O1");
  if (arguments.follow_inputs) append(flags, {"-mllvm", "-plait-inputs"});
  return flags;
}

Words link_flags(const Toolchain& toolchain, bool cplusplus, const Arguments& arguments) {
  if (arguments.shared) return arguments.no_undefined ? Words{"-Wl,-z,undefs"} : Words{};
  if (arguments.links_runtime) return {};
  // Interposed functions must be there even if nothing refers to them yet; an instrumented library that is loaded later
  // finds the hooks in the executable.
  // By -Xlinker: an earlier `-x c` would make an archive a source.
  Words for_linker = {"--whole-archive", toolchain.runtime};
  if (cplusplus || arguments.cxx_library) for_linker.push_back(toolchain.runtime_cxx);
  append(for_linker, {"--no-whole-archive", "--export-dynamic-symbol=__plait_*"});
  // In front of libstdc++, which the driver adds at the end.
  if (cplusplus || arguments.cxx_library) for_linker.push_back(toolchain.standard);
  Words flags;
  for (const std::string& word : for_linker) append(flags, {"-Xlinker", word});
  append(flags, {"-ldl", "-lpthread"});
  return flags;
}

}  // namespace

std::string linked_program(const Toolchain& toolchain, const Words& args) {
  const Arguments arguments = parse_arguments(args, toolchain.runtime);
  if (arguments.last != Phase::Link || arguments.shared) return {};
  return arguments.output.empty() ? "a.out" : arguments.output;
}

Words compiler_command(const Toolchain& toolchain, bool cplusplus, const Words& args) {
  const Arguments arguments = parse_arguments(args, toolchain.runtime);
  Words command = {cplusplus ? toolchain.clangxx : toolchain.clang};
  if (arguments.last == Phase::Nothing) {
    append(command, args);
    return command;
  }

  Words before, after;
  if (arguments.has_source) {
    append(before, macros(toolchain));
    append(after, final_macros());
    if (arguments.last >= Phase::Compile) append(before, code_flags(toolchain, arguments));
  }
  if (arguments.last == Phase::Link) append(after, link_flags(toolchain, cplusplus, arguments));

  append(command, before);
  // The words after `--` are all inputs. The user's words, @files included, stay as they are.
  const auto inputs_only = std::find(args.begin(), args.end(), "--");
  std::copy_if(args.begin(), inputs_only, std::back_inserter(command),
               [](const std::string& word) { return word != kFollowInputs; });
  append(command, after);
  command.insert(command.end(), inputs_only, args.end());
  return command;
}

}  // namespace plait
