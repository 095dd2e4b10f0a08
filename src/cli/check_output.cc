#include "cli/check_output.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "report/annotations.h"
#include "report/archive.h"
#include "report/junit.h"
#include "report/sarif.h"

namespace plait {

std::string text_of(const CheckResult& result, const CheckOptions& options) {
  ResultTextOptions text_options;
  text_options.style = Style(use_color(options.color, 1));
  text_options.width = terminal_width(1);
  text_options.quiet = options.quiet;
  text_options.verbose = options.verbose;
  return result_text(result, text_options);
}

std::string formatted(const CheckResult& result, const CheckOptions& options) {
  if (options.format == "json") return json_text(result_to_json(result), 2) + "\n";
  if (options.format == "sarif") return json_text(result_to_sarif(result, PLAIT_VERSION), 2) + "\n";
  if (options.format == "junit") return junit_text("plait", {{"plait", result.program, result}});
  return text_of(result, options);
}

void print_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error(kExitInternal, std::string("cannot write the result: ") + std::strerror(errno));
}

void archive_result(const CheckResult& result, const std::string& directory) {
  std::vector<std::string> files;
  for (const ReportedBug& bug : result.bugs)
    if (!bug.file.empty()) files.push_back(bug.file);
  for (const ReportedOutcome& outcome : result.outcomes)
    if (!outcome.file.empty()) files.push_back(outcome.file);
  try {
    archive_run(directory, files, json_text(result_to_json(result), 2) + "\n");
  } catch (const Error& error) {
    fmt::print(stderr, "plait: {}\n", error.what());  // the answer has been printed
  }
}

int delivered(const CheckResult& result, const std::function<void()>& print) {
  try {
    print();
  } catch (const Error& error) {
    fmt::print(stderr, "plait: {}: {}\n", verdict_name(result.verdict), error.what());
    return exit_code(result) == kExitSafe ? kExitInternal : exit_code(result);
  }
  return exit_code(result);
}

void annotate(const CheckResult& result) {
  if (wants_annotations()) std::fputs(annotations(result).c_str(), stderr);
}

}  // namespace plait
