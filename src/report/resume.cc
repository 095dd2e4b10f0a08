#include "report/resume.h"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>

#include "base/error.h"
#include "report/bug_json.h"
#include "report/files.h"
#include "report/json.h"
#include "report/names.h"

namespace plait {
namespace {

constexpr int kVersion = 2;

ThreadId thread_number(const Json& json) {
  const u64 number = json;
  if (number >= kMaxThreads) throw std::runtime_error("a thread's number");
  return static_cast<ThreadId>(number);
}

std::string path_in(const std::string& directory) { return directory + "/resume.json"; }

}  // namespace

void write_resume(const std::string& directory, const Resume& resume) {
  Json identities = Json::array(), shared = Json::array();
  for (const Identity& identity : resume.visibility.identities)
    identities.push_back({identity.parent, identity.fork_index});
  for (const Visibility::Range& range : resume.visibility.shared) shared.push_back({range.begin, range.size});
  // As text at once: a tree of values would take longer, and much memory at a time when there may be none.
  std::string schedules;
  for (const auto& schedule : resume.schedules) {
    schedules += schedules.empty() ? "[" : ",[";
    for (size_t i = 0; i < schedule.size(); ++i)
      fmt::format_to(std::back_inserter(schedules), "{}[{},{},{}]", i ? "," : "", schedule[i].thread, schedule[i].arg,
                     schedule[i].position);
    schedules += ']';
  }
  const Json json = {{"plait_resume", kVersion},
                     {"program", resume.program},
                     {"identity", resume.identity},
                     {"identities", identities},
                     {"shared", shared},
                     {"clock_matters", resume.visibility.clock_matters},
                     {"counts_turns", resume.visibility.counts_turns},
                     {"memory_model", model_name(resume.visibility.memory_model)}};
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.back() = ',';  // the object goes on
  write_file(path_in(directory), text + "\"schedules\":[" + schedules + "]}\n");
}

void remove_resume(const std::string& directory) {
  std::error_code error;
  std::filesystem::remove(path_in(directory), error);
}

Resume resume_from_json(const Json& json, const std::string& path) {
  try {
    if (json.at("plait_resume") != kVersion)
      throw Error(kExitUsage, fmt::format("'{}' is of another version of Plait", path));
    Resume resume;
    resume.program = json.at("program");
    resume.identity = json.at("identity");
    resume.visibility.memory_model = model_of(json.at("memory_model").get<std::string>());
    for (const Json& identity : json.at("identities"))
      resume.visibility.identities.push_back(
          {.parent = identity.at(0).get<ThreadId>(), .pad = 0, .fork_index = identity.at(1).get<u16>()});
    for (const Json& range : json.at("shared")) resume.visibility.shared.push_back({range.at(0), range.at(1)});
    require_family(resume.visibility.identities);
    require_ranges(resume.visibility.shared);
    resume.visibility.clock_matters = json.at("clock_matters");
    resume.visibility.counts_turns = json.at("counts_turns");
    for (const Json& entries : json.at("schedules")) {
      auto& schedule = resume.schedules.emplace_back();
      for (const Json& entry : entries)
        schedule.push_back({Choice::Run, thread_number(entry.at(0)), entry.at(1).get<u16>(), entry.at(2).get<u32>()});
    }
    return resume;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(kExitUsage, fmt::format("'{}' is damaged: {}", path, error.what()));
  }
}

Resume read_resume(const std::string& directory) {
  const std::string path = path_in(directory);
  if (!std::filesystem::exists(path))
    throw Error(kExitUsage,
                fmt::format("nothing to resume: '{}' does not exist (a check that ends early writes it)", path));
  return resume_from_json(read_json_file(path), path);
}

}  // namespace plait
