#include "report/story.h"

#include <fmt/core.h>

#include <algorithm>

#include "check/kinds.h"
#include "report/blocked.h"
#include "report/names.h"
#include "report/reordering.h"
#include "report/story_rows.h"

namespace plait {
namespace {

constexpr size_t kNumberWidth = 6, kGap = 2, kLeastColumn = 22, kMostColumn = 48;

class Table {
 public:
  Table(const Bug& bug, const std::vector<StoryRow>& rows, const StoryOptions& options)
      : bug_(bug), buffers_(bug), options_(options) {
    ThreadSet set = 0;
    for (const StoryRow& row : rows) set |= bit(row.thread);
    for (; set; set &= set - 1) threads_.push_back(lowest(set));
    size_t n = std::max<size_t>(1, threads_.size());
    size_t room = options.width > kNumberWidth ? (options.width - kNumberWidth) / n : kLeastColumn;
    column_ = std::clamp(room > kGap ? room - kGap : 0, kLeastColumn, kMostColumn);
  }

  std::string header() const {
    std::string line(kNumberWidth, ' ');
    for (ThreadId t : threads_) line += options_.style.bold(fit(name(t), column_)) + std::string(kGap, ' ');
    return trimmed(line) + "\n";
  }

  std::string row(const StoryRow& row) const {
    const std::string margin(kNumberWidth, ' ');
    if (row.kind == StoryRow::Fold) return options_.style.dim(margin + row.text) + "\n";
    if (row.kind == StoryRow::Reordered) return reordered(margin, row.text);
    if (row.kind == StoryRow::Note) return line(margin, row.thread, printable("~ " + row.text), false, true);
    const BugEvent& event = bug_.events[row.event];
    const std::string number = fmt::format("{:>4}  ", row.event + 1);
    // Its line was told with the store.
    if (buffers_.is_flush(row.event) && !buffers_.told_as_write(row.event))
      return line(number, row.thread, printable(row.text), false, false);
    // Simulators have no source lines.
    const bool has_place = event.place.known() || !bug_.runtime;
    std::string what = printable(has_place ? fmt::format("{}  {}", short_place(event.place), row.text) : row.text);
    std::string text = line(number, row.thread, what, false, false);
    if (!event.source.empty()) text += line(margin, row.thread, "  " + printable(event.source), true, true);
    return text;
  }

 private:
  /// Over the whole width: it concerns two threads.
  std::string reordered(const std::string& margin, const std::string& text) const {
    std::string result;
    const size_t room = std::max(kLeastColumn, options_.width - std::min(options_.width, kNumberWidth));
    for (const std::string& row : wrapped("! " + printable(text), room))
      result += margin + options_.style.yellow(row) + "\n";
    return result;
  }

  std::string name(ThreadId t) const {
    std::string path = thread_path(bug_.visibility.identities, t);
    std::string simple = thread_name(bug_, t);
    // "T2" alone says all unless it was forked by another thread than main.
    return std::count(path.begin(), path.end(), '.') > 1 ? fmt::format("{} ({})", simple, path) : simple;
  }

  std::string line(const std::string& margin, ThreadId thread, const std::string& text, bool cut, bool dim) const {
    size_t indent = 0;
    for (size_t i = 0; i < threads_.size() && threads_[i] != thread; ++i) indent += column_ + kGap;
    std::string result, first = margin;
    // Source lines are cut: the file is at hand. What happened is told in full.
    std::vector<std::string> rows =
        cut ? std::vector<std::string>{trimmed(fit(text, column_))} : wrapped(text, column_);
    for (const std::string& row : rows) {
      result +=
          trimmed(options_.style.dim(first) + std::string(indent, ' ') + (dim ? options_.style.dim(row) : row)) + "\n";
      first = std::string(kNumberWidth, ' ');
    }
    return result;
  }

  static std::string trimmed(std::string text) {
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
  }

  const Bug& bug_;
  const Buffers buffers_;
  const StoryOptions& options_;
  std::vector<ThreadId> threads_;
  size_t column_ = kLeastColumn;
};

/// The message without the words that the title has already said.
std::string message_detail(const BugFailure& failure) {
  std::string_view title = kind_title(failure.kind), message = failure.message;
  if (!message.starts_with(title)) return failure.message;
  message.remove_prefix(title.size());
  if (message.starts_with(": ")) message.remove_prefix(2);
  return std::string(message);
}

std::string failure_details(const BugFailure& failure, const Style& style) {
  std::string text;
  std::string function = failure.place.function.empty() ? "" : "in " + printable(failure.place.function) + " ";
  if (failure.place.known()) text += fmt::format("  {}at {}:{}\n", function, failure.place.file, failure.place.line);
  if (!failure.source.empty()) text += "    " + style.dim(printable(failure.source)) + "\n";
  if (failure.other.known() && !(failure.other == failure.place))
    text += fmt::format("  see also {}:{} in {}\n", failure.other.file, failure.other.line,
                        printable(failure.other.function));
  return text;
}

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

std::string story(const Bug& bug, const StoryOptions& options) {
  const Style& style = options.style;
  std::string text = headline(bug, style) + "\n";
  if (bug.failure) text += failure_details(*bug.failure, style);
  if (std::string summary = reordering_summary(bug, Buffers(bug)); !summary.empty())
    text += "  " + style.yellow(printable(summary)) + "\n";
  std::vector<StoryRow> rows = story_rows(bug, options.events);
  if (!rows.empty()) {
    Table table(bug, rows, options);
    text += "\n" + table.header();
    for (const StoryRow& row : rows) text += table.row(row);
  }
  std::vector<BlockedThread> blocked = blocked_threads(bug);
  if (!blocked.empty()) {
    text += "\n";
    for (const BlockedThread& b : blocked) text += "  " + printable(blocked_text(b)) + "\n";
  } else if (bug.failure) {
    text += fmt::format("\n  {} fails here: {}\n", thread_name(bug, bug.failure->thread),
                        style.red(printable(failure_message(*bug.failure))));
  }
  return text;
}

}  // namespace plait
