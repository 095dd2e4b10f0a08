// The rows of a story as text: a column per thread, or, if there are too many for that, lines that are indented by
// thread.
#pragma once
#include <optional>

#include "report/buffers.h"
#include "report/race.h"
#include "report/story.h"
#include "report/story_rows.h"

namespace plait {

class StoryTable {
 public:
  StoryTable(const Bug& bug, const std::vector<StoryRow>& rows, const StoryOptions& options);

  std::string header() const;
  /// `source`: with the line of the program.
  std::string row(const StoryRow& row, bool source) const;

 private:
  struct Cell {
    ThreadId thread;
    std::vector<std::string> lines;
    size_t dim_from;  // lines from here on are of less weight
  };
  std::string reordered(const std::string& margin, const std::string& text) const;
  std::string name(ThreadId t) const;
  Cell step(const StoryRow& row, bool source) const;
  Cell access(const RaceAccess& access) const;
  std::string cells(const std::string& margin, std::vector<Cell> cells) const;
  size_t place_of(ThreadId thread) const;

  const Bug& bug_;
  const Buffers buffers_;
  const StoryOptions& options_;
  const std::optional<Race> race_;
  std::vector<ThreadId> threads_;
  bool indented_ = false;
  size_t column_ = 0;
};

}  // namespace plait
