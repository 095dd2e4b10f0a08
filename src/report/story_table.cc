#include "report/story_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/names.h"

namespace plait {
namespace {

constexpr size_t kNumberWidth = 6, kGap = 2, kLeastColumn = 22, kGoodColumn = 34, kIndent = 3;
constexpr size_t kMostColumns = 3;  // with narrow ones; more are indented lines

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

StoryTable::StoryTable(const Bug& bug, const std::vector<StoryRow>& rows, const StoryOptions& options)
    : bug_(bug), buffers_(bug), options_(options), race_(race_of(bug)) {
  ThreadSet set = 0;
  for (const StoryRow& row : rows) set |= bit(row.thread);
  if (race_) set |= bit(race_->first.thread) | bit(race_->second.thread);
  for (; set; set &= set - 1) threads_.push_back(lowest(set));
  const size_t n = std::max<size_t>(1, threads_.size());
  const size_t room = options.width > kNumberWidth ? options.width - kNumberWidth : kLeastColumn;
  column_ = room / n > kGap ? room / n - kGap : 0;
  indented_ = n > kMostColumns && column_ < kGoodColumn;
  if (indented_) column_ = room > (n - 1) * kIndent ? room - (n - 1) * kIndent : 0;
  column_ = std::max(column_, kLeastColumn);
}

std::string StoryTable::header() const {
  if (indented_) return "";
  std::string line(kNumberWidth, ' ');
  for (ThreadId t : threads_) line += options_.style.bold(fit(name(t), column_)) + std::string(kGap, ' ');
  return trimmed(line) + "\n";
}

std::string StoryTable::name(ThreadId t) const {
  std::string path = thread_path(bug_.visibility.identities, t);
  std::string simple = thread_name(bug_, t);
  // "T2" alone says all unless it was forked by another thread than main.
  return std::count(path.begin(), path.end(), '.') > 1 ? fmt::format("{} ({})", simple, path) : simple;
}

size_t StoryTable::place_of(ThreadId thread) const {
  const auto found = std::find(threads_.begin(), threads_.end(), thread);
  return static_cast<size_t>(found - threads_.begin()) * (indented_ ? kIndent : column_ + kGap);
}

/// Over the whole width: it concerns two threads.
std::string StoryTable::reordered(const std::string& margin, const std::string& text) const {
  std::string result;
  const size_t room = std::max(kLeastColumn, options_.width - std::min(options_.width, kNumberWidth));
  for (const std::string& row : wrapped("! " + printable(text), room))
    result += margin + options_.style.yellow(row) + "\n";
  return result;
}

StoryTable::Cell StoryTable::step(const StoryRow& row, bool source) const {
  const BugEvent& event = bug_.events[row.event];
  const std::string who = indented_ ? thread_name(bug_, row.thread) + "  " : "";
  // The line of a flush was told with the store.
  if (buffers_.is_flush(row.event) && !buffers_.told_as_write(row.event)) {
    std::vector<std::string> lines = wrapped(printable(who + row.text), column_);
    return {row.thread, lines, lines.size()};
  }
  // Simulators have no source lines.
  const bool has_place = event.place.known() || !bug_.runtime;
  std::vector<std::string> lines =
      wrapped(printable(who + (has_place ? short_place(event.place) + "  " : "") + row.text), column_);
  const size_t dim_from = lines.size();
  // Source lines are cut: the file is at hand. What happened is told in full.
  if (source && !event.source.empty()) lines.push_back(trimmed(fit("  " + printable(event.source), column_)));
  return {row.thread, lines, dim_from};
}

StoryTable::Cell StoryTable::access(const RaceAccess& access) const {
  const BugEvent& event = bug_.events[access.event];
  const std::string who = indented_ ? thread_name(bug_, access.thread) + "  " : "";
  const std::string step = access.performed ? fmt::format(" (step {})", access.event + 1) : "";
  std::vector<std::string> lines =
      wrapped(printable(fmt::format("{}{}  {}{}", who, short_place(event.place), access.text, step)), column_);
  const size_t dim_from = lines.size();
  if (!event.source.empty()) lines.push_back(trimmed(fit("  " + printable(event.source), column_)));
  return {access.thread, lines, dim_from};
}

/// Side by side, or below each other where the columns are lines.
std::string StoryTable::cells(const std::string& margin, std::vector<Cell> cells) const {
  if (indented_ && cells.size() > 1) {
    std::string result;
    for (const Cell& cell : cells) result += this->cells(margin, {cell});
    return result;
  }
  std::sort(cells.begin(), cells.end(),
            [&](const Cell& a, const Cell& b) { return place_of(a.thread) < place_of(b.thread); });
  size_t height = 0;
  for (const Cell& cell : cells) height = std::max(height, cell.lines.size());
  std::string result;
  for (size_t i = 0; i < height; ++i) {
    std::string line = options_.style.dim(i == 0 ? margin : std::string(kNumberWidth, ' '));
    size_t at = 0;
    for (const Cell& cell : cells) {
      if (i >= cell.lines.size()) continue;
      const std::string& text = cell.lines[i];
      line += std::string(place_of(cell.thread) - at, ' ') + (i >= cell.dim_from ? options_.style.dim(text) : text);
      at = place_of(cell.thread) + columns(text);
    }
    result += trimmed(line) + "\n";
  }
  return result;
}

std::string StoryTable::row(const StoryRow& row, bool source) const {
  const std::string margin(kNumberWidth, ' ');
  switch (row.kind) {
    case StoryRow::Fold: return options_.style.dim(margin + row.text) + "\n";
    case StoryRow::Reordered: return reordered(margin, row.text);
    case StoryRow::Note: {
      const std::string who = indented_ ? thread_name(bug_, row.thread) + " " : "";
      return cells(margin, {{row.thread, wrapped(printable("~ " + who + row.text), column_), 0}});
    }
    case StoryRow::Race:
      if (!race_) return "";
      return cells("  >>  ", {access(race_->first), access(race_->second)});
    case StoryRow::Step: break;
  }
  return cells(fmt::format("{:>4}  ", row.event + 1), {step(row, source)});
}

}  // namespace plait
