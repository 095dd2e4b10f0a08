// plait check: explores a program and prints the result.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/check_engine.h"
#include "cli/monitor.h"
#include "cli/target.h"
#include "host/error.h"
#include "report/annotations.h"
#include "report/archive.h"
#include "report/junit.h"
#include "report/sarif.h"

namespace plait {
namespace {

std::string formatted(const CheckResult& result, const CheckOptions& options) {
  if (options.format == "json") return json_text(result_to_json(result), 2) + "\n";
  if (options.format == "sarif") return json_text(result_to_sarif(result, PLAIT_VERSION), 2) + "\n";
  if (options.format == "junit") return junit_text("plait", {{"plait", result.program, result}});
  ResultTextOptions text_options;
  text_options.style = Style(use_color(options.color, 1));
  text_options.width = terminal_width(1);
  text_options.quiet = options.quiet;
  text_options.verbose = options.verbose;
  return result_text(result, text_options);
}

void archive(const CheckResult& result, const std::string& directory) {
  std::vector<std::string> files;
  for (const ReportedBug& bug : result.bugs) files.push_back(bug.file);
  for (const ReportedOutcome& outcome : result.outcomes) files.push_back(outcome.file);
  archive_run(directory, files, json_text(result_to_json(result), 2) + "\n");
}

}  // namespace

int run_check(const CheckOptions& options) {
  BugProgram target = prepare_target(options);
  catch_interrupts();
  CheckResult result = run_check_engine(options, target);
  archive(result, options.output_dir);
  std::string text = formatted(result, options);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error(kExitInternal, std::string("cannot write the result: ") + std::strerror(errno));
  if (wants_annotations()) std::fputs(annotations(result).c_str(), stderr);
  return exit_code(result);
}

}  // namespace plait
