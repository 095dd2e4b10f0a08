// The HTML report of a recorded run: one file that needs no network. The data are made here (html_data.cc); page, style
// and behaviour are in web/, embedded at build time.
#pragma once
#include <string>

#include "report/bug_json.h"

namespace plait {

/// `replay` is the command that shows the run again. Source files are read relative to the bug's directory.
std::string html_report(const Bug&, const std::string& replay);

/// What the page shows, as values: threads, events, relations, source files, the failure.
Json html_data(const Bug&, const std::string& replay);

/// Embedded from web/ (generated).
struct WebAssets {
  const char* page;    // with {{TITLE}}, {{STYLE}}, {{DATA}}, {{SCRIPT}}
  const char* style;
  const char* script;
};
extern const WebAssets kWebAssets;

}  // namespace plait
