#include "cli/man_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"

namespace plait {
namespace {

/// Text that roff takes literally. A dash stays a dash that can be copied; a line may not begin with a dot.
std::string roff(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    line_begins = c == '\n';
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string option_entry(const OptionModel& option) {
  std::string heading;
  for (const std::string& name : option.names)
    heading += (heading.empty() ? "" : ", ") + ("\\fB" + roff(name) + "\\fR");
  if (!option.positional && !option.value.empty()) heading += " \\fI" + roff(option.value) + "\\fR";
  std::string text = ".TP\n" + heading + "\n" + roff(option.help) + "\n";
  if (!option.choices.empty()) {
    std::string choices;
    for (const std::string& choice : option.choices) choices += (choices.empty() ? "" : ", ") + choice;
    text += ".br\nOne of: " + roff(choices) + ".\n";
  }
  if (!option.standard.empty()) text += ".br\nDefault: " + roff(option.standard) + ".\n";
  return text;
}

constexpr const char* kFiles = R"(.SH FILES
.TP
\fIplait.toml\fR
Defaults for the options of \fBplait check\fR: table [check], a key per long option. Looked for in the working directory and
those above it.
.TP
\fIplait\-out/\fR
Bug files (bug\-1.json ...), one directory per check (run\-1 ...), and latest, which names the newest.
)";

}  // namespace

std::string man_page(const CommandModel& plait, const std::string& name, const std::string& version) {
  const CommandModel* command = &plait;
  if (!name.empty()) {
    auto found = std::find_if(plait.commands.begin(), plait.commands.end(),
                              [&](const CommandModel& c) { return c.name == name; });
    if (found == plait.commands.end()) throw Error(kExitUsage, fmt::format("there is no command '{}'", name));
    command = &*found;
  }
  std::string title = name.empty() ? "plait" : "plait-" + name;
  std::string text = fmt::format(".TH {} 1 \"\" \"Plait {}\" \"User Commands\"\n", roff(upper(title)), version);
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(title), roff(command->help));
  text += ".SH SYNOPSIS\n.B " + std::string(name.empty() ? "plait" : "plait " + name) + "\n";
  text += command->commands.empty() ? "[\\fIOPTIONS\\fR]" : "\\fICOMMAND\\fR ...";
  for (const GroupModel& group : command->groups)
    for (const OptionModel& option : group.options)
      if (option.positional) text += " \\fI" + roff(option.names[0]) + "\\fR";
  text += "\n";
  if (!command->commands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandModel& sub : command->commands)
      text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(sub.name), roff(sub.help));
  }
  for (const GroupModel& group : command->groups) {
    text += ".SH " + (group.name.empty() ? std::string("OPTIONS") : roff(upper(group.name))) + "\n";
    for (const OptionModel& option : group.options) text += option_entry(option);
  }
  if (name == "check") text += kFiles;
  if (!command->footer.empty()) text += ".SH NOTES\n.nf\n" + roff(command->footer) + "\n.fi\n";
  text += ".SH SEE ALSO\n";
  std::string others = name.empty() ? "" : "\\fBplait\\fR(1)";
  for (const CommandModel& sub : plait.commands)
    if (sub.name != name && sub.name != "c++" && sub.name != "cc")  // their options are clang's
      others += (others.empty() ? "" : ", ") + fmt::format("\\fBplait\\-{}\\fR(1)", roff(sub.name));
  return text + others + "\n";
}

}  // namespace plait
