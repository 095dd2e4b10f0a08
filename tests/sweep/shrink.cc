#include "shrink.h"

#include <cstring>

namespace sweep {
namespace {

/// Without thread t and without its fork; what it would have forked is never forked.
Program without_thread(const Program& program, std::size_t t) {
  Program result = program;
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(t));
  for (Thread& code : result)
    for (std::size_t i = code.size(); i-- > 0;) {
      if (!std::strchr("fd><(", code[i].code)) continue;
      if (code[i].arg[0] == t)
        remove_operation(code, i);
      else if (code[i].arg[0] > t)
        --code[i].arg[0];
    }
  return result;
}

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  const auto accept = [&](const Program& candidate) {
    if (!problem_of(candidate).empty() || !fails(candidate)) return false;
    program = candidate;
    return true;
  };
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t t = program.size(); t-- > 1;) smaller |= accept(without_thread(program, t));
    // Pairs too: a lock and its unlock only go together.
    for (std::size_t t = 0; t < program.size(); ++t)
      for (std::size_t i = program[t].size(); i-- > 0;) {
        if (i >= program[t].size()) continue;
        Program candidate = program;
        remove_operation(candidate[t], i);
        if (accept(candidate)) {
          smaller = true;
          continue;
        }
        for (std::size_t j = i; j-- > 0;) {
          Program pair = candidate;
          remove_operation(pair[t], j);
          if (!accept(pair)) continue;
          smaller = true;
          break;
        }
      }
  }
  return program;
}

}  // namespace sweep
