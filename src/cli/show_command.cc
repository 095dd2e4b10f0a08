// plait show: tells what a bug file holds; the program is not needed.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "cli/options.h"
#include "report/bug_json.h"
#include "report/files.h"
#include "report/html.h"
#include "report/story.h"

namespace plait {
namespace {

std::string shown(const Bug& bug, const ShowOptions& options) {
  if (options.format == "json") return json_text(bug_to_json(bug), 1) + "\n";
  if (options.format == "html") return html_report(bug, "plait replay " + shell_word(options.file));
  bool color = options.output.empty() ? use_color(options.color, 1) : options.color == ColorMode::Always;
  return story(bug, StoryOptions{Style(color), terminal_width(1), options.verbose ? bug.events.size() : size_t{40}});
}

}  // namespace

int run_show(const ShowOptions& options) {
  std::string text = shown(read_bug_file(options.file), options);
  if (!options.output.empty())
    write_file(options.output, text);
  else if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error(kExitInternal, std::string("cannot write to standard output: ") + std::strerror(errno));
  return 0;
}

}  // namespace plait
