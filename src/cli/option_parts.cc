#include "cli/option_parts.h"

#include <fmt/core.h>

#include <map>

namespace plait {
namespace {

const std::map<std::string, ColorMode> kColors = {
    {"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}};

/// A list of kinds. The description becomes the option's choices (app_model.cc).
CLI::Validator kind_list() {
  std::string names;
  for (const std::string& name : kind_choices()) names += (names.empty() ? "" : ",") + name;
  return CLI::Validator(
      [](std::string& list) {
        try {
          KindSet::parse(list);
          return std::string();
        } catch (const std::invalid_argument& error) {
          return std::string(error.what());
        }
      },
      "{" + names + "}");
}

}  // namespace

/// CLI11's own says "not in range 0.000000 to 1797693...".
const CLI::Validator kPositive(
    [](std::string& text) {
      double value = 0;
      bool ok = CLI::detail::lexical_cast(text, value) && value > 0;
      return ok ? std::string() : fmt::format("'{}' is no positive number", text);
    },
    "POSITIVE");

void add_color(CLI::App& app, ColorMode& mode) {
  app.add_option_function<std::string>(
         "--color", [&mode](const std::string& name) { mode = kColors.at(name); },
         "auto, always or never; NO_COLOR is honoured")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
}

void add_kinds_checked(CLI::App& group, CheckOptions& o) {
  group
      .add_option("--check", o.check,
                  "only failures of these kinds (a list, with commas) are bugs; standard: all but exit-with-threads")
      ->check(kind_list())
      ->join(',')
      ->default_str("standard")
      ->type_name("KINDS");
  group
      .add_option("--ignore", o.ignore,
                  "failures of these kinds are no bugs: they are noted, and the exploration goes on")
      ->check(kind_list())
      ->join(',')
      ->type_name("KINDS");
}

void add_common_limits(CLI::App& group, CheckOptions& o) {
  group.add_option("--timeout", o.timeout, "stop after this time")->check(kPositive)->type_name("SECONDS");
  group
      .add_option(
          "--memory", o.memory,
          "stop when this command needs more; the program's own processes do not count (default: half of the machine)")
      ->check(kPositive)
      ->type_name("GB");
  group.add_option("--max-executions", o.max_executions, "stop after this many runs (random: 10000)")
      ->check(kPositive)
      ->type_name("N");
  group.add_flag("--keep-going", o.keep_going, "find all bugs; default: stop at the first");
  group.add_option("-j,--jobs", o.jobs, "worker processes; default: all cores")
      ->check(CLI::Range(1u, 256u))
      ->type_name("N");
}

void add_output(CLI::App& group, CheckOptions& o) {
  group.add_option("-o,--output-dir", o.output_dir, "where bug files and builds go")
      ->capture_default_str()
      ->type_name("DIR");
  group
      .add_option("--format", o.format,
                  "text: for people; json: one object; sarif: for code scanners; junit: for test dashboards")
      ->check(CLI::IsMember({"text", "json", "sarif", "junit"}))
      ->capture_default_str()
      ->type_name("FORMAT");
  group.add_flag("!--no-minimise", o.minimise, "tell a bug by the schedule as found, not by one with fewer switches");
  add_color(group, o.color);
  group.add_flag("-q,--quiet", o.quiet, "no progress, short results");
  group.add_flag("-v,--verbose", o.verbose, "more events in stories, more progress");
}

}  // namespace plait
