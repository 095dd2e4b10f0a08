#include "report/junit.h"

#include <fmt/core.h>

#include <map>

#include "check/kinds.h"
#include "report/markup.h"
#include "report/next.h"
#include "report/story.h"

namespace plait {
namespace {

/// Element content; line ends stay. Control characters do not exist in XML, not even escaped.
std::string xml_content(const std::string& text) {
  std::string result = escaped_markup(text);
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') c = '?';
  return result;
}

/// Attributes: a line end would become a space.
std::string xml(const std::string& text) {
  std::string result;
  for (char c : xml_content(text)) result += c == '\n' ? std::string("&#10;") : std::string(1, c);
  return result;
}

std::string bug_element(const ReportedBug& reported) {
  const BugFailure& failure = *reported.bug.failure;
  std::string text = story(reported.bug, StoryOptions{});
  text += "  replay: " + replay_hint(reported) + "\n";
  return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", kind_name(failure.kind),
                     xml(failure_message(failure)), xml_content(text));
}

std::string case_element(const JUnitCase& test) {
  const CheckResult& result = test.result;
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", xml(test.suite),
                                 xml(test.name), result.seconds);
  for (const ReportedBug& reported : result.bugs) text += bug_element(reported);
  if (result.verdict == Verdict::Inconclusive) {
    std::string why;
    for (const std::string& limit : result.limits) why += (why.empty() ? "" : "; ") + limit;
    std::string told;
    for (const std::string& limit : result.limits) told += "limit: " + limit + "\n";
    for (const std::string& step : next_steps(result)) told += "next: " + step + "\n";
    text += fmt::format("      <error type=\"inconclusive\" message=\"{}\">{}</error>\n", xml(why), xml_content(told));
  }
  std::string notes;
  for (const ReportedNote& note : result.notes) notes += "\nnote: " + note.message;
  text +=
      fmt::format("      <system-out>{}: {} executions, complete: {}{}</system-out>\n", verdict_name(result.verdict),
                  result.executions, result.complete ? "yes" : "no", xml_content(notes));
  return text + "    </testcase>\n";
}

}  // namespace

std::string junit_text(const std::string& suites, const std::vector<JUnitCase>& cases) {
  struct Suite {
    std::string text;
    size_t tests = 0, failures = 0, errors = 0;
    double seconds = 0;
  };
  std::map<std::string, Suite> by_name;
  for (const JUnitCase& test : cases) {
    Suite& suite = by_name[test.suite];
    suite.text += case_element(test);
    ++suite.tests;
    suite.failures += test.result.verdict == Verdict::Bug;
    suite.errors += test.result.verdict == Verdict::Inconclusive;
    suite.seconds += test.result.seconds;
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  Suite all;
  for (const auto& [name, suite] : by_name) {
    all.tests += suite.tests;
    all.failures += suite.failures;
    all.errors += suite.errors;
    all.seconds += suite.seconds;
  }
  text += fmt::format("<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n",
                      xml(suites), all.tests, all.failures, all.errors, all.seconds);
  for (const auto& [name, suite] : by_name) {
    text += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n",
                        xml(name), suite.tests, suite.failures, suite.errors, suite.seconds);
    text += suite.text + "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace plait
