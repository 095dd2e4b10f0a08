// Asks Plait about programs of a family, and keeps count of the answers.
#pragma once
#include <cstdint>
#include <string>

#include "answers.h"

namespace sweep {

inline constexpr unsigned kEveryWay = 0;

/// An environment variable, or what stands for it when it is not set.
const char* setting(const char* name, const char* otherwise);

MemoryModel model_named(const std::string& name);

struct Count {
  std::uint64_t programs = 0, checks = 0, audits = 0, with_bugs = 0, outcomes = 0, wrong = 0;
};

class FamilySweep {
 public:
  FamilySweep(const Sources& sources, const Family& family) : sources_(sources), family_(family) {}

  /// The program of that seed, asked in some ways that depend on the seed, or in every way. A mistake is shrunk and
  /// printed.
  void check(std::uint64_t seed, unsigned ways);

  const Count& count() const { return count_; }

  /// Every question about one program. Prints the answers, unless they are right and not wanted. Whether all are right.
  bool ask(const Program& program, MemoryModel model, bool always = true) const;

 private:
  const Sources& sources_;
  const Family& family_;
  Count count_;

  std::vector<Question> asked(const Reachable& truth) const;
  void report(std::uint64_t seed, const Program& program, MemoryModel model, const Question& question,
              const std::string& what) const;
};

}  // namespace sweep
