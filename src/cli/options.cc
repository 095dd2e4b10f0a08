#include "cli/options.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <utility>

#include "base/error.h"
#include "cli/app_model.h"
#include "cli/cluster_options.h"
#include "cli/completion.h"
#include "cli/config.h"
#include "cli/explore_options.h"
#include "cli/man_page.h"
#include "cli/option_parts.h"

namespace plait {
namespace {

constexpr const char* kIntroduction =
    "Plait checks concurrent C and C++ programs: it runs them under every schedule that can make a difference.";

constexpr const char* kExamples = R"(Examples:
  plait check bank.cc                      compile and check a source file
  plait check --cflags "-O2 -Isrc" a.cc b.c -- input.txt 3
  plait c++ -O2 -c queue.cc && plait c++ queue.o -o queue && plait check queue
  CXX=plait-c++ cmake -B build && cmake --build build && plait check build/prog
  plait replay plait-out/bug-1.json        run the recorded schedule again
  plait replay plait-out/bug-1.json --gdb  stop in the debugger where it fails

Exit codes: 0 complete and no bug, 10 bug found, 5 inconclusive, 2 usage or compile error, 70 internal error,
130 interrupted.)";

void add_kinds(CLI::App& group, CheckOptions& o) {
  add_kinds_checked(group, o);
  group.add_option("--races", o.races, "are data races bugs? on or off")
      ->check(CLI::IsMember({"on", "off"}))
      ->default_str("on")
      ->type_name("WHEN");
  group
      .add_option("--exit-with-threads", o.exit_with_threads,
                  "a program that ends while threads run, which is legal: note or bug")
      ->check(CLI::IsMember({"note", "bug"}))
      ->default_str("note")
      ->type_name("WHAT");
}

CLI::Option* add_target(CLI::App& app, CheckOptions& o) {
  return app
      .add_option("PROGRAM|SOURCE", o.targets,
                  "an instrumented program, C and C++ source files to compile, or a Python script that uses asyncio")
      ->type_name("FILE");
}

std::vector<std::string> explorer_names() {
  std::vector<std::string> names;
  for (const ExplorerInfo& explorer : explorers()) names.emplace_back(explorer.name);
  return names;
}

std::string explorer_summaries() {
  std::string text;
  for (const ExplorerInfo& explorer : explorers())
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", explorer.name, explorer.summary);
  return text;
}

void add_check_options(CLI::App& app, CheckOptions& o) {
  auto* what = app.add_option_group("What to explore");
  what->add_option("--explore", o.explore, explorer_summaries())
      ->check(CLI::IsMember(explorer_names()))
      ->each([&o](const std::string&) { o.chose_explorer = true; })
      ->capture_default_str()
      ->type_name("HOW");
  what->add_option("--memory-model", o.memory_model,
                   "sc: stores are in memory at once; tso (x86): they wait in a buffer of their thread, in order; pso: "
                   "stores to different places also overtake each other")
      ->check(CLI::IsMember({"sc", "tso", "pso"}))
      ->capture_default_str()
      ->type_name("MODEL");
  what->add_option(
          "--compare", o.compare,
          "tso, pso: tell what the program can do that it cannot under sc, and which stores would have to be stronger")
      ->check(CLI::IsMember({"sc"}))
      ->type_name("MODEL");
  what->add_option("--solver", o.solver, "mcr: native (our own) or z3")
      ->check(CLI::IsMember({"native", "z3"}))
      ->capture_default_str()
      ->type_name("NAME");
  what->add_option("--dependence", o.dependence,
                   "mcr: which reads of a trace keep their values: none: all of them; static: those that something "
                   "depends on, as far as the compiler knows (MCR-S); static+: likewise, and all before the one that "
                   "is to change (MCR-S+)")
      ->check(CLI::IsMember({"none", "static", "static+"}))
      ->default_str(kFastestDependence)
      ->type_name("WHAT");
  what->add_option("--solver-timeout", o.solver_timeout,
                   "mcr: give up a query after this time; the answer is then inconclusive")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->type_name("SECONDS");
  what->add_option("--dump-queries", o.dump_queries, "mcr: write every query there, as SMT-LIB 2")->type_name("DIR");
  what->add_option("--strategy", o.strategy,
                   "mpc: what becomes of prefixes that the constraints do not allow; s1 drops them, s2 lets the "
                   "threads that are not to blame go on")
      ->check(CLI::IsMember({"s1", "s2"}))
      ->capture_default_str()
      ->type_name("S");
  what->add_flag("--sleep-sets", o.sleep_sets, "exhaustive: skip interleavings that only swap independent operations");
  what->add_option("--seed", o.seed, "random, pct: another seed gives other schedules")
      ->capture_default_str()
      ->type_name("N");
  what->add_option("--preemption-bound", o.preemption_bound, "icb, dpor: leave out schedules with more preemptions")
      ->type_name("N");
  what->add_option("--pct-depth", o.pct_depth, "pct: how many events must come in an unlucky order for the bug to show")
      ->check(CLI::Range(1u, 100u))
      ->capture_default_str()
      ->type_name("D");
  what->add_option(
          "--merge", o.merge,
          "cumulative: take histories that leave a thread in the same state for one? on or off (--classes: off)")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str()
      ->type_name("WHEN");
  what->add_option("--inputs", o.inputs,
                   "explore: all values of the program's inputs; fixed: one (0, or what --input says)")
      ->check(CLI::IsMember({"explore", "fixed"}))
      ->capture_default_str()
      ->type_name("HOW");
  what->add_option("--input", o.input_values, "give an input a value: it is not explored; may be said several times")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  what->add_option("--symbolic-args", o.symbolic_arguments,
                   "further arguments of the program that are inputs: one for each length, as '1 8'; each may be any "
                   "text of up to so many bytes")
      ->type_name("\"LEN...\"");
  what->add_option("--symbolic-stdin", o.symbolic_input, "its standard input is an input of so many bytes")
      ->type_name("BYTES");
  what->add_option("--symbolic-env", o.symbolic_environment,
                   "this environment variable is an input of up to so many bytes; may be said several times")
      ->type_name("NAME=LEN")
      ->allow_extra_args(false);
  what->add_flag("--spurious-wakeups", o.spurious_wakeups, "condition variables may wake up without a signal");
  add_kinds(*app.add_option_group("What is a bug"), o);
  auto* limits = app.add_option_group("Limits");
  add_common_limits(*limits, o);
  limits
      ->add_option("--run-memory", o.run_memory,
                   "what one run of the program may allocate, all threads together; more is out of memory, at its line")
      ->check(CLI::Range(0.001, 1024.0))
      ->capture_default_str()
      ->type_name("GB");
  limits->add_option("--max-paths", o.max_paths, "end after this many classes of inputs")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  limits->add_option("--max-events", o.max_events, "end a run after this many scheduling points")
      ->check(CLI::Range(1u, 50'000'000u))
      ->capture_default_str()
      ->type_name("N");
  limits
      ->add_option("--loop-seconds", o.loop_seconds,
                   "CPU time without a visible operation that counts as an endless loop")
      ->check(CLI::Range(1u, 3600u))
      ->capture_default_str()
      ->type_name("SECONDS");
  limits->add_option("--resume", o.resume, "cumulative: go on with a check that ended early, from its output directory")
      ->type_name("DIR");
  auto* program = app.add_option_group("The program");
  program->add_option("--cflags", o.cflags, "compiler flags for source files")->type_name("FLAGS");
  program->add_flag("--trust-libraries", o.trust_libraries,
                    "libraries that were not compiled with the wrapper touch nothing that threads share");
  program
      ->add_option("--stdin", o.input,
                   "its standard input ('-': this command's, read to the end); default: a file that "
                   "is redirected to this command, else nothing")
      ->type_name("FILE");
  program->add_flag("--outcomes", o.outcomes, "collect the distinct standard outputs of complete runs");
  program->add_flag("--gtest", o.gtest, "it is a GoogleTest program: check each of its tests on its own");
  program->add_flag("--classes", o.classes, "cumulative, mcr, dpor: count the read-value classes of complete runs");
  program->add_flag_callback(
      "--paths",
      [&o] {
        o.paths = true;
        if (!o.chose_explorer) o.explore = "paths";
        o.chose_explorer = true;
      },
      "paths, mpc: count the combinations of paths that threads take in complete runs");
  program->add_flag("--self-check", o.self_check,
                    "run every schedule twice and compare: is the program deterministic?");
  program
      ->add_option(
          "--audit", o.audit,
          "after a 'safe': N random schedules, which must show nothing new; a surprise is an internal error of Plait")
      ->type_name("N");
  add_cluster(*app.add_option_group("Many machines"), o);
  add_output(*app.add_option_group("Output"), o);
  auto* file = app.add_option_group("Project file");
  file->add_option("--config", o.config,
                   "defaults for these options; default: the nearest plait.toml in this directory or above")
      ->type_name("FILE");
  file->add_flag("--no-config", o.no_config, "no project file");
  app.footer("Program arguments follow a '--'.\n\n" + std::string(kExamples));
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    return help_text(model_of(*app), app->get_parent() ? "plait" : "", terminal_width(1));
  }
};

