// The command's options as plain values, read from the one table (options.cc): what --help, man pages, shell completion
// and plait.toml are made from, so that they cannot disagree with the parser.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace plait {

struct OptionModel {
  std::vector<std::string> names;  // "-j", "--jobs"; of a positional: its name
  std::string value;               // what it takes: "N", "FILE"; empty for flags
  std::vector<std::string> choices;
  std::string standard;  // the default; empty if there is none to tell
  std::string help;
  bool positional = false;
  bool required = false;
  std::string long_name() const;  // without the dashes; empty if it has none
};

struct GroupModel {
  std::string name;  // "Limits"
  std::vector<OptionModel> options;
};

struct CommandModel {
  std::string name;  // "plait", "check" ...
  std::string help;
  std::string footer;
  std::vector<GroupModel> groups;
  std::vector<CommandModel> commands;
  const OptionModel* find(const std::string& long_name) const;
};

CommandModel model_of(const CLI::App&);

/// What --help prints. `parent`: "plait" for subcommands.
std::string help_text(const CommandModel&, const std::string& parent, size_t width);

/// "-j, --jobs N"
std::string option_heading(const OptionModel&);

}  // namespace plait
