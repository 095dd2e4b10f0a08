#include "report/bug.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "check/gtest_failure.h"
#include "machine/traits.h"
#include "report/blocked.h"
#include "report/names.h"
#include "report/object_names.h"
#include "report/race.h"
#include "report/style.h"
#include "report/symbols.h"

namespace plait {
namespace {

/// Lines of source files, each file read once.
class Sources {
 public:
  std::string line(const Place& place) {
    if (!place.known() || place.line == 0) return "";
    auto found = files_.find(place.file);
    if (found == files_.end()) found = files_.emplace(place.file, read(place.file)).first;
    const std::vector<std::string>& lines = found->second;
    return place.line <= lines.size() ? lines[place.line - 1] : "";
  }

 private:
  static std::vector<std::string> read(const std::string& file) {
    std::vector<std::string> lines;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      size_t begin = line.find_first_not_of(" \t"), end = line.find_last_not_of(" \t\r");
      lines.push_back(begin == std::string::npos ? "" : line.substr(begin, end - begin + 1));
    }
    return lines;
  }
  std::map<std::string, std::vector<std::string>> files_;
};

/// The runtime counts threads; people call thread 0 main.
std::string with_main(std::string message) {
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = 0; (at = message.find("T0", at)) != std::string::npos; at += 2) {
    bool begins = at == 0 || !is_word(message[at - 1]), ends = at + 2 == message.size() || !is_word(message[at + 2]);
    if (begins && ends) message.replace(at, 2, "main");
  }
  return message;
}

/// Between the access and the user's code stands the library's machinery for starting threads.
bool inside_thread_start(const std::vector<Place>& frames) {
  for (const Place& place : frames) {
    if (!in_system_header(place.file)) return false;
    if (place.function.find("std::thread::") != std::string::npos ||
        place.function.find("std::jthread::") != std::string::npos)
      return true;
  }
  return false;
}

/// The same, told by the line: the access has no name of the program's, and the line starts a thread.
bool nameless_in_thread_start(const BugEvent& event) {
  bool nameless = event.place.text.empty() && (event.where.starts_with("heap of") ||
                                               event.where.starts_with("stack of") || event.where.starts_with("block"));
  return nameless &&
         (event.source.find("thread") != std::string::npos || event.source.find("async") != std::string::npos);
}

/// Source line of an instruction, from the debug information, if LLVM's symbolizer is at hand.
Place place_in_code(const std::string& program, u64 offset) {
  Place place;
  std::string quoted;
  for (char c : program) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const std::string command =
      fmt::format("llvm-symbolizer-19 --obj='{}' --output-style=GNU --no-inlines 0x{:x} 2>/dev/null", quoted, offset);
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return place;
  char function[1024] = {}, line[4096] = {};
  const bool ok = fgets(function, sizeof function, pipe) && fgets(line, sizeof line, pipe);
  if (pclose(pipe) != 0 || !ok) return place;
  const std::string text(line);
  const size_t colon = text.find(':', text.rfind('/') == std::string::npos ? 0 : text.rfind('/'));
  if (colon == std::string::npos || text[0] == '?') return place;
  place.file = text.substr(0, colon);
  place.line = static_cast<u32>(std::strtoul(text.c_str() + colon + 1, nullptr, 10));
  place.function = std::string(function).substr(0, std::string(function).find('\n'));
  return place;
}

BugFailure make_failure(const Failure& failure, const std::string& program, const ProgramMap& map, Sources& sources) {
  BugFailure result;
  result.kind = failure.kind;
  result.message = with_main(failure.message);
  result.thread = failure.thread;
  result.frames = map.frames(failure.site);
  result.place = map.place(failure.site);
  if (failure.is_code) {
    const Place crashed = place_in_code(program, failure.address);
    if (crashed.known()) result.place = crashed;
  }
  result.source = sources.line(result.place);
  if (failure.other_site) result.other = map.place(failure.other_site);
  result.address = failure.address;
  if (failure.address) result.where = map.name(failure.address);
  return result;
}