/// Options that do not go together.
std::string contradiction_in(const CheckOptions& o) {
  if (!o.compare.empty() && o.memory_model == "sc") return "--compare sc needs --memory-model tso or pso";
  const struct {
    const char* option;
    bool given;
    bool ExplorerInfo::* can;
  } belongings[] = {
      {"--compare", !o.compare.empty(), &ExplorerInfo::resumes},
      {"--solver", o.solver != "native", &ExplorerInfo::solves},
      {"--dependence", !o.dependence.empty(), &ExplorerInfo::solves},
      {"--dump-queries", !o.dump_queries.empty(), &ExplorerInfo::solves},
      {"--self-check", o.self_check, &ExplorerInfo::self_checks},
      {"--preemption-bound", o.preemption_bound.has_value(), &ExplorerInfo::has_preemption_bound},
      {"--resume", !o.resume.empty(), &ExplorerInfo::resumes},
      {"--classes", o.classes, &ExplorerInfo::counts_classes},
      {"--paths", o.paths, &ExplorerInfo::follows_reads},
      {"--strategy", o.strategy != "s2", &ExplorerInfo::has_strategies},
      {"--sleep-sets", o.sleep_sets, &ExplorerInfo::has_sleep_sets},
  };
  if (o.cluster.empty() && !o.key.empty()) return "--key belongs to --cluster";
  for (const auto& [option, given, can] : belongings)
    if (given && !(o.explorer().*can)) return std::string(option) + " belongs to --explore " + names_of_explorers(can);
  if (o.classes && o.preemption_bound) return "--classes counts all runs: not with --preemption-bound";
  if (o.checked() == KindSet::none())
    return "nothing is left to be checked: --check, --ignore and --races leave no kind of bug";
  return "";
}

