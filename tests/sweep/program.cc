#include "program.h"

#include <cstring>
#include <sstream>
#include <stdexcept>

namespace sweep {
namespace {

// One letter per argument: v variable, r register, c constant, m mutex, d condition, s semaphore, x reader-writer lock,
// b barrier, n count, t thread, i byte, p block, w way to fail, k library function, K one that reads, o one of four,
// P pointer, S static variable, q struct.
struct Form {
  char code;
  const char* arguments;
};
constexpr Form kForms[] = {
    {'l', "vr"}, {'L', "vr"},  {'s', "vc"},   {'A', "vc"},  {'S', "vrc"}, {'a', "vc"},  {'F', "vcr"}, {'C', "vccr"},
    {'k', "m"},  {'u', "m"},   {'t', "mr"},   {'w', "dm"},  {'g', "d"},   {'b', "d"},   {'P', "s"},   {'W', "s"},
    {'T', "sr"}, {'?', "rcn"}, {'f', "t"},    {'j', ""},    {'E', "dmr"}, {'r', "x"},   {'x', "x"},   {'z', "x"},
    {'B', "br"}, {'o', "nn"},  {'y', "rcnn"}, {'i', "rcn"}, {'Q', "vr"},  {'R', "vc"},  {'U', "vc"},  {'M', ""},
    {'N', ""},   {'H', "vir"}, {'h', "vic"},  {'V', "rc"},  {'X', "rcw"}, {'e', ""},    {'q', ""},    {'p', ""},
    {'d', "t"},  {'>', "t"},   {'(', "t"},    {'n', "p"},   {'Y', "m"},   {'~', "rcn"}, {'{', ""},    {'}', ""},
    {'$', "c"},  {'%', "r"},   {'&', "or"},   {'@', "o"},   {'^', "r"},   {'!', "r"},   {';', "or"},  {'#', "o"},
    {':', "r"},  {'=', "rko"}, {'|', "vko"},  {',', "c"},   {')', "vKr"}, {'m', "Pc"},  {'c', "Pr"},  {'v', "Pc"},
    {'D', "P"},  {'G', "P"},   {'O', "Sr"},   {'I', "qc"},  {'J', "qc"},  {'K', "qc"},  {'Z', "qr"},  {'_', "qr"},
    {'<', "tn"}, {'[', "r"},   {']', "c"}};

const char* arguments_of(char code) {
  for (const Form& form : kForms)
    if (form.code == code) return form.arguments;
  return nullptr;
}

int limit_of(char argument) {
  switch (argument) {
    case 'v': return kNamed;
    case 'P': return kPointers;
    case 'S': return kStatics;
    case 'q': return kStructs;
    case 'K': return kLibraryReaders;
    case 'p': return kBlocks;
    case 'w': return kWaysToFail;
    case 'k': return kLibraryFunctions;
    case 'o': return 4;
    case 'r': return kRegisters;
    case 'm': return kAllMutexes;
    case 'd': return kAllConditions;
    case 's': return kAllSemaphores;
    case 'x': return kRwLocks;
    case 'b': return kBarriers;
    case 't': return kThreads;
    case 'i': return kBytes;
    default: return 10;
  }
}

/// The register that an operation writes, or -1.
int written_register(const Operation& operation) {
  switch (operation.code) {
    case 'l':
    case 'L':
    case 'Q':
    case 't':
    case 'B':
    case 'T':
    case 'c':
    case 'O':
    case 'Z':
    case '_': return operation.arg[1];
    case 'F':
    case 'E':
    case 'H':
    case ')': return operation.arg[2];
    case 'C': return operation.arg[3];
    case 'i':
    case '%':
    case '^':
    case '!':
    case ':':
    case '=':
    case '[': return operation.arg[0];
    case '&':
    case ';': return operation.arg[1];
    default: return -1;
  }
}

std::string problem_of_loop(const Thread& code, std::size_t at) {
  const std::size_t length = static_cast<std::size_t>(body_of(code[at]));
  if (length == 0 || length > at) return "loop goes back to before the thread's start, or nowhere";
  for (std::size_t i = at - length; i < at; ++i)
    if (forked_by(code[i]) || std::strchr("(mO", code[i].code)) return "fork, join or allocation in a loop";
  if (code[at].code == 'i')
    for (std::size_t i = 0; i < code.size(); ++i)
      if (i != at && written_register(code[i]) == code[at].arg[0]) return "a loop's counter is written";
  return "";
}

}  // namespace

int forked_by(const Operation& operation) { return std::strchr("fd><", operation.code) ? operation.arg[0] : 0; }

int heap_cell_of(const Program& program, std::size_t thread, std::size_t place) {
  int number = kFirstHeapCell;
  for (std::size_t t = 0; t <= thread; ++t)
    for (std::size_t i = 0; i < (t == thread ? place : program[t].size()); ++i) number += program[t][i].code == 'm';
  return number;
}

int body_of(const Operation& operation) {
  switch (operation.code) {
    case 'o': return operation.arg[0];
    case 'y':
    case '~':
    case 'i': return operation.arg[2];
    default: return 0;
  }
}

void set_body(Operation& operation, int length) {
  operation.arg[operation.code == 'o' ? 0 : 2] = static_cast<std::uint8_t>(length);
}

void insert_operation(Thread& code, std::size_t place, Operation operation) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].code == '?' && i < place && i + code[i].arg[2] >= place) ++code[i].arg[2];
    const std::size_t length = static_cast<std::size_t>(body_of(code[i]));
    if (length && place <= i && place + length > i) set_body(code[i], static_cast<int>(length) + 1);
  }
  code.insert(code.begin() + static_cast<std::ptrdiff_t>(place), operation);
}

