#include "cli/app_model.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "report/style.h"

namespace plait {
namespace {

constexpr size_t kHelpColumn = 30;

/// CLI11 says "HOW:{a,b}" or "N:UINT in [1 - 9]".
void read_type(const std::string& type, OptionModel& option) {
  size_t colon = type.find(':');
  option.value = type.substr(0, colon);
  if (colon == std::string::npos || colon + 1 >= type.size() || type[colon + 1] != '{') return;
  std::string list = type.substr(colon + 2, type.rfind('}') - colon - 2);
  for (size_t begin = 0; begin <= list.size();) {
    size_t end = std::min(list.find(',', begin), list.size());
    option.choices.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
}

OptionModel option_model(const CLI::Option& from) {
  OptionModel option;
  option.help = from.get_description();
  option.required = from.get_required();
  option.positional = from.get_snames().empty() && from.get_lnames().empty();
  if (option.positional) option.names = {from.get_name(true)};
  for (const std::string& name : from.get_snames()) option.names.push_back("-" + name);
  for (const std::string& name : from.get_lnames()) option.names.push_back("--" + name);
  if (from.get_items_expected_max() > 0) {
    read_type(from.get_type_name(), option);
    option.standard = from.get_default_str();
  }
  return option;
}

void add_group(const CLI::App& app, const std::string& name, CommandModel& command) {
  GroupModel group{name, {}};
  for (const CLI::Option* option : app.get_options()) {
    bool again = !name.empty() && option == app.get_help_ptr();  // every group has the help flag, too
    if (!again) group.options.push_back(option_model(*option));
  }
  if (!group.options.empty()) command.groups.push_back(std::move(group));
}

std::string paragraph(const std::string& text, size_t indent, size_t width) {
  std::string result, line;
  auto flush = [&] {
    result += std::string(indent, ' ') + line + "\n";
    line.clear();
  };
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find(' ', begin), text.size());
    std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) flush();
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) flush();
  return result;
}

std::string option_help(const OptionModel& option, size_t width) {
  std::string text = option.help;
  if (!option.choices.empty()) {
    std::string choices;
    for (const std::string& choice : option.choices) choices += (choices.empty() ? "" : ", ") + choice;
    text += fmt::format(" [{}]", choices);
  }
  if (!option.standard.empty()) text += fmt::format(" (default: {})", option.standard);
  std::string heading = "  " + option_heading(option);
  std::string body = paragraph(text, kHelpColumn, width);
  if (heading.size() + 2 <= kHelpColumn) {
    body.replace(0, heading.size(), heading);
    return body;
  }
  return heading + "\n" + body;
}

}  // namespace

std::string OptionModel::long_name() const {
  for (const std::string& name : names)
    if (name.starts_with("--")) return name.substr(2);
  return "";
}

const OptionModel* CommandModel::find(const std::string& long_name) const {
  for (const GroupModel& group : groups)
    for (const OptionModel& option : group.options)
      if (!option.positional && option.long_name() == long_name) return &option;
  return nullptr;
}

CommandModel model_of(const CLI::App& app) {
  CommandModel command{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  add_group(app, "", command);
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_name().empty())
      add_group(*sub, sub->get_group(), command);
    else
      command.commands.push_back(model_of(*sub));
  }
  return command;
}

std::string option_heading(const OptionModel& option) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + name;
  if (!option.positional && !option.value.empty()) text += " " + option.value;
  return text;
}

std::string help_text(const CommandModel& command, const std::string& parent, size_t width) {
  width = std::min<size_t>(width, 110);
  std::string usage = parent.empty() ? command.name : parent + " " + command.name, positionals;
  for (const GroupModel& group : command.groups)
    for (const OptionModel& option : group.options)
      if (option.positional) positionals += " " + option.names[0];
  std::string text = paragraph(command.help, 0, width) + "\nUsage: " + usage +
                     (command.commands.empty() ? " [OPTIONS]" + positionals : " COMMAND ...") + "\n";
  if (!command.commands.empty()) {
    text += "\nCommands:\n";
    for (const CommandModel& sub : command.commands) text += option_help({{sub.name}, "", {}, "", sub.help}, width);
  }
  for (const GroupModel& group : command.groups) {
    text += "\n" + (group.name.empty() ? std::string("General") : group.name) + ":\n";
    for (const OptionModel& option : group.options) text += option_help(option, width);
  }
  return command.footer.empty() ? text : text + "\n" + command.footer + "\n";
}

}  // namespace plait