/// Commands that print something made from the table itself.
struct Printed {
  std::string shell, page;
};

/// The one table of commands and options: what each means stands here, and only here.
void describe_commands(CLI::App& app, CommandLine& line, Printed& printed) {
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "this help");
  app.set_version_flag("--version", "plait " PLAIT_VERSION, "the version");
  app.require_subcommand(1);
  app.footer(kExamples);
  CLI::App& check = *app.add_subcommand("check", "explore the schedules of a program");
  add_target(check, line.check)->required();
  add_check_options(check, line.check);
  CLI::App& tests =
      *app.add_subcommand("tests", "make a regression suite: a run for each class of inputs, and the bugs");
  add_target(tests, line.check);
  tests.add_option("--run", line.tests.run, "replay the tests in this directory: which runs differ now?")
      ->type_name("DIR");
  add_check_options(tests, line.check);
  CLI::App& explore =
      *app.add_subcommand("explore", "explore what a runtime of another language or a simulator can do");
  add_explore_options(explore, line.check, line.explore);
  CLI::App& replay = *app.add_subcommand("replay", "run one recorded schedule again, exactly");
  replay.add_option("BUG.json", line.replay.file, "the bug file that check wrote")->required()->type_name("FILE");
  replay.add_flag("--gdb", line.replay.gdb, "under the debugger, stopping where it fails");
  replay.add_flag("--rr", line.replay.rr, "record it with rr; then rr replay goes backwards, too");
  replay.add_flag(
      "--trust", line.replay.trust,
      "compile, or start the runtime, as the bug file says, whatever that is: it comes from somebody you trust");
  replay.add_flag("-q,--quiet", line.replay.quiet, "only the program's own output");
  add_color(replay, line.replay.color);
  CLI::App& show = *app.add_subcommand("show", "tell a recorded failure again, also as an HTML page");
  show.add_option("BUG.json", line.show.file, "the bug file that check wrote")->required()->type_name("FILE");
  show.add_option("-f,--format", line.show.format,
                  "text: the story; html: an interactive report in one file; json: the bug file")
      ->check(CLI::IsMember({"text", "html", "json"}))
      ->capture_default_str()
      ->type_name("FORMAT");
  show.add_option("-o,--output", line.show.output, "write to a file instead of standard output")->type_name("FILE");
  show.add_flag("-v,--verbose", line.show.verbose, "text: every recorded event");
  add_color(show, line.show.color);
  CLI::App& deps =
      *app.add_subcommand("deps", "tell what the lines of a program depend on, as far as the compiler knows");
  add_target(deps, line.check)->required();
  deps.add_option("--site", line.deps.site, "only this line, and why: the chain from each read")
      ->type_name("FILE:LINE");
  deps.add_flag("--dot", line.deps.dot, "as a graph for Graphviz; dashed: whether it happens");
  add_worker_options(*app.add_subcommand("worker", "work on checks of others, for a Redis server (docs/cluster.md)"),
                     line.worker);
  add_cluster_options(*app.add_subcommand("cluster", "tell who works for a Redis server, and on what"), line.cluster);
  CLI::App& doctor = *app.add_subcommand("doctor", "does everything that Plait needs work here?");
  add_color(doctor, line.doctor_color);
  CLI::App& completion = *app.add_subcommand("completion", "print a completion script for a shell");
  completion.add_option("SHELL", printed.shell, "which shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->type_name("SHELL");
  CLI::App& man = *app.add_subcommand("man", "print a manual page (try: plait man check | man -l -)");
  man.add_option("COMMAND", printed.page, "of this command; default: of plait itself")->type_name("COMMAND");
  // For --help only: main() hands these over before any parsing.
  app.add_subcommand("c++", "compile C++: a drop-in clang++ (also: plait-c++)");
  app.add_subcommand("cc", "compile C: a drop-in clang (also: plait-cc)");
}

