#include "report/html.h"

#include <map>
#include <string_view>

#include "report/markup.h"
#include "report/story.h"

namespace plait {
namespace {

/// JSON inside a script element: nothing in it may look like the element's end.
std::string script_safe(const std::string& json) {
  std::string result;
  for (char c : json) result += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return result;
}

/// The template with its marks replaced. Only the template's own marks count: a program's text may look like one.
std::string filled(std::string_view page, const std::map<std::string_view, std::string>& values) {
  std::string result;
  for (size_t open; (open = page.find("{{")) != std::string_view::npos;) {
    size_t close = page.find("}}", open);
    result += page.substr(0, open);
    result += values.at(page.substr(open + 2, close - open - 2));
    page.remove_prefix(close + 2);
  }
  return result.append(page);
}

}  // namespace

std::string html_report(const Bug& bug, const std::string& replay) {
  return filled(kWebAssets.page, {{"TITLE", escaped_markup("Plait: " + headline(bug, Style(false)))},
                                  {"STYLE", kWebAssets.style},
                                  {"SCRIPT", kWebAssets.script},
                                  {"DATA", script_safe(json_text(html_data(bug, replay), -1))}});
}

}  // namespace plait
