// Bug files: whatever stands in one, reading it ends with a Bug or with one line, and what can be read can be told.
#include "base/error.h"
#include "report/bug_json.h"
#include "report/html.h"
#include "report/story.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  using namespace plait;
  try {
    const Bug bug = bug_from_json(parse_json({reinterpret_cast<const char*>(data), size}), "input");
    story(bug, StoryOptions{});
    bug_from_json(parse_json(json_text(bug_to_json(bug), 1)), "what was written");
    html_report(bug, "plait replay input");
  } catch (const Error&) {
  } catch (const std::runtime_error&) {
  }
  return 0;
}