/// The words of plait.toml, right after "check". True if compiler flags are among them.
bool insert_config(const CLI::App& app, std::vector<std::string>& words) {
  if (words.empty() || (words[0] != "check" && words[0] != "tests")) return false;
  std::string file;
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--no-config" || words[i] == "--help" || words[i] == "-h") return false;
    if (words[i] == "--config" && i + 1 < words.size()) file = words[i + 1];
    if (words[i].starts_with("--config=")) file = words[i].substr(9);
  }
  if (file.empty()) file = find_config();
  if (file.empty()) return false;
  CommandModel model = model_of(*app.get_subcommand("check"));
  std::vector<std::string> more = config_words(file, model, words);
  words.insert(words.begin() + 1, more.begin(), more.end());
  return std::any_of(more.begin(), more.end(), [](const std::string& word) { return word.starts_with("--cflags="); });
}

void settle_tests(const CLI::App& tests, CommandLine& line) {
  line.kind = CommandKind::Tests;
  if (tests.count("--output-dir") == 0) line.check.output_dir = "plait-tests";
  if (line.tests.run.empty() == line.check.targets.empty())
    throw Error(kExitUsage, "tests: give a program, or --run and a directory with tests (see plait tests --help)");
  if (line.check.gtest) throw Error(kExitUsage, "tests: not with --gtest");
  if (std::string problem = contradiction_in(line.check); !problem.empty()) throw Error(kExitUsage, problem);
}

}  // namespace

