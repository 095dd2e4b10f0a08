#include "tiny_program.h"

#include <cstdio>
#include <functional>
#include <sstream>
#include <stdexcept>

namespace plait {
namespace {

TinyWord parse(std::string text) {
  TinyWord word{};
  if (text.ends_with('!')) word.is_plain = true, text.pop_back();
  unsigned long a = 0, b = 0;
  if (std::sscanf(text.c_str(), "skip_unless:%lu,%lu", &a, &b) == 2)
    word.kind = TinyWord::SkipUnless, word.words = static_cast<u32>(b);
  else if (std::sscanf(text.c_str(), "unlock:%c", &word.name) == 1)
    word.kind = TinyWord::Unlock;
  else if (std::sscanf(text.c_str(), "lock:%c", &word.name) == 1)
    word.kind = TinyWord::Lock;
  else if (std::sscanf(text.c_str(), "%c+=%lu", &word.name, &a) == 2)
    word.kind = TinyWord::Add;
  else if (std::sscanf(text.c_str(), "%c=%lu", &word.name, &a) == 2)
    word.kind = TinyWord::Store;
  else if (text.size() == 1)
    word.kind = TinyWord::Load, word.name = text[0];
  else
    throw std::invalid_argument("no word of a tiny program: " + text);
  word.value = a;
  return word;
}

}  // namespace

TinyProgram::TinyProgram(const std::vector<std::string>& threads, MemoryModel model) : model_(model) {
  for (const std::string& text : threads) {
    std::istringstream words(text);
    auto& list = words_.emplace_back();
    for (std::string word; words >> word;) list.push_back(parse(word));
  }
}

TinyState TinyProgram::initial() const {
  TinyState state;
  state.next.assign(threads(), 0);
  state.histories.resize(threads());
  state.buffers.resize(threads());
  for (u32 t = 0; t < threads(); ++t) run_free(state, t);
  return state;
}

/// Jumps, and stores that go to the buffer.
void TinyProgram::run_free(TinyState& state, u32 thread) const {
  for (u32& next = state.next[thread]; next < words_[thread].size();) {
    const TinyWord& word = words_[thread][next];
    if (word.kind == TinyWord::SkipUnless) {
      next += 1 + (state.histories[thread].back() == word.value ? 0 : word.words);
    } else if (word.kind == TinyWord::Store && model_ != MemoryModel::Sc) {
      state.buffers[thread].emplace_back(word.name, next++);
      // Under PSO stores to different variables are not ordered: the order by name stands for all of them.
      auto& buffer = state.buffers[thread];
      for (size_t i = buffer.size() - 1; model_ == MemoryModel::Pso && i > 0 && buffer[i].first < buffer[i - 1].first;
           --i)
        std::swap(buffer[i], buffer[i - 1]);
    } else {
      return;
    }
  }
}

u64 TinyProgram::load(const TinyState& state, u32 thread, char name) const {
  const auto found = state.memory.find(name);
  u64 value = found == state.memory.end() ? 0 : found->second;
  for (const auto& [variable, word] : state.buffers[thread])
    if (variable == name) value = words_[thread][word].value;
  return value;
}

std::vector<TinyMove> TinyProgram::moves(const TinyState& state) const {
  std::vector<TinyMove> result;
  for (u32 t = 0; t < threads(); ++t) {
    if (state.next[t] < words_[t].size()) {
      const TinyWord& word = words_[t][state.next[t]];
      const bool drains = word.kind != TinyWord::Load;
      const auto owner = state.owners.find(word.name);
      const bool is_free = word.kind != TinyWord::Lock || owner == state.owners.end();
      if (is_free && !(drains && !state.buffers[t].empty())) result.push_back({t});
    }
    std::set<char> met;
    for (u32 i = 0; i < state.buffers[t].size(); ++i)
      if (model_ == MemoryModel::Tso ? i == 0 : met.insert(state.buffers[t][i].first).second)
        result.push_back({t, true, i});
  }
  return result;
}

TinyState TinyProgram::after(TinyState state, const TinyMove& move) const {
  const u32 t = move.thread;
  if (move.is_flush) {
    auto& buffer = state.buffers[t];
    const auto [name, word] = buffer[move.place];
    state.memory[name] = words_[t][word].value;
    buffer.erase(buffer.begin() + move.place);
    return state;
  }
  const TinyWord& word = words_[t][state.next[t]++];
  switch (word.kind) {
    case TinyWord::Load: state.histories[t].push_back(load(state, t, word.name)); break;
    case TinyWord::Add:
      state.histories[t].push_back(load(state, t, word.name));
      state.memory[word.name] += word.value;
      break;
    case TinyWord::Store: state.memory[word.name] = word.value; break;
    case TinyWord::Lock: state.owners[word.name] = t + 1; break;
    case TinyWord::Unlock: state.owners.erase(word.name); break;
    case TinyWord::SkipUnless: break;
  }
  run_free(state, t);
  return state;
}

bool TinyProgram::is_over(const TinyState& state) const {
  for (u32 t = 0; t < threads(); ++t)
    if (state.next[t] < words_[t].size() || !state.buffers[t].empty()) return false;
  return true;
}

TinyProgram::Reached TinyProgram::reach() const {
  Reached reached;
  std::vector<TinyState> open{initial()};
  while (!open.empty()) {
    const TinyState state = std::move(open.back());
    open.pop_back();
    if (!reached.states.insert(state).second) continue;
    const std::vector<TinyMove> next = moves(state);
    if (is_over(state))
      reached.outcomes.insert(state.histories);
    else if (next.empty())
      reached.stuck.insert(state);
    for (const TinyMove& move : next) open.push_back(after(state, move));
  }
  return reached;
}

std::vector<std::vector<TinyMove>> TinyProgram::runs() const {
  std::vector<std::vector<TinyMove>> all;
  std::vector<TinyMove> path;
  const std::function<void(const TinyState&)> go_on = [&](const TinyState& state) {
    const std::vector<TinyMove> next = moves(state);
    if (next.empty()) all.push_back(path);
    for (const TinyMove& move : next) {
      path.push_back(move);
      go_on(after(state, move));
      path.pop_back();
    }
  };
  go_on(initial());
  return all;
}

std::vector<TinyMove> TinyProgram::random_run(std::mt19937_64& random) const {
  std::vector<TinyMove> run;
  TinyState state = initial();
  for (std::vector<TinyMove> next = moves(state); !next.empty(); next = moves(state)) {
    run.push_back(next[random() % next.size()]);
    state = after(state, run.back());
  }
  return run;
}

namespace {

/// The events of one run, as it goes on.
class Writer {
 public:
  Writer(const std::vector<std::vector<TinyWord>>& words, MemoryModel model, const TinyState& begin)
      : words_(words), model_(model), waiting_(words.size()), written_(words.size(), 0), ended_(words.size(), false) {
    for (u32 t = 0; t < words.size(); ++t) {
      add(0, Op::Fork, t + 1).operand = 0x40 + t;
      add(id(t), Op::Begin);
      go_on(begin, t);
    }
  }
  void step(u32 t, u32 number, u64 found) {
    Event& event = operation(t, number);
    if (words_[t][number].kind <= TinyWord::Add) event.value = found;
    written_[t] = number + 1;
  }
  void flush(u32 t, u32 number, u64 overwritten) {
    Event event = waiting_[t].at(number);
    event.op = Op::Flush;
    event.thread = buffer_of(id(t));
    event.flags = event_flag::kPoint;
    event.value = overwritten;
    events.push_back(event);
  }
  /// What a thread does by itself after a step: stores that wait, its end.
  void go_on(const TinyState& state, u32 t) {
    for (u32& number = written_[t]; number < state.next[t]; ++number) {
      if (words_[t][number].kind != TinyWord::Store || model_ == MemoryModel::Sc) continue;
      bool is_performed = false;  // or else jumped over
      for (const auto& entry : state.buffers[t]) is_performed |= entry.second == number;
      if (!is_performed) continue;
      Event& event = operation(t, number);
      event.flags = 0;
      waiting_[t][number] = event;
    }
    if (ended_[t] || state.next[t] < words_[t].size() || !state.buffers[t].empty()) return;
    add(id(t), Op::End);
    ended_[t] = true;
  }
  /// Main joins whom it can; the others say what they wait for.
  void finish(const TinyState& state) {
    for (u32 t = 0; t < words_.size(); ++t)
      if (!ended_[t]) operation(t, state.next[t]).flags = event_flag::kPending;
    for (u32 t = 0; t < words_.size(); ++t) {
      Event& join = add(0, Op::Join, t + 1);
      if (ended_[t]) continue;
      join.flags = event_flag::kPending;
      return;
    }
    add(0, Op::End);
  }
  std::vector<Event> events;

