#include "cluster/remote_runner.h"

#include <algorithm>

#include "base/error.h"

namespace plait::cluster {
namespace {

constexpr size_t kMostTold = 128;  // what was told longer ago is told again

}  // namespace

const std::string& KeptVisibility::name() {
  const size_t extent = session_.extent(), identities = session_.session().identity_count;
  if (extent != extent_ || identities != identities_) {
    name_ = dispatcher_.keep(to_bytes(visibility_to_json(session_.visibility())));
    extent_ = extent;
    identities_ = identities;
  }
  return name_;
}

void KeptVisibility::put_into(Json& task) {
  std::lock_guard lock(mutex_);
  task["visibility"] = name();
  const std::vector<u64> told(told_.begin(), told_.end());
  task["told"] = list_to_json(std::span<const u64>(told));
}

void KeptVisibility::take_over(const SessionNews& news) {
  std::lock_guard lock(mutex_);
  cluster::take_over(session_, news);
  if (std::find(told_.begin(), told_.end(), news.touched_name) != told_.end()) return;
  if (told_.size() == kMostTold) told_.pop_front();
  told_.push_back(news.touched_name);
}

Json result_of(const std::string& bytes) {
  Json result = from_bytes(bytes);
  try {
    if (result.contains("error")) throw Error(result.at("code"), text_from_json(result.at("error")));
  } catch (const Json::exception& error) {
    throw_damaged("a result", error);
  }
  return result;
}

class RemoteRunner : public Runner {
 public:
  explicit RemoteRunner(RemoteRunners& all) : all_(all) {}

  bool run(const Batch& batch, const Visibility& given, const std::atomic<bool>& cancel,
           const Consume& consume) override {
    u32 done = 0;
    while (done < batch.size()) {
      Json task = batch_to_json(batch, done);
      task["kind"] = "runs";
      all_.visibility_.put_into(task);
      task["go_on"] = all_.go_on_;
      const std::optional<std::string> bytes =
          all_.dispatcher_.wait_for(all_.dispatcher_.submit(to_bytes(task)), cancel);
      if (!bytes) return false;
      const Json result = result_of(*bytes);
      Runs runs;
      try {
        const SessionNews news = news_from_json(result.at("news"));
        // Threads that nobody has numbered yet: numbered now, once for all workers, and run again.
        if (result.at("unnumbered")) {
          take_over_threads(all_.session_, news);
          continue;
        }
        all_.visibility_.take_over(news);
        runs = Runs::from_json(result.at("runs"));
      } catch (const Json::exception& error) {
        throw_damaged("a result", error);
      }
      const bool outgrown = all_.session_.extent() != given.extent();
      for (u32 i = 0; i < runs.size() && done < batch.size(); ++i, ++done) {
        RunView run = runs.view(i);
        run.outgrown |= outgrown;
        consume(done, run);
      }
    }
    return true;
  }

 private:
  RemoteRunners& all_;
};

std::unique_ptr<Runner> RemoteRunners::make() { return std::make_unique<RemoteRunner>(*this); }

}  // namespace plait::cluster