/// The runtime knows neither names nor lines: "deadlock: T1 locks, held by T2" becomes what the threads wait for. Who
/// ran last noticed it, and may have no part in it.
void tell_deadlock(Bug& bug) {
  std::string waits;
  ThreadId waiting = kNoThread;
  bool takes_part = false;
  for (const BlockedThread& blocked : blocked_threads(bug)) {
    if (!blocked.core) continue;
    takes_part |= blocked.thread == bug.failure->thread;
    const bool is_there = blocked.place.known() && blocked.place.file == bug.failure->place.file &&
                          blocked.place.line == bug.failure->place.line;
    if (waiting == kNoThread || is_there) waiting = blocked.thread;
    waits += fmt::format("{}{} {}", waits.empty() ? "" : "; ", thread_name(blocked.thread), blocked.waits);
    if (blocked.holder != kNoThread && blocked.holder != blocked.thread)
      waits += fmt::format(", held by {}", thread_name(blocked.holder));
  }
  if (waits.empty()) return;
  if (!takes_part) bug.failure->thread = waiting;
  std::string& message = bug.failure->message;
  message = message.substr(0, message.find(": ")) + ": " + waits;
}

/// What GoogleTest printed is the better message.
void tell_gtest_failure(BugFailure& failure, const std::string& output) {
  const std::optional<GTestFailure> told = gtest_failure(failure.kind, failure.message, output);
  if (!told) return;
  const std::string function = failure.place.file == told->file ? failure.place.function : "";
  failure.kind = FailureKind::Assertion;
  failure.message = told->message;
  failure.place = Place{told->file, told->line, 0, function, ""};
  failure.frames = {failure.place};
  failure.source.clear();
}

std::vector<BugHold> unseen_holds(const Account& account, const ObjectNames& names, const ProgramMap& map) {
  std::vector<BugHold> holds;
  for (const AccountHold& hold : account.holds) {
    const machine::HoldChange change = machine::hold_change(hold.op, hold.result);
    if (change.kind == machine::HoldChange::None) continue;
    const u64 lock = change.of_second ? hold.mutex : hold.lock;
    holds.push_back({hold.event, hold.thread, lock, change.kind == machine::HoldChange::Takes, change.shares,
                     names.lock_name(lock, hold.event, hold.site), map.place(hold.site)});
  }
  return holds;
}

Place without_text(Place place) {
  place.text.clear();
  return place;
}

/// Stacks as indices into the bug's frames.
class Stacks {
 public:
  Stacks(Bug& bug, const Account& account, const std::string& program, const ProgramMap& map) : bug_(bug), map_(map) {
    std::set<u64> all(account.failure.begin(), account.failure.end());
    for (const auto& [event, code] : account.stacks) all.insert(code.begin(), code.end());
    for (const NamedObject& object : bug.objects) {
      const AccountBlock* block = object.kind == NamedObject::Block ? account.block_at(object.address) : nullptr;
      if (!block) continue;
      all.insert(block->stack.begin(), block->stack.end());
      all.insert(block->free_stack.begin(), block->free_stack.end());
    }
    for (auto& [address, places] : places_in_code(program, all))
      for (Place& place : places) indices_[address].push_back(index(std::move(place)));
  }

  /// A function that ends with a call has no frame during that call: its site tells what is missing.
  std::vector<u32> stack(const CodeAddresses& code, u32 site) {
    std::vector<u32> result;
    for (u64 address : code)
      if (auto found = indices_.find(address); found != indices_.end())
        result.insert(result.end(), found->second.begin(), found->second.end());
    const std::vector<Place> known = map_.frames(site);
    for (u32& frame : result) {
      // The site knows better where in the function it is.
      if (known.empty() || bug_.frames[frame].function != known.front().function) continue;
      frame = index(without_text(known.front()));
      return result;
    }
    std::vector<u32> first;
    for (const Place& place : known) first.push_back(index(without_text(place)));
    result.insert(result.begin(), first.begin(), first.end());
    return result;
  }

 private:
  u32 index(Place place) {
    auto [at, fresh] = known_.emplace(fmt::format("{}:{}:{}", place.file, place.line, place.function),
                                      static_cast<u32>(bug_.frames.size()));
    if (fresh) bug_.frames.push_back(std::move(place));
    return at->second;
  }

  Bug& bug_;
  const ProgramMap& map_;
  std::map<std::string, u32> known_;
  std::map<u64, std::vector<u32>> indices_;
};

