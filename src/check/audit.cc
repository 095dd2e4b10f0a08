#include "check/audit.h"

#include <fmt/core.h>

#include <algorithm>

#include "explore/run_races.h"
#include "explore/self_check.h"
#include "explore/shared_bytes.h"

namespace plait {
namespace {

constexpr size_t kMostResults = 8;  // of those that were expected, in a message

class Auditor {
 public:
  Auditor(Runners& runners, Claims& claims, const AuditOptions& options)
      : runner_(runners.make()),
        claims_(claims),
        options_(options),
        visibility_(runners.visibility()),
        shared_(visibility_) {}

  Audit run(const std::atomic<bool>& cancel) {
    while (result_.runs < options_.runs && !result_.surprise) {
      // What one run has found to be shared would be taken for the find of another in the same batch.
      Batch batch;
      batch.add(request(result_.runs), {});
      const bool all = runner_->run(batch, visibility_, cancel, [&](u32, const RunView& view) {
        u32& longest = longest_[finely_];
        longest = std::max(longest, view.reply->points);
        look_at(view);
      });
      if (!all) break;
      ++result_.runs;
    }
    return std::move(result_);
  }

 private:
  /// Every second run may switch at every operation, also at those on memory that is taken for private: is it?
  Request request(u64 number) {
    finely_ = number / 2 % 2;
    Request request{};
    request.tail = number % 2 && longest_[finely_] ? Tail::Pct : Tail::Random;
    request.seed = options_.seed * 0x100000001b3 + number;
    request.change_points = static_cast<u8>(options_.pct_depth - 1);
    request.length = longest_[finely_];
    request.flags = static_cast<u8>(request_flag::kAllEvents | (finely_ ? request_flag::kEverything : 0));
    return request;
  }

  void look_at(const RunView& view) {
    std::string message = surprise_in(view);
    if (message.empty()) return;
    const Reply& reply = *view.reply;
    if (site_ == kNoSite && reply.status == RunStatus::Failed) site_ = reply.failure.site;
    result_.surprise =
        Surprise{std::move(message),
                 site_,
                 {FinishedRun{view, {}}.schedule(), reply.switches, reply.points, 0, reply.sharing_grew != 0}};
  }

  std::string surprise_in(const RunView& view) {
    const Reply& reply = *view.reply;
    if (reply.status == RunStatus::NotRun) return "the program did not run";
    if (reply.status == RunStatus::Diverged) return fmt::format("a random run diverged: {}", reply.failure.message);
    const bool failed = reply.status == RunStatus::Failed;
    if (failed && (claims_.checked.contains(reply.failure.kind) || !is_bug(reply.failure.kind)))
      return fmt::format("a run fails ({}): {}", kind_name(reply.failure.kind), reply.failure.message);
    if (view.outgrown) return "two threads share memory that was taken for private";
    if (claims_.checked.contains(FailureKind::Race) && !reply.guessed) {
      races_.look_at(options_.memory, view.events);
      if (!races_.take().empty()) return "two accesses race that were taken for ordered";
    }
    if (claims_.behaviour)
      if (std::string message = news_in(view); !message.empty()) return message;
    if (claims_.outputs && reply.status == RunStatus::Complete && !claims_.outputs->contains(std::string(view.output)))
      return fmt::format("a run prints what is no known output: '{}'", view.output);
    return "";
  }

  /// What the trace shows beyond the graphs.
  std::string news_in(const RunView& view) {
    Behaviour& known = *claims_.behaviour;
    if (view.reply->unpredictable != Unpredictable::No) return "threads share something that traces do not show";
    std::string contradiction = known.learn(view.events, view.output, view.failures(), false,
                                            [&](u64 begin, u64 size) { return !finely_ || shared_(begin, size); });
    if (!known.news()) return contradiction;
    const Behaviour::News& news = *known.news();
    site_ = news.event.site;
    const std::string what = raw_text(news.event);
    switch (news.kind) {
      case Behaviour::News::Kind::Operation: return "nothing was known of what comes here: " + what;
      case Behaviour::News::Kind::Failure: return "a failure that was not known: " + what;
      case Behaviour::News::Kind::Result: break;
    }
    return fmt::format("a result that was not known: {}; known: {}", what, known_results(known, news));
  }

  static std::string known_results(const Behaviour& known, const Behaviour::News& news) {
    std::string text;
    size_t count = 0;
    for (u32 at = known.node(news.node).first_edge; at && count < kMostResults; at = known.edge(at).next) {
      if (known.edge(at).result == news.result) continue;
      text += fmt::format("{}{:#x}", text.empty() ? "" : ", ", known.edge(at).result);
      ++count;
    }
    return text.empty() ? "none" : text;
  }

  std::unique_ptr<Runner> runner_;
  Claims& claims_;
  AuditOptions options_;
  const Visibility visibility_;
  const SharedBytes shared_;
  bool finely_ = false;
  u32 longest_[2] = {};
  u32 site_ = kNoSite;
  RunRaces races_;
  Audit result_;
};

}  // namespace

Audit audit(Runners& runners, Claims& claims, const AuditOptions& options, const std::atomic<bool>& cancel) {
  return Auditor(runners, claims, options).run(cancel);
}

}  // namespace plait
