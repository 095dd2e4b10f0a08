// Runs made by the workers of a cluster: a batch is a task. Explorers do not notice.
#pragma once
#include <deque>
#include <mutex>

#include "cluster/dispatcher.h"
#include "cluster/messages.h"

namespace plait::cluster {

/// What the runs of all workers have in common: what is visible, as a value that tasks name, and who has touched what.
class KeptVisibility {
 public:
  KeptVisibility(Dispatcher& dispatcher, SessionMemory& session) : dispatcher_(dispatcher), session_(session) {}
  /// As it is now.
  void put_into(Json& task);
  void take_over(const SessionNews& news);

 private:
  const std::string& name();

  Dispatcher& dispatcher_;
  SessionMemory& session_;
  std::mutex mutex_;
  size_t extent_ = ~size_t{0}, identities_ = 0;
  std::string name_;
  std::deque<u64> told_;  // names of what is known here of who has touched what: nobody need tell it again
};

/// A result: what was done, or why it could not be. Throws the Error that the worker has met.
Json result_of(const std::string& bytes);

class RemoteRunners : public Runners {
 public:
  /// `session`: what is known here of what runs share. `go_on`: request_flag::kGoOn for all runs.
  RemoteRunners(Dispatcher& dispatcher, SessionMemory& session, bool go_on)
      : dispatcher_(dispatcher), session_(session), visibility_(dispatcher, session), go_on_(go_on) {}
  std::unique_ptr<Runner> make() override;
  Visibility visibility() override { return session_.visibility(); }
  bool share_block_size(u64 block) override { return session_.share_block_size(block); }

 private:
  friend class RemoteRunner;
  Dispatcher& dispatcher_;
  SessionMemory& session_;
  KeptVisibility visibility_;
  const bool go_on_;
};

}  // namespace plait::cluster
