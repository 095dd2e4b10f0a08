// plait show: tells what a bug file holds; the program is not needed.
#include <cstdio>

#include "cli/options.h"
#include "host/error.h"
#include "report/bug_json.h"
#include "report/story.h"

namespace plait {

int run_show(const ShowOptions& options) {
  if (options.format == "html") throw Error(kExitUsage, "show -f html is not available in this version (text, json)");
  Bug bug = read_bug_file(options.file);
  std::string text;
  if (options.format == "json")
    text = json_text(bug_to_json(bug), 1) + "\n";
  else
    text = story(bug, StoryOptions{Style(use_color(options.color, 1)), terminal_width(1), 40});
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

}  // namespace plait
