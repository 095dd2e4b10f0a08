// plait_check.h: a check inside an ordinary C++ program (C++17), for a test framework of your own or a quick try.
//
//   int main() {
//     plait::check([] {
//       int x = 0;
//       std::thread other([&] { x = 1; });
//       x = 2;
//       other.join();
//     });                      // throws plait::check_failed: a data race
//   }
//
// Compiled with `plait c++` and started as usual, the program asks the command `plait` (on the PATH, or $PLAIT_COMMAND)
// to explore the closure: all schedules of the threads that it starts, in processes of their own. They run main up to
// this call first, so what comes before must be deterministic and cheap, and start no threads that are still running
// here. The program itself never performs the closure. Compiled without the wrapper, the closure is performed once,
// here.
#ifndef PLAIT_CHECK_H
#define PLAIT_CHECK_H

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace plait {

enum class verdict {
  safe,  // every schedule was covered, none fails
  bug,
  inconclusive,  // a limit was reached, or the closure cannot be checked: see the report
  not_checked,   // compiled without the wrapper, or this is itself a run of a check
};

struct check_result {
  verdict outcome = verdict::not_checked;
  bool complete = false;
  unsigned long executions = 0;
  std::string report;    // as `plait check` prints it
  std::string bug_file;  // for `plait replay`; empty without a bug
};

struct check_options {
  std::string memory_model = "sc";
  double timeout = 0;  // seconds; 0: none
  bool races = true;   // data races are bugs
  bool keep_going = false;
  std::string output_dir = "plait-out";
  std::vector<std::string> more;  // further options of `plait check`
  bool throws = true;             // unless the verdict is safe (or not_checked)
};

class check_failed : public std::runtime_error {
 public:
  explicit check_failed(check_result r) : std::runtime_error(r.report), result(std::move(r)) {}
  check_result result;
};

#ifdef __PLAIT__

extern "C" int __plait_check_role(unsigned id);
extern "C" int __plait_check_run(const char* const* options, unsigned id, char* text, unsigned long size);

namespace detail {

inline unsigned check_calls = 0;

/// What follows `key` on its line.
inline std::string after(const std::string& text, const std::string& key) {
  std::string::size_type at = text.find(key);
  if (at == std::string::npos) return "";
  at += key.size();
  return text.substr(at, text.find('\n', at) - at);
}

inline check_result ask(unsigned id, const check_options& options) {
  std::vector<std::string> words = {"--color",
                                    "never",
                                    "-o",
                                    options.output_dir,
                                    "--memory-model",
                                    options.memory_model,
                                    "--races",
                                    options.races ? "on" : "off"};
  if (options.timeout > 0) words.insert(words.end(), {"--timeout", std::to_string(options.timeout)});
  if (options.keep_going) words.push_back("--keep-going");
  words.insert(words.end(), options.more.begin(), options.more.end());
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  pointers.push_back(nullptr);
  std::string text(1 << 20, '\0');
  int code = __plait_check_run(pointers.data(), id, &text[0], text.size());
  check_result result;
  result.report = text.c_str();
  if (code == 127)
    result.report = "plait::check cannot run the command 'plait': put it on the PATH, or set PLAIT_COMMAND";
  result.outcome = code == 0 ? verdict::safe : code == 10 ? verdict::bug : verdict::inconclusive;
  result.complete = after(result.report, "  complete: ") == "yes";
  result.executions = std::strtoul(after(result.report, "  explored: ").c_str(), nullptr, 10);
  if (code == 10) result.bug_file = after(result.report, "  replay: plait replay ");
  return result;
}

}  // namespace detail

/// Explores `body`. See the top of this file.
template <class Body>
check_result check(Body&& body, const check_options& options = {}) {
  unsigned id = ++detail::check_calls;
  switch (__plait_check_role(id)) {
    case 0: {
      check_result result = detail::ask(id, options);
      if (options.throws && result.outcome != verdict::safe) throw check_failed(std::move(result));
      return result;
    }
    case 1: std::forward<Body>(body)(); return {};
    case 2: std::forward<Body>(body)(); std::exit(0);
    default: return {};
  }
}

#else  // not under Plait

template <class Body>
check_result check(Body&& body, const check_options& = {}) {
  std::forward<Body>(body)();
  return {};
}

#endif

}  // namespace plait

#endif  // PLAIT_CHECK_H
