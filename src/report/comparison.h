// What --compare found, in words and as JSON.
#pragma once
#include <string>
#include <vector>

#include "report/bug_json.h"
#include "report/program_map.h"
#include "report/style.h"

namespace plait {

struct ReportedComparison {
  std::string model = "tso", reference = "sc";
  bool complete = false, classes_compared = false;
  std::vector<std::string> obstacles;
  u64 classes = 0, histories = 0;  // beyond the reference
  std::vector<std::string> outputs;
  struct Failed {
    std::string kind, message;
    Place place;
  };
  std::vector<Failed> failures;
  struct Remedy {
    Place place;
    std::string order;
    u64 removes = 0;
  };
  std::vector<Remedy> remedy;
  bool robust() const { return complete && classes + histories + outputs.size() + failures.size() == 0; }
};

Json comparison_to_json(const ReportedComparison&);
std::string comparison_text(const ReportedComparison&, const Style&);

}  // namespace plait