void remove_operation(Thread& code, std::size_t place) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].code == '?' && i < place && i + code[i].arg[2] >= place) --code[i].arg[2];
    const std::size_t length = static_cast<std::size_t>(body_of(code[i]));
    if (length && place < i && place + length >= i) set_body(code[i], static_cast<int>(length) - 1);
  }
  code.erase(code.begin() + static_cast<std::ptrdiff_t>(place));
}

static char digit_of(unsigned value) { return static_cast<char>(value < 10 ? '0' + value : 'A' + value - 10); }

std::string to_text(const Program& program) {
  std::string text;
  for (std::size_t t = 0; t < program.size(); ++t) {
    if (t) text += " /";
    for (const Operation& operation : program[t]) {
      if (!text.empty()) text += ' ';
      text += operation.code;
      const std::size_t count = std::strlen(arguments_of(operation.code));
      for (std::size_t i = 0; i < count; ++i) text += digit_of(operation.arg[i]);
    }
  }
  return text;
}

/// A thread's handle is known to the one that forked it, and to those that it forked later.
static bool handle_is_known(const Program& program, std::size_t joiner, int joined) {
  for (std::size_t t = 0; t < program.size(); ++t) {
    bool seen = false;
    for (const Operation& operation : program[t]) {
      if (operation.code == '>' && operation.arg[0] == joined) seen = true;
      if (seen && (t == joiner || forked_by(operation) == static_cast<int>(joiner))) return true;
    }
  }
  return false;
}

static bool has_local(const Program& program, std::size_t thread) {
  for (const Thread& code : program)
    for (const Operation& operation : code)
      if (operation.code == '<' && operation.arg[0] == thread) return true;
  return false;
}

std::string problem_of(const Program& program) {
  if (program.empty() || program.size() > static_cast<std::size_t>(kThreads)) return "wrong number of threads";
  int forks[kThreads] = {}, joins[kThreads] = {}, scopes[kThreads] = {}, cells = 0;
  for (std::size_t t = 0; t < program.size(); ++t) {
    if (program[t].size() > static_cast<std::size_t>(kMaxOperations)) return "too many operations";
    for (std::size_t at = 0; at < program[t].size(); ++at) {
      const Operation& operation = program[t][at];
      const char* arguments = arguments_of(operation.code);
      if (!arguments) return std::string("unknown operation ") + operation.code;
      for (std::size_t i = 0; arguments[i]; ++i)
        if (operation.arg[i] >= limit_of(arguments[i]))
          return std::string("argument out of range in ") + operation.code;
      if (std::strchr("oyi~", operation.code))
        if (std::string problem = problem_of_loop(program[t], at); !problem.empty()) return problem;
      if (operation.code == '(' && (operation.arg[0] == t || ++joins[operation.arg[0]] > 1)) return "joined twice";
      if (operation.code == '(' && !handle_is_known(program, t, operation.arg[0])) return "join without a handle";
      if (operation.code == 'm' && ++cells > kHeapCells) return "too many allocations";
      // Two of them would have the same place on the stack, one after the other.
      if (operation.code == '<' && ++scopes[t] > 1) return "two local variables of one thread";
      if (std::strchr("[]", operation.code) && !has_local(program, t)) return "a thread without a local variable";
      if (!std::strchr("fd><", operation.code)) continue;
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
      const bool letter = word[i] >= 'A' && word[i] <= 'Z';
      if (!letter && (word[i] < '0' || word[i] > '9')) throw std::invalid_argument("bad operation " + word);
      operation.arg[i - 1] = static_cast<std::uint8_t>(letter ? word[i] - 'A' + 10 : word[i] - '0');
    }
    program.back().push_back(operation);
  }
  if (std::string problem = problem_of(program); !problem.empty()) throw std::invalid_argument(problem);
  return program;
}

}  // namespace sweep