CommandLine parse_command_line(int argc, char** argv) {
  CommandLine line;
  Printed printed;
  CLI::App app(kIntroduction, "plait");
  describe_commands(app, line, printed);

  // What follows -- is the program's, whatever it looks like.
  std::vector<std::string> words(argv + 1, argv + argc);
  auto separator = std::find(words.begin(), words.end(), "--");
  if (separator != words.end()) {
    line.check.arguments.assign(separator + 1, words.end());
    words.erase(separator, words.end());
  }
  line.check.cflags_from_file = insert_config(app, words);
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(std::vector<std::string>(words));  // it eats them
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      line.exit_code = app.exit(error);
    } else {
      std::string known;
      for (const CLI::App* command : std::as_const(app).get_subcommands([](const CLI::App*) { return true; }))
        if (!words.empty() && command->get_name() == words.back()) known = words.back() + " ";
      std::string what = error.what();
      if (known.empty() && !words.empty() && !words.back().starts_with("-"))
        what = fmt::format("there is no command '{}'", words.back());
      else if (words.empty())
        what = "a command is needed";
      std::cerr << "plait: " << what << " (see plait " << known << "--help)\n";
      line.exit_code = kExitUsage;
    }
    return line;
  }
  if (app.got_subcommand("check")) {
    line.kind = CommandKind::Check;
    if (std::string problem = contradiction_in(line.check); !problem.empty()) throw Error(kExitUsage, problem);
  }
  if (app.got_subcommand("tests")) settle_tests(*app.get_subcommand("tests"), line);
  if (app.got_subcommand("explore")) {
    line.kind = CommandKind::Explore;
    line.check.explore = line.explore.explore;
    if (std::string problem = contradiction_in(line.check, line.explore); !problem.empty())
      throw Error(kExitUsage, problem);
  }
  if (app.got_subcommand("replay")) line.kind = CommandKind::Replay;
  if (app.got_subcommand("show")) line.kind = CommandKind::Show;
  if (app.got_subcommand("deps")) line.kind = CommandKind::Deps;
  if (app.got_subcommand("worker")) line.kind = CommandKind::Worker;
  if (app.got_subcommand("cluster")) line.kind = CommandKind::Cluster;
  if (app.got_subcommand("doctor")) line.kind = CommandKind::Doctor;
  if (app.got_subcommand("completion")) std::cout << completion_script(model_of(app), printed.shell);
  if (app.got_subcommand("man")) std::cout << man_page(model_of(app), printed.page, PLAIT_VERSION);
  return line;
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  bool open = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == quote)
        quote = 0;
      else if (c == '\\' && quote == '"' && i + 1 < text.size())
        words.back() += text[++i];
      else
        words.back() += c;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\n') {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    if (c == '"' || c == '\'')
      quote = c;
    else if (c == '\\' && i + 1 < text.size())
      words.back() += text[++i];
    else
      words.back() += c;
  }
  if (quote) throw Error(kExitUsage, "--cflags has a quote that is not closed");
  return words;
}

size_t terminal_width(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 60) return size.ws_col;
  return 110;
}

}  // namespace plait
