#include "wide_sweep.h"

#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>

#include "family_sweep.h"

namespace sweep {
namespace {

constexpr std::uint64_t kPortion = 50;  // programs of a family before it is another's turn

std::istream& operator>>(std::istream& in, Count& count) {
  return in >> count.programs >> count.checks >> count.audits >> count.with_bugs >> count.outcomes >> count.wrong;
}

std::ostream& operator<<(std::ostream& out, const Count& count) {
  for (const std::uint64_t number :
       {count.programs, count.checks, count.audits, count.with_bugs, count.outcomes, count.wrong})
    out << std::setw(10) << number;
  return out;
}

Count& operator+=(Count& sum, const Count& more) {
  sum.programs += more.programs, sum.checks += more.checks, sum.audits += more.audits;
  sum.with_bugs += more.with_bugs, sum.outcomes += more.outcomes, sum.wrong += more.wrong;
  return sum;
}

using Counts = std::map<std::string, Count, std::less<>>;

Counts read_counts(const std::string& file) {
  Counts counts;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string family;
    Count count;
    if (words >> family >> count && family_of(family)) counts[family] = count;
  }
  return counts;
}

Count print(std::ostream& out, const Counts& counts) {
  Count all;
  out << std::left << std::setw(12) << "family" << std::right;
  for (const char* title : {"programs", "checks", "audits", "with bugs", "outcomes", "wrong"})
    out << std::setw(10) << title;
  out << "\n";
  for (const auto& [family, count] : counts) {
    out << std::left << std::setw(12) << family << std::right << count << "\n";
    all += count;
  }
  out << std::left << std::setw(12) << "all" << std::right << all << "\n";
  return all;
}

void keep(const std::string& file, const Counts& counts) {
  const std::string fresh = file + ".new";
  std::ofstream out(fresh);
  print(out, counts);
  out.close();
  std::rename(fresh.c_str(), file.c_str());  // whole, whenever the sweep is stopped
}

std::uint64_t programs_in(const Counts& counts) {
  std::uint64_t sum = 0;
  for (const auto& [family, count] : counts) sum += count.programs;
  return sum;
}

}  // namespace

bool sweep_widely(const Sources& sources, const std::string& file, std::uint64_t programs) {
  Counts counts = read_counts(file);
  const std::uint64_t first = std::strtoull(setting("PLAIT_SWEEP_SEED", "1000000"), nullptr, 10);
  const auto ways = static_cast<unsigned>(std::strtoul(setting("PLAIT_SWEEP_WAYS", "2"), nullptr, 10));
  const std::string only = " " + std::string(setting("PLAIT_SWEEP_FAMILIES", "")) + " ";
  while (programs_in(counts) < programs) {
    for (const Family& family : kFamilies) {
      if (only != "  " && only.find(" " + std::string(family.name) + " ") == std::string::npos) continue;
      Count& before = counts[std::string(family.name)];
      FamilySweep sweep(sources, family);
      for (std::uint64_t i = 0; i < kPortion; ++i) sweep.check(first + before.programs + i, ways);
      before += sweep.count();
      keep(file, counts);
    }
    std::cout << programs_in(counts) << " programs" << std::endl;
  }
  return print(std::cout, counts).wrong == 0;
}

}  // namespace sweep