void add_stacks(Bug& bug, const Account& account, const RecordedRun& run, const ProgramMap& map) {
  if (!bug.failure) return;  // there may be hundreds of outcomes
  Stacks stacks(bug, account, bug.program.program.path, map);
  for (const auto& [event, code] : account.stacks)
    if (event < bug.events.size()) bug.events[event].stack = stacks.stack(code, bug.events[event].raw.site);
  for (NamedObject& object : bug.objects) {
    const AccountBlock* block = object.kind == NamedObject::Block ? account.block_at(object.address) : nullptr;
    if (!block) continue;
    object.stack = stacks.stack(block->stack, block->site);
    if (block->freed) object.free_stack = stacks.stack(block->free_stack, block->free_site);
  }
  if (bug.failure->kind == FailureKind::Race || bug.failure->kind == FailureKind::Deadlock) return;
  const std::vector<u32> whole = stacks.stack(account.failure, run.reply.failure.site);
  if (!whole.empty()) bug.failure->frames = places(bug, whole);
}

/// Where the user's code has called the library that accesses something.
void tell_users_line(const Bug& bug, BugEvent& event, Sources& sources) {
  if (!in_system_header(event.place.file)) return;
  const std::vector<Place> stack = places(bug, event.stack);
  const auto user = std::find_if(stack.begin(), stack.end(),
                                 [](const Place& place) { return place.known() && !in_system_header(place.file); });
  if (user == stack.end()) return;
  event.place = *user;
  event.source = sources.line(*user);
}

}  // namespace

std::vector<Place> places(const Bug& bug, const std::vector<u32>& stack) {
  std::vector<Place> result;
  for (u32 frame : stack)
    if (frame < bug.frames.size()) result.push_back(bug.frames[frame]);
  return result;
}

Bug make_bug(const BugProgram& program, const BugOptions& options, const Visibility& visibility, const ProgramMap& map,
             const RecordedRun& run) {
  Bug bug{program, options, visibility, run.schedule, {}, std::nullopt, run.output, run.reply.exit_code};
  Sources sources;
  const Account account = Account::parse(run.account);
  const ObjectNames names(map, run.events, account);
  bug.events.reserve(run.events.size());
  for (size_t i = 0; i < run.events.size(); ++i) {
    const Event& event = run.events[i];
    BugEvent e{event, map.place(event.site), "", "", inside_thread_start(map.frames(event.site))};
    if (has_memory_location(event.op)) e.where = names.name(i, e.place);
    e.names = {names.value_name(i, event.value), names.value_name(i, event.operand),
               event.op == Op::Cas ? names.value_name(i, event.extra) : ""};
    e.source = sources.line(e.place);
    e.internal |= nameless_in_thread_start(e);
    bug.events.push_back(std::move(e));
  }
  bug.objects = names.objects();
  bug.holds = unseen_holds(account, names, map);
  if (run.reply.status == RunStatus::Failed || run.reply.status == RunStatus::Diverged)
    bug.failure = make_failure(run.reply.failure, program.program.path, map, sources);
  add_stacks(bug, account, run, map);
  if (bug.failure && bug.failure->kind == FailureKind::Deadlock) tell_deadlock(bug);
  if (const std::optional<Race> race = race_of(bug)) {
    bug.failure->message = race_message(bug, *race);
    for (const size_t event : {race->first.event, race->second.event}) tell_users_line(bug, bug.events[event], sources);
  }
  if (bug.failure && options.gtest) tell_gtest_failure(*bug.failure, run.output);
  if (bug.failure && bug.failure->source.empty()) bug.failure->source = sources.line(bug.failure->place);
  return bug;
}

void read_sources(Bug& bug) {
  Sources sources;
  for (BugEvent& event : bug.events)
    if (event.source.empty()) event.source = sources.line(event.place);
  if (bug.failure && bug.failure->source.empty()) bug.failure->source = sources.line(bug.failure->place);
}

std::string thread_name(const Bug& bug, ThreadId thread) {
  if (!bug.runtime) return thread_name(thread);
  const std::vector<std::string>& actors = bug.runtime->actors;
  return thread < actors.size() ? printable(actors[thread]) : "?";
}

std::string failure_text(const Failure& failure) { return with_main(failure.message); }

std::string thread_path(const std::vector<Identity>& identities, ThreadId thread) {
  if (thread == 0) return "main";
  if (thread >= identities.size() || identities[thread].parent >= thread) return thread_name(thread);
  const Identity& id = identities[thread];
  return fmt::format("{}.{}", thread_path(identities, id.parent), id.fork_index + 1);
}

std::span<const BugEvent> pending_events(const Bug& bug) {
  size_t first = bug.events.size();
  while (first > 0 && (bug.events[first - 1].raw.flags & event_flag::kPending)) --first;
  return std::span(bug.events).subspan(first);
}

}  // namespace plait
