#include "cli/completion.h"

#include <fmt/core.h>

#include "base/error.h"

namespace plait {
namespace {

/// What a value looks like, for the shells' own completions.
enum class ValueKind { None, Choices, File, Directory, Other };

ValueKind kind_of(const OptionModel& option) {
  if (option.value.empty()) return ValueKind::None;
  if (!option.choices.empty()) return ValueKind::Choices;
  if (option.value == "FILE") return ValueKind::File;
  return option.value == "DIR" ? ValueKind::Directory : ValueKind::Other;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

template <class Use>
void each_option(const CommandModel& command, Use&& use) {
  for (const GroupModel& group : command.groups)
    for (const OptionModel& option : group.options)
      if (!option.positional) use(option);
}

/// In single quotes; `extra` are characters that the shell's own syntax wants escaped.
std::string quoted(const std::string& text, const std::string& extra = "") {
  std::string result = "'";
  for (char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (extra.find(c) != std::string::npos)
      result += std::string("\\") + c;
    else
      result += c;
  }
  return result + "'";
}

std::string bash_values(const OptionModel& option) {
  switch (kind_of(option)) {
    case ValueKind::Choices:
      return fmt::format("COMPREPLY=($(compgen -W {} -- \"$word\"))", quoted(joined(option.choices, " ")));
    case ValueKind::File: return "COMPREPLY=($(compgen -f -- \"$word\"))";
    case ValueKind::Directory: return "COMPREPLY=($(compgen -d -- \"$word\"))";
    default: return "COMPREPLY=()";
  }
}

std::string bash_script(const CommandModel& plait) {
  std::vector<std::string> commands;
  for (const CommandModel& command : plait.commands) commands.push_back(command.name);
  std::string cases;
  for (const CommandModel& command : plait.commands) {
    std::vector<std::string> names;
    std::string values, positional = "COMPREPLY=($(compgen -f -- \"$word\"))";
    each_option(command, [&](const OptionModel& option) {
      names.insert(names.end(), option.names.begin(), option.names.end());
      if (kind_of(option) != ValueKind::None)
        values += fmt::format("        {}) {}; return ;;\n", joined(option.names, "|"), bash_values(option));
    });
    for (const GroupModel& group : command.groups)
      for (const OptionModel& option : group.options)
        if (option.positional && !option.choices.empty()) positional = bash_values(option);
    cases += fmt::format("    {})\n      case \"$before\" in\n{}      esac\n", command.name, values);
    cases += fmt::format("      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W {} -- \"$word\")); else {}; fi ;;\n",
                         quoted(joined(names, " ")), positional);
  }
  return fmt::format(R"(# bash completion for plait: source it, or put it where bash-completion looks for "plait".
_plait() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then COMPREPLY=($(compgen -W {} -- "$word")); return; fi
  case "$command" in
{}  esac
}}
complete -o filenames -F _plait plait
)",
                     quoted(joined(commands, " ") + " --help --version"), cases);
}

std::string zsh_action(const OptionModel& option) {
  switch (kind_of(option)) {
    case ValueKind::None: return "";
    case ValueKind::Choices: return fmt::format(":{}:({})", option.value, joined(option.choices, " "));
    case ValueKind::File: return fmt::format(":{}:_files", option.value);
    case ValueKind::Directory: return fmt::format(":{}:_files -/", option.value);
    default: return fmt::format(":{}:", option.value);
  }
}

std::string zsh_script(const CommandModel& plait) {
  std::string commands, cases;
  for (const CommandModel& command : plait.commands) {
    commands += fmt::format("    {}\n", quoted(command.name + ":" + command.help, "\\"));
    std::string arguments;
    each_option(command, [&](const OptionModel& option) {
      for (const std::string& name : option.names) {
        std::string spec = name + "[";
        for (char c : option.help)
          spec += std::string("[]:").find(c) != std::string::npos ? std::string("\\") + c : std::string(1, c);
        arguments += " " + quoted(spec + "]" + zsh_action(option));
      }
    });
    std::string positional = "'*:file:_files'";
    for (const GroupModel& group : command.groups)
      for (const OptionModel& option : group.options)
        if (option.positional && !option.choices.empty())
          positional = quoted(fmt::format("1:{}:({})", option.names[0], joined(option.choices, " ")));
    cases += fmt::format("    {}) _arguments{} {} ;;\n", command.name, arguments, positional);
  }
  return fmt::format(R"(#compdef plait
# zsh completion for plait: put it into a directory of $fpath as _plait.
_plait() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case "$command" in
{}  esac
}}
_plait "$@"
)",
                     commands, cases);
}

std::string fish_script(const CommandModel& plait) {
  std::string text = "# fish completion for plait: put it into ~/.config/fish/completions/plait.fish.\n";
  std::string all;
  for (const CommandModel& command : plait.commands) all += (all.empty() ? "" : " ") + command.name;
  for (const CommandModel& command : plait.commands)
    text += fmt::format("complete -c plait -n 'not __fish_seen_subcommand_from {}' -f -a {} -d {}\n", all,
                        quoted(command.name), quoted(command.help, "\\"));
  for (const CommandModel& command : plait.commands) {
    each_option(command, [&](const OptionModel& option) {
      text += fmt::format("complete -c plait -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      switch (kind_of(option)) {
        case ValueKind::None: break;
        case ValueKind::Choices: text += " -x -a " + quoted(joined(option.choices, " ")); break;
        case ValueKind::File: text += " -r -F"; break;
        case ValueKind::Directory: text += " -x -a '(__fish_complete_directories)'"; break;
        case ValueKind::Other: text += " -x"; break;
      }
      text += " -d " + quoted(option.help, "\\") + "\n";
    });
    for (const GroupModel& group : command.groups)
      for (const OptionModel& option : group.options)
        if (option.positional && !option.choices.empty())
          text += fmt::format("complete -c plait -n '__fish_seen_subcommand_from {}' -f -a {}\n", command.name,
                              quoted(joined(option.choices, " ")));
  }
  return text;
}

}  // namespace

std::string completion_script(const CommandModel& plait, const std::string& shell) {
  if (shell == "bash") return bash_script(plait);
  if (shell == "zsh") return zsh_script(plait);
  if (shell == "fish") return fish_script(plait);
  throw Error(kExitUsage, fmt::format("no completion for '{}' (bash, zsh, fish)", shell));
}

}  // namespace plait
