// plait deps: what the lines of a program depend on, as far as the compiler knows, and why (depend/chains.h).
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include "base/error.h"
#include "cli/options.h"
#include "cli/target.h"
#include "depend/chains.h"
#include "host/describe.h"
#include "report/program_map.h"

namespace plait {
namespace {

using depend::Why;

constexpr std::pair<Why, const char*> kWhys[] = {{Why::Happens, "whether it happens"},
                                                 {Why::Entered, "whether its function is called"},
                                                 {Why::Brings, "what it brings"}};

/// Plait's own copies of what the C++ library does (src/standard).
constexpr const char* kStandardSources = "/src/standard/";

/// A line of the source, as people name it.
struct Line {
  std::string file;
  u32 number = 0;
  auto operator<=>(const Line&) const = default;
};

std::string text_of(const Line& line) {
  return fmt::format("{}:{}", std::filesystem::path(line.file).filename().string(), line.number);
}

class Dependences {
 public:
  Dependences(const ProgramMap& map, const depend::Graph& graph) : map_(map), graph_(graph), chains_(graph) {
    for (const auto& [row, site] : graph.sites())
      if (const Line line = line_of(row); line.number) rows_[line].push_back(row);
    for (auto& [line, rows] : rows_) std::sort(rows.begin(), rows.end());
  }

  u32 sites() const { return static_cast<u32>(graph_.sites().size()); }
  const std::map<Line, std::vector<u32>>& rows() const { return rows_; }

  /// "bank.cc:12 (balance)"
  std::string text_of_row(u32 row) const {
    const std::string expression = map_.expression(site_of(row));
    return text_of(line_of(row)) + (expression.empty() ? "" : fmt::format(" ({})", expression));
  }

  /// The reads that a line depends on, each once, and one chain for each.
  std::map<std::string, depend::Chain> reads(const std::vector<u32>& rows, Why why) const {
    std::map<std::string, depend::Chain> reads;
    for (const u32 row : rows)
      for (depend::Chain& chain : chains_.to(row, why)) {
        const Line line = line_of(chain.read);
        if (!line.number) continue;
        depend::Chain& known = reads[text_of_row(chain.read)];
        if (known.nodes.empty() || chain.nodes.size() < known.nodes.size()) known = std::move(chain);
      }
    return reads;
  }

  /// What lies between the read and the operation, as far as it has a place or a name.
  std::vector<std::string> steps(const depend::Chain& chain) const {
    std::vector<std::string> steps;
    for (size_t i = 1; i + 1 < chain.nodes.size(); ++i) {
      std::string step(depend::common_name(chain.nodes[i]));
      if (const auto& meanings = chains_.meanings(chain.nodes[i]); step.empty() && !meanings.empty())
        step = (meanings[0].is_read ? "read at " : "") + text_of_row(meanings[0].row);
      if (!step.empty() && (steps.empty() || steps.back() != step)) steps.push_back(step);
    }
    return steps;
  }

  bool is_opaque(const std::vector<u32>& rows) const {
    return std::any_of(rows.begin(), rows.end(), [&](u32 row) { return graph_.sites().at(row).opaque; });
  }

 private:
  static u32 site_of(u32 row) { return row * depends::kSiteBytes; }
  /// The user's line; of library code that was not inlined there is none.
  Line line_of(u32 row) const {
    const Place place = map_.place(site_of(row));
    const bool own =
        place.known() && !in_system_header(place.file) && place.file.find(kStandardSources) == std::string::npos;
    return own ? Line{place.file, place.line} : Line{};
  }

  const ProgramMap& map_;
  const depend::Graph& graph_;
  const depend::Chains chains_;
  std::map<Line, std::vector<u32>> rows_;
};

/// "queue.cc:12" names a line of any file whose path ends so.
bool is_named(const Line& line, const std::string& file, u32 number) {
  const std::string slashed = "/" + line.file;
  return line.number == number && (file.empty() || slashed.ends_with("/" + file));
}

void tell_line(const Dependences& all, const Line& line, const std::vector<u32>& rows) {
  fmt::print("{}\n", text_of(line));
  bool any = false;
  for (const auto& [why, words] : kWhys) {
    const auto reads = all.reads(rows, why);
    if (reads.empty()) continue;
    any = true;
    fmt::print("  {} depends on\n", words);
    for (const auto& [read, chain] : reads) {
      fmt::print("    {}\n", read);
      for (const std::string& step : all.steps(chain)) fmt::print("      through {}\n", step);
    }
  }
  if (all.is_opaque(rows))
    fmt::print("  what it brings is not followed: it counts as depending on all that its thread has read\n");
  else if (!any)
    fmt::print("  depends on no read\n");
}

void tell_all(const Dependences& all) {
  for (const auto& [line, rows] : all.rows()) {
    std::set<std::string> reads;
    for (const auto& [why, words] : kWhys)
      for (const auto& [read, chain] : all.reads(rows, why)) reads.insert(read);
    std::string text;
    for (const std::string& read : reads) text += (text.empty() ? "" : ", ") + read;
    if (all.is_opaque(rows)) text += text.empty() ? "not followed" : ", ... (not followed)";
    fmt::print("{}: {}\n", text_of(line), text.empty() ? "-" : text);
  }
}

void draw(const Dependences& all, const std::string& file, u32 number) {
  fmt::print("digraph dependences {{\n  rankdir=LR;\n  node [shape=box];\n");
  for (const auto& [line, rows] : all.rows()) {
    if (number && !is_named(line, file, number)) continue;
    for (const auto& [why, words] : kWhys)
      for (const auto& [read, chain] : all.reads(rows, why))
        fmt::print("  \"{}\" -> \"{}\"{};\n", read, text_of(line), why == Why::Brings ? "" : " [style=dashed]");
  }
  fmt::print("}}\n");
}

}  // namespace

int run_deps(const CheckOptions& target, const DepsOptions& options) {
  std::string file;
  u32 number = 0;
  if (!options.site.empty()) {
    const size_t colon = options.site.rfind(':');
    file = colon == std::string::npos ? "" : options.site.substr(0, colon);
    const std::string digits = colon == std::string::npos ? options.site : options.site.substr(colon + 1);
    const bool is_number =
        !digits.empty() && digits.size() < 9 && digits.find_first_not_of("0123456789") == std::string::npos;
    number = is_number ? static_cast<u32>(std::stoul(digits)) : 0;
    if (number == 0) throw Error(kExitUsage, fmt::format("--site: '{}' is not FILE:LINE", options.site));
  }
  const BugProgram program = prepare_target(target);
  const ProgramMap map = ProgramMap::parse(describe(program.program));
  const std::unique_ptr<const depend::Graph> graph = depend::Graph::of_program(program.program.path);
  if (!graph)
    throw Error(kExitUsage,
                fmt::format("'{}' does not say what its operations depend on: compile it with plait's wrapper",
                            program.program.path));
  const Dependences all(map, *graph);
  if (options.dot) {
    draw(all, file, number);
  } else if (number) {
    bool found = false;
    for (const auto& [line, rows] : all.rows()) {
      if (!is_named(line, file, number)) continue;
      found = true;
      tell_line(all, line, rows);
    }
    if (!found) throw Error(kExitUsage, fmt::format("--site: there is no operation at {}", options.site));
  } else {
    fmt::print("{} operations, {} nodes, {} edges. Each line, and the reads that it depends on:\n", all.sites(),
               graph->nodes(), graph->edges());
    tell_all(all);
  }
  return kExitSafe;
}

}  // namespace plait
