#include "report/annotations.h"

#include <fmt/core.h>

#include <cstdlib>
#include <string_view>

#include "check/kinds.h"
#include "report/reordering.h"
#include "report/story.h"

namespace plait {
namespace {

/// As the runner unescapes; properties have two more characters with a meaning.
std::string escaped(const std::string& text, bool property) {
  std::string result;
  for (char c : text) {
    bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    result += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return result;
}

}  // namespace

bool wants_annotations() {
  const char* value = std::getenv("GITHUB_ACTIONS");
  return value && std::string_view(value) == "true";
}

std::string annotations(const CheckResult& result) {
  std::string text;
  for (const ReportedBug& reported : result.bugs) {
    const BugFailure& failure = *reported.bug.failure;
    std::string where;
    if (failure.place.known())
      where = fmt::format("file={},line={},", escaped(failure.place.file, true), failure.place.line);
    std::string message = failure_message(failure);
    if (std::string summary = reordering_summary(reported.bug, Buffers(reported.bug)); !summary.empty())
      message += "\n" + summary;
    message += "\nreplay: " + replay_hint(reported);
    text += fmt::format("::error {}title={}::{}\n", where,
                        escaped(fmt::format("Plait: {}", kind_title(failure.kind)), true), escaped(message, false));
  }
  for (const ReportedNote& note : result.notes) {
    std::string where;
    if (note.place.known()) where = fmt::format("file={},line={},", escaped(note.place.file, true), note.place.line);
    text += fmt::format("::notice {}title={}::{}\n", where,
                        escaped(fmt::format("Plait: {}", kind_title(note.kind)), true), escaped(note.message, false));
  }
  if (result.verdict == Verdict::Inconclusive)
    for (const std::string& limit : result.limits)
      text += fmt::format("::warning title=Plait%3A inconclusive::{}\n", escaped(limit, false));
  return text;
}

}  // namespace plait
