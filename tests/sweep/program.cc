#include "program.h"

#include <cstring>
#include <sstream>
#include <stdexcept>

namespace sweep {
namespace {

// One letter per argument: v variable, r register, c constant, m mutex, d condition, s semaphore, x reader-writer lock,
// b barrier, n count, t thread.
struct Form {
  char code;
  const char* arguments;
};
constexpr Form kForms[] = {{'l', "vr"},  {'L', "vr"},  {'s', "vc"},   {'A', "vc"}, {'S', "vrc"},
                           {'a', "vc"},  {'F', "vcr"}, {'C', "vccr"}, {'k', "m"},  {'u', "m"},
                           {'t', "mr"},  {'w', "dm"},  {'g', "d"},    {'b', "d"},  {'P', "s"},
                           {'W', "s"},   {'T', "sr"},  {'?', "rcn"},  {'f', "t"},  {'j', ""},
                           {'E', "dmr"}, {'r', "x"},   {'x', "x"},    {'z', "x"},  {'B', "br"}};

const char* arguments_of(char code) {
  for (const Form& form : kForms)
    if (form.code == code) return form.arguments;
  return nullptr;
}

int limit_of(char argument) {
  switch (argument) {
    case 'v':
      return kVariables;
    case 'r':
      return kRegisters;
    case 'm':
      return kMutexes;
    case 'd':
      return kConditions;
    case 's':
      return kSemaphores;
    case 'x':
      return kRwLocks;
    case 'b':
      return kBarriers;
    case 't':
      return kThreads;
    default:
      return 10;
  }
}

}  // namespace

std::string to_text(const Program& program) {
  std::string text;
  for (std::size_t t = 0; t < program.size(); ++t) {
    if (t) text += " /";
    for (const Operation& operation : program[t]) {
      if (!text.empty()) text += ' ';
      text += operation.code;
      const std::size_t count = std::strlen(arguments_of(operation.code));
      for (std::size_t i = 0; i < count; ++i) text += static_cast<char>('0' + operation.arg[i]);
    }
  }
  return text;
}

std::string problem_of(const Program& program) {
  if (program.empty() || program.size() > static_cast<std::size_t>(kThreads)) return "wrong number of threads";
  int forks[kThreads] = {};
  for (std::size_t t = 0; t < program.size(); ++t) {
    for (const Operation& operation : program[t]) {
      const char* arguments = arguments_of(operation.code);
      if (!arguments) return std::string("unknown operation ") + operation.code;
      for (std::size_t i = 0; arguments[i]; ++i)
        if (operation.arg[i] >= limit_of(arguments[i]))
          return std::string("argument out of range in ") + operation.code;
      if (operation.code != 'f') continue;
      const unsigned child = operation.arg[0];
      // Forks go to later threads only, so that no thread can be its own ancestor.
      if (child <= t || child >= program.size()) return "fork of a thread that is not a later one";
      if (++forks[child] > 1) return "thread forked twice";
    }
  }
  return "";
}

Program from_text(const std::string& text) {
  Program program(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "/") {
      program.emplace_back();
      continue;
    }
    Operation operation;
    operation.code = word[0];
    const char* arguments = arguments_of(word[0]);
    if (!arguments || word.size() != 1 + std::strlen(arguments)) throw std::invalid_argument("bad operation " + word);
    for (std::size_t i = 1; i < word.size(); ++i) {
      if (word[i] < '0' || word[i] > '9') throw std::invalid_argument("bad operation " + word);
      operation.arg[i - 1] = static_cast<std::uint8_t>(word[i] - '0');
    }
    program.back().push_back(operation);
  }
  if (std::string problem = problem_of(program); !problem.empty()) throw std::invalid_argument(problem);
  return program;
}

}  // namespace sweep
