#include "report/story.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "check/kinds.h"
#include "report/explain.h"
#include "report/inputs.h"
#include "report/names.h"
#include "report/reordering.h"
#include "report/story_table.h"

namespace plait {
namespace {

constexpr size_t kFewestEvents = 6;

/// Wrapped, each line with two spaces per step of depth.
std::string indented(int depth, const std::string& text, size_t width) {
  const std::string margin(static_cast<size_t>(2 * depth), ' ');
  std::string result;
  for (const std::string& line : wrapped(printable(text), std::max<size_t>(width, margin.size() + 40) - margin.size()))
    result += margin + line + "\n";
  return result;
}

/// The message without the words that the title has already said.
std::string message_detail(const BugFailure& failure) {
  std::string_view title = kind_title(failure.kind), message = failure.message;
  if (!message.starts_with(title)) return failure.message;
  message.remove_prefix(title.size());
  if (message.empty()) return "";
  return message.starts_with(": ") ? std::string(message.substr(2)) : failure.message;
}

/// What is explained below the table needs no hint here.
bool is_explained(FailureKind kind) {
  switch (kind) {
    case FailureKind::Race:
    case FailureKind::UseAfterFree:
    case FailureKind::DoubleFree:
    case FailureKind::HeapOverflow: return true;
    default: return false;
  }
}

std::string failure_details(const Bug& bug, const StoryOptions& options) {
  const BugFailure& failure = *bug.failure;
  std::string text;
  std::string function = failure.place.function.empty() ? "" : "in " + printable(failure.place.function) + " ";
  if (failure.place.known()) text += fmt::format("  {}at {}:{}\n", function, failure.place.file, failure.place.line);
  if (!failure.source.empty()) text += "    " + options.style.dim(printable(failure.source)) + "\n";
  if (is_explained(failure.kind) && !bug.objects.empty()) return text;
  if (const std::string stack = stack_text(failure.frames); stack.find(" <- ") != std::string::npos)
    text += indented(1, "stack: " + stack, options.width);
  if (failure.other.known() && !(failure.other == failure.place))
    text += fmt::format("  see also {}:{} in {}\n", failure.other.file, failure.other.line,
                        printable(failure.other.function));
  return text;
}

/// The rows, and below them what they mean.
std::string told(const Bug& bug, const StoryOptions& options, size_t events, bool all_sources) {
  std::string text;
  const std::vector<StoryRow> rows = story_rows(bug, events, options.lines != 0);
  std::vector<std::string> texts;
  if (!rows.empty()) {
    const StoryTable table(bug, rows, options);
    text += "\n" + table.header();
    std::set<std::pair<std::string, u32>> lines;
    for (const StoryRow& row : rows) {
      const Place& place = bug.events[row.event].place;
      const bool fresh = row.kind != StoryRow::Step || lines.emplace(place.file, place.line).second;
      text += table.row(row, all_sources || fresh);
      texts.push_back(row.text);
    }
  }
  const std::vector<Explanation> why = explanation(bug);
  if (!rows.empty() || !why.empty()) text += "\n";
  for (const Explanation& line : why) text += indented(line.depth + 1, line.text, options.width);
  const bool about_threads = bug.failure && (bug.failure->kind == FailureKind::Deadlock || race_of(bug));
  if (bug.failure && !about_threads)
    text += fmt::format("  {} fails here: {}\n", thread_name(bug, bug.failure->thread),
                        options.style.red(printable(failure_message(*bug.failure))));
  for (const std::string& line : legend(bug, texts, why)) text += indented(1, line, options.width);
  return text;
}

size_t height(const std::string& text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

std::string failure_message(const BugFailure& failure) {
  return failure.message.empty() ? std::string(kind_title(failure.kind)) : failure.message;
}

std::string headline(const Bug& bug, const Style& style) {
  if (!bug.failure) return "no failure: the recorded run completes";
  const BugFailure& failure = *bug.failure;
  std::string text = style.red(std::string(kind_title(failure.kind)));
  if (failure.place.known()) text += " at " + style.bold(fmt::format("{}:{}", failure.place.file, failure.place.line));
  if (std::string detail = message_detail(failure); !detail.empty()) text += ": " + printable(detail);
  return text + fmt::format(" [{}, {}]", kind_name(failure.kind), thread_name(bug, failure.thread));
}

namespace {

std::string inputs_line(const Bug& bug, size_t width) {
  const std::vector<InputVariable>& inputs = bug.visibility.inputs;
  return inputs.empty() ? "" : indented(1, "with the inputs " + inputs_text(inputs), width);
}

}  // namespace

std::string brief_story(const Bug& bug, const StoryOptions& options) {
  std::string text = headline(bug, options.style) + "\n" + inputs_line(bug, options.width);
  for (const Explanation& line : explanation(bug)) text += indented(line.depth + 1, line.text, options.width);
  return text;
}

std::string story(const Bug& bug, const StoryOptions& options) {
  const Style& style = options.style;
  std::string text = headline(bug, style) + "\n";
  if (bug.failure) text += failure_details(bug, options);
  text += inputs_line(bug, options.width);
  if (std::string summary = reordering_summary(bug, Buffers(bug)); !summary.empty())
    text += "  " + style.yellow(printable(summary)) + "\n";
  // A screen: first each line of the program once, then fewer steps.
  const size_t room = options.lines > height(text) ? options.lines - height(text) : 0;
  std::string rest = told(bug, options, options.events, true);
  if (options.lines && height(rest) > room) rest = told(bug, options, options.events, false);
  for (size_t events = options.events; options.lines && height(rest) > room && events > kFewestEvents;) {
    events -= events / 8 + 1;
    rest = told(bug, options, events, false);
  }
  return text + rest;
}

}  // namespace plait
