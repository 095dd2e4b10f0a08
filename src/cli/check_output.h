// What `plait check` and `plait explore` leave behind once a result is there: text, files, annotations.
#pragma once
#include <functional>
#include <string>

#include "cli/options.h"
#include "report/result.h"

namespace plait {

/// The text form, with colour and width as the terminal wants them.
std::string text_of(const CheckResult&, const CheckOptions&);

/// As --format says.
std::string formatted(const CheckResult&, const CheckOptions&);

/// To standard output, at once. Throws Error when it cannot be written.
void print_out(const std::string& text);

/// Calls `print`, which may fail as print_out does. The command's exit code: a bug stays a bug also when nobody could
/// be told about it here.
int delivered(const CheckResult&, const std::function<void()>& print);

/// Into DIR/run-N. A full disk is told about and no more than that.
void archive_result(const CheckResult&, const std::string& directory);

/// In a job of GitHub Actions.
void annotate(const CheckResult&);

}  // namespace plait
