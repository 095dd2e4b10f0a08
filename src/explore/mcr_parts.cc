// `mcr` in parts. A part is some seeds, and what their runs lead to. Whoever has explored it hands back its runs (the
// knowledge of all is kept in one place), what threads have received in them, and the seeds that are left.
//
// All parts together need not find everything: what is missing in the end is decided over all runs, as on one machine.
// So it costs work, and no answers, if two parts run the same seed because neither has heard of the other.
#include "explore/mcr_member.h"
#include "explore/parts.h"

namespace plait {
namespace {

using mcr::Member;
using mcr::Search;

constexpr size_t kMostSeeds = 64;  // of a part
constexpr auto kNews = std::chrono::milliseconds(5);

void write_seed(PartWriter& writer, const Seed& seed) {
  writer.list(std::span(seed.steps));
  writer.list(std::span(seed.commitments));
  writer.list(std::span(seed.promised));
  writer.value(seed.thread);
  writer.value(seed.index);
  writer.value(seed.result);
  writer.value(seed.null);
  writer.value(seed.history);
  writer.value(seed.last);
}

Seed read_seed(PartReader& reader) {
  Seed seed;
  seed.steps = reader.list<Choice>();
  seed.commitments = reader.list<u32>();
  seed.promised = reader.list<u64>();
  seed.thread = reader.value<ThreadId>();
  seed.index = reader.value<u32>();
  seed.result = reader.value<u128>();
  seed.null = reader.value<u8>() != 0;
  seed.history = reader.value<u64>();
  seed.last = reader.value<u32>();
  if (seed.promised.size() != seed.commitments.size()) throw std::runtime_error("a seed is cut off");
  return seed;
}

std::string bytes_of(const std::vector<Seed>& seeds) {
  PartWriter writer;
  for (const Seed& seed : seeds) write_seed(writer, seed);
  return writer.take();
}

std::vector<Seed> seeds_in(const std::string& bytes) {
  std::vector<Seed> seeds;
  for (PartReader reader(bytes); !reader.at_end();) seeds.push_back(read_seed(reader));
  return seeds;
}

std::string bytes_of(const std::vector<u64>& histories) {
  PartWriter writer;
  if (!histories.empty()) writer.list(std::span(histories));
  return writer.take();
}

void hear(Search& search, const std::string& bytes) {
  for (PartReader reader(bytes); !reader.at_end();) search.hear(reader.list<u64>());
}

/// The first run is made here, and the end is decided here.
class McrPlan : public PartPlan {
 public:
  explicit McrPlan(Exploration& exploration)
      : album_(exploration.options.memory.buffers),
        search_(exploration, album_),
        first_(search_, exploration.crew.first()) {
    first_.first_run();
    begin_ = bytes_of(search_.take_noted());
  }

  std::optional<std::string> take() override {
    if (search_.is_over()) return std::nullopt;
    std::vector<Seed> seeds = search_.give(std::clamp<size_t>(search_.seeds().size() / 8, 1, kMostSeeds));
    if (seeds.empty()) return std::nullopt;
    PartWriter writer;
    writer.block(begin_);
    writer.block(bytes_of(seeds));
    return writer.take();
  }

  void done(const std::string& outcome) override {
    PartReader reader(outcome);
    const std::string runs = reader.block(), contradiction = reader.block();
    search_.hear(reader.list<u64>());
    std::vector<Seed> left = seeds_in(reader.block());
    for (PartReader run(runs); !run.at_end();) learn(run);
    if (!contradiction.empty()) search_.contradict(contradiction);
    search_.add(std::move(left));
  }

  Attempt finish() override { return mcr::decide_the_rest(search_); }
  void give_up() override {
    if (search_.exploration().control.reason() == StopReason::MaxExecutions) first_.confirm_failures(search_.seeds());
  }

 private:
  void learn(PartReader& reader) {
    const auto reply = reader.value<Reply>();
    const auto events = reader.list<Event>();
    const std::string output = reader.block();
    const auto failures = reader.list<Failure>();
    search_.learn(RunView{&reply, events, output, failures}, [](u64, u64) { return true; });
  }

  Album album_;
  Search search_;
  Member first_;
  std::string begin_;  // what the first run has shown
};

/// Tells others now and then what is not new any more.
class News {
 public:
  News(Search& search, PartNews* news) : search_(search), news_(news) {
    if (news_) hear(search_, news_->heard());
  }
  void exchange() {
    const auto now = std::chrono::steady_clock::now();
    if (!news_ || now - last_ < kNews) return;
    last_ = now;
    const std::vector<u64> fresh = search_.take_noted();
    told_.insert(told_.end(), fresh.begin(), fresh.end());
    hear(search_, news_->exchange(bytes_of(fresh)));
  }
  std::vector<u64> all() {
    last_ = {};
    if (news_) exchange();
    const std::vector<u64> fresh = search_.take_noted();
    told_.insert(told_.end(), fresh.begin(), fresh.end());
    return std::move(told_);
  }

 private:
  Search& search_;
  PartNews* news_;
  std::vector<u64> told_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace

std::unique_ptr<PartPlan> plan_mcr(Exploration& exploration) { return std::make_unique<McrPlan>(exploration); }

Attempt explore_mcr_part(Exploration& exploration, const std::string& part, const PartBudget& budget,
                         std::string& outcome) {
  const PartClock clock(budget);
  PartReader reader(part);
  Album closed(true);
  Search search(exploration, closed);
  PartWriter runs;
  search.hand_over_to(runs);
  hear(search, reader.block());
  search.add(seeds_in(reader.block()));
  News news(search, exploration.news);
  Member member(search, exploration.crew.first());
  while (member.work(1) && !clock.over()) news.exchange();
  if (search.has_grown()) return Attempt::SharingGrew;
  PartWriter writer;
  writer.block(runs.take());
  writer.block(search.contradiction());
  const std::vector<u64> noted = news.all();
  writer.list(std::span(noted));
  writer.block(bytes_of(search.give(~size_t{0})));
  outcome = writer.take();
  return Attempt::Complete;
}

}  // namespace plait
