// What `plait check` leaves behind once a result is there: text, files, annotations.
#pragma once
#include <string>

#include "cli/options.h"
#include "report/result.h"

namespace plait {

/// The text form, with colour and width as the terminal wants them.
std::string text_of(const CheckResult&, const CheckOptions&);

/// To standard output, at once. Throws Error when it cannot be written.
void print_out(const std::string& text);

/// Into DIR/run-N.
void archive_result(const CheckResult&, const std::string& directory);

/// In a job of GitHub Actions.
void annotate(const CheckResult&);

}  // namespace plait