 private:
  static ThreadId id(u32 t) { return static_cast<ThreadId>(t + 1); }
  Event& add(ThreadId thread, Op op, u64 location = 0) {
    Event event{};
    event.thread = thread;
    event.op = op;
    event.location = location;
    event.position = ++positions_[thread];
    event.site = 100u * thread;
    return events.emplace_back(event);
  }
  Event& operation(u32 t, u32 number) {
    static constexpr Op kOps[] = {Op::Load, Op::Store, Op::Rmw, Op::Lock, Op::Unlock};
    const TinyWord& word = words_[t][number];
    const bool is_memory = word.kind <= TinyWord::Add;
    Event& event = add(id(t), kOps[word.kind], TinyProgram::address(word.name));
    event.flags = event_flag::kPoint;
    event.site += number;
    event.size = is_memory ? 8 : 0;
    event.order = is_memory && !word.is_plain ? Order::Relaxed : Order::Plain;
    event.detail = word.kind == TinyWord::Add ? static_cast<u8>(RmwKind::Add) : u8{0};
    event.operand = word.value;
    return event;
  }

  const std::vector<std::vector<TinyWord>>& words_;
  MemoryModel model_;
  std::vector<std::map<u32, Event>> waiting_;  // stores in buffers, by word
  std::vector<u32> written_;                   // words of each thread that have left their events
  std::vector<bool> ended_;
  u32 positions_[kMaxThreads] = {};
};

}  // namespace

std::vector<Event> TinyProgram::trace(const std::vector<TinyMove>& run) const {
  TinyState state = initial();
  Writer writer(words_, model_, state);
  for (const TinyMove& move : run) {
    const u32 t = move.thread;
    const TinyState before = state;
    state = after(state, move);
    if (move.is_flush) {
      const auto [name, word] = before.buffers[t][move.place];
      const auto old = before.memory.find(name);
      writer.flush(t, word, old == before.memory.end() ? 0 : old->second);
    } else {
      writer.step(t, before.next[t], load(before, t, words_[t][before.next[t]].name));
    }
    writer.go_on(state, t);
  }
  writer.finish(state);
  return writer.events;
}

std::vector<std::string> random_texts(std::mt19937_64& random, u32 threads, u32 words, bool plain) {
  std::vector<std::string> texts;
  u32 value = 0;
  for (u32 t = 0; t < threads; ++t) {
    std::string text;
    for (u32 w = 0; w < words; ++w) {
      text += std::string(w ? " " : "") + (random() % 2 ? "x" : "y");
      const u64 kind = random() % 8;
      if (kind < 4) text += "=" + std::to_string(++value);
      if (kind == 7 && !plain) text += "+=" + std::to_string(++value);
      if (plain) text += "!";
    }
    texts.push_back(text);
  }
  return texts;
}

}  // namespace plait
