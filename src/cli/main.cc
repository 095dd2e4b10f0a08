// plait: the command. See docs/usage.md.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "cli/options.h"

namespace plait {
namespace {

/// plait check script.py is plait explore --runtime asyncio script.py.
std::vector<char*> with_python_explored(int argc, char** argv) {
  static char explore[] = "explore", runtime[] = "--runtime", asyncio[] = "asyncio";
  std::vector<char*> words(argv, argv + argc);
  if (argc < 3 || std::string_view(argv[1]) != "check") return words;
  for (int i = 2; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    if (!std::string_view(argv[i]).ends_with(".py")) continue;
    words[1] = explore;
    words.insert(words.begin() + 2, {runtime, asyncio});
    break;
  }
  return words;
}

int dispatch(int argc, char** argv) {
  std::string_view name = argv[0];
  name = name.substr(name.rfind('/') + 1);
  if (name == "plait-c++" || name == "plait-cc") return run_compile(name == "plait-c++", {argv + 1, argv + argc});
  if (argc > 1) {
    // The compiler's arguments are clang's, not ours to parse.
    std::string_view first = argv[1];
    if (first == "c++" || first == "cc") return run_compile(first == "c++", {argv + 2, argv + argc});
  }
  std::vector<char*> words = with_python_explored(argc, argv);
  CommandLine line = parse_command_line(static_cast<int>(words.size()), words.data());
  switch (line.kind) {
    case CommandKind::Check: return run_check(line.check);
    case CommandKind::Tests: return run_tests(line.check, line.tests);
    case CommandKind::Explore: return run_explore(line.check, line.explore);
    case CommandKind::Replay: return run_replay(line.replay);
    case CommandKind::Show: return run_show(line.show);
    case CommandKind::Deps: return run_deps(line.check, line.deps);
    case CommandKind::Worker: return run_worker(line.worker);
    case CommandKind::Cluster: return run_cluster(line.cluster);
    case CommandKind::Doctor: return run_doctor(line.doctor_color);
    case CommandKind::Done: return line.exit_code;
  }
  return kExitInternal;
}

}  // namespace
}  // namespace plait

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
  try {
    return plait::dispatch(argc, argv);
  } catch (const plait::Error& error) {
    std::fprintf(stderr, "plait: %s\n", error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "plait: out of memory\n");
    return plait::kExitInternal;
  } catch (const std::system_error& error) {  // std::thread
    std::fprintf(stderr, "plait: cannot start a thread: %s (too few processes are allowed: ulimit -u?)\n",
                 error.what());
    return plait::kExitUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "plait: internal error: %s\n", error.what());
    return plait::kExitInternal;
  }
}
