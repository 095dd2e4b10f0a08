// Bug files: format "plait-bug", version 1.
#pragma once
#include <string>

#include "report/bug.h"
#include "report/json.h"

namespace plait {

/// Of a file that may hold anything: each thread has a parent before it; addresses and sizes that a run can have. Throw
/// std::runtime_error.
void require_family(const std::vector<Identity>& identities);
void require_ranges(const std::vector<Visibility::Range>& ranges);

Json bug_to_json(const Bug&);
/// Throws Error (usage) naming `file` when the JSON is not a bug file of this version.
Bug bug_from_json(const Json&, const std::string& file);
/// Throws Error (usage) when the file cannot be read, is no JSON or is damaged.
Bug read_bug_file(const std::string& file);

/// Text of a JSON value; bytes that are not UTF-8 (a program may print anything) are replaced.
std::string json_text(const Json&, int indent);

}  // namespace plait
