#include "report/reordering.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "report/names.h"

namespace plait {
namespace {

bool overlap(const Event& a, const Event& b) {
  return a.location < b.location + b.size && b.location < a.location + a.size;
}

bool reads(Op op) { return op == Op::Load || op == Op::Rmw || op == Op::Cas; }

/// Would it have made a difference if the store had been in memory? A read would have returned something else, a write
/// would have come last. As far as 8 bytes tell.
bool differs(const Event& store, const Event& other) {
  if (store.size > 8 || other.size > 8) return true;
  const u64 value = reads(other.op) ? other.value : other.operand;
  for (u64 b = 0; b < store.size; ++b) {
    const u64 at = store.location + b - other.location;
    if (at < other.size && static_cast<u8>(store.operand >> 8 * b) != static_cast<u8>(value >> 8 * at)) return true;
  }
  return false;
}

class Finder {
 public:
  Finder(const Bug& bug, const Buffers& buffers) : bug_(bug), buffers_(buffers) {}

  std::vector<Reordering> run() {
    for (size_t i = 0; i < bug_.events.size(); ++i) {
      const Event& e = raw(i);
      if (e.flags & event_flag::kPending) continue;
      if (buffers_.waits(i)) waiting_.push_back(i);
      if (e.op == Op::Flush) {
        std::erase(waiting_, buffers_.partner(i));
        look_for_overtaken(i);
      }
      if (reads(e.op) || buffers_.changes_memory(i)) look_for_unseen(i);
    }
    for (auto& [key, last] : unseen_) found_.push_back(std::move(last));
    std::sort(found_.begin(), found_.end(), [](const Reordering& a, const Reordering& b) {
      return std::tie(a.at, a.events) < std::tie(b.at, b.events);
    });
    return std::move(found_);
  }

 private:
  const Event& raw(size_t i) const { return bug_.events[i].raw; }
  ThreadId thread(size_t i) const { return thread_of(bug_, raw(i)); }

  /// "x (sb.c:12)"
  std::string object(size_t i) const {
    const BugEvent& e = bug_.events[i];
    return e.place.known() ? fmt::format("{} ({})", e.where, short_place(e.place)) : e.where;
  }

  /// "T2 read x (sb.c:30)"
  std::string access(size_t i) const {
    const Op op = raw(i).op;
    const std::string who = thread_name(thread(i));
    if (buffers_.is_flush(i) && !buffers_.told_as_write(i))
      return fmt::format("{}'s store to {} reached memory", who, object(i));
    const auto verb = op == Op::Load ? "read" : op == Op::Rmw ? "updated" : op == Op::Cas ? "compared" : "wrote";
    return fmt::format("{} {} {}", who, verb, object(i));
  }

  void look_for_unseen(size_t other) {
    const std::vector<size_t>& from = buffers_.forwarded(other);
    if (!from.empty() && std::find(from.begin(), from.end(), Buffers::kNone) == from.end()) return;
    std::map<ThreadId, size_t> newest;
    for (size_t store : waiting_)
      if (thread(store) != thread(other) && overlap(raw(store), raw(other))) newest[thread(store)] = store;
    for (auto [owner, store] : newest) {
      if (!differs(raw(store), raw(other))) continue;
      std::string text = fmt::format("{}'s store to {} was still in its buffer when {}", thread_name(owner),
                                     object(store), access(other));
      const Place& place = bug_.events[other].place;
      unseen_.insert_or_assign({store, thread(other), place.file, place.line},
                               Reordering{Reordering::Unseen, std::move(text), {store, other}, other});
    }
  }

  /// Stores that are older than the flushed one and still wait count if somebody else uses their bytes before they are
  /// in memory.
  void look_for_overtaken(size_t flush) {
    const size_t store = buffers_.partner(flush);
    if (store == Buffers::kNone) return;
    for (size_t older : waiting_) {
      if (thread(older) != thread(flush) || older > store || !is_noticed(older, flush)) continue;
      std::string text = fmt::format("{}'s store to {} reached memory before its store to {}",
                                     thread_name(thread(flush)), object(store), object(older));
      found_.push_back({Reordering::Overtaken, std::move(text), {store, flush, older}, buffers_.when_written(flush)});
    }
  }

  bool is_noticed(size_t store, size_t since) const {
    const size_t until = std::min(buffers_.partner(store), bug_.events.size());
    for (size_t i = since + 1; i < until; ++i) {
      const Event& e = raw(i);
      const bool to_memory = (e.op == Op::Load || buffers_.changes_memory(i)) && !(e.flags & event_flag::kPending);
      if (to_memory && thread(i) != thread(store) && overlap(e, raw(store))) return true;
    }
    return false;
  }

  const Bug& bug_;
  const Buffers& buffers_;
  std::vector<size_t> waiting_;  // stores in buffers, of all threads
  std::map<std::tuple<size_t, ThreadId, std::string, u32>, Reordering> unseen_;
  std::vector<Reordering> found_;
};

}  // namespace

std::vector<Reordering> reorderings(const Bug& bug, const Buffers& buffers) {
  return buffers.delayed() ? Finder(bug, buffers).run() : std::vector<Reordering>{};
}

std::string reordering_summary(const Bug& bug, const Buffers& buffers) {
  if (!bug.options.memory().buffers) return "";
  const std::string begin = fmt::format("under {}: ", model_name(bug.options.memory_model));
  if (buffers.delayed() == 0) return begin + "no store was delayed, this can happen under sc, too";
  std::vector<Reordering> found = reorderings(bug, buffers);
  if (found.empty()) return begin + "stores were delayed";
  // A store that overtook another one says more than what nobody could see yet.
  auto first =
      std::find_if(found.begin(), found.end(), [](const Reordering& r) { return r.kind == Reordering::Overtaken; });
  const std::string more = found.size() > 1 ? fmt::format(" (and {} more)", found.size() - 1) : "";
  return begin + (first == found.end() ? found.front() : *first).text + more;
}

}  // namespace plait
