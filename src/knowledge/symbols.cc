// Behaviour graphs in which reads are symbols: what the labels of a trace say.
#include "knowledge/behaviour.h"

namespace plait {
namespace {

/// In place of label_note::kFixed: of a store that waits in a buffer.
constexpr u8 kWaits = 6;

}  // namespace

u32 Behaviour::own_term(const Event& note, Terms& terms, LabelReader& labels) const {
  const u32 term = labels.read(note.location);
  if (term && (expressions_.term(term).thread == note.thread || expressions_.term(term).thread == kEveryThread))
    return term;
  terms.is_foreign = true;
  return 0;
}

Behaviour::Terms Behaviour::terms_behind(size_t index, LabelReader& labels) const {
  Terms terms;
  const Event& event = filtered_[index];
  terms.is_unsettled =
      machine::is_memory(event.op) && (event.flags & (event_flag::kPending | event_flag::kRefused)) != 0;
  for (size_t i = index + 1; i < filtered_.size(); ++i) {
    const Event& note = filtered_[i];
    if (note.op != Op::Label || note.thread != event.thread || note.position != event.position) break;
    if (note.detail == label_note::kResult) terms.is_symbol = true;
    if (note.detail == label_note::kOperand) terms.operand = own_term(note, terms, labels);
    if (note.detail == label_note::kExpected) terms.extra = own_term(note, terms, labels);
    if (note.detail >= label_note::kBranch) break;
  }
  return terms;
}

bool Behaviour::read_decision(Event& event, Terms& terms, LabelReader& labels) const {
  if (event.detail < label_note::kBranch) return false;  // went with its operation
  // Memory of other threads, in front of code that might read it.
  const u32 term = labels.read(event.location);
  const ThreadId whose = expressions_.term(term).thread;
  const bool is_anothers = whose != event.thread && whose != kNoThread && whose != kEveryThread;
  if (event.detail == label_note::kFixed && term && is_anothers) return false;
  terms.operand = own_term(event, terms, labels);
  if (event.detail == kWaits) {
    event.detail = label_note::kFixed;
    // It could be any: too many.
    terms.is_unbounded = expressions_.term(terms.operand).has_inputs;
  }
  event.value = labels.value(event.location);
  event.location = 0;
  return true;
}

void Behaviour::decide_what_waits() {
  std::vector<Event> events;
  events.reserve(filtered_.size());
  for (size_t i = 0; i < filtered_.size(); ++i) {
    const Event& event = filtered_[i];
    const bool noted = i + 1 < filtered_.size() && filtered_[i + 1].op == Op::Label &&
                       filtered_[i + 1].detail == label_note::kOperand && filtered_[i + 1].thread == event.thread;
    if (!noted || !memory_.is_buffered(event.op, event.order)) {
      events.push_back(event);
      continue;
    }
    events.push_back(filtered_[++i]);
    events.back().detail = kWaits;
    events.push_back(event);
  }
  filtered_ = std::move(events);
}

}  // namespace plait
