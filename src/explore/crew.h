// The engine's threads, each with a runner of its own. They live as long as the crew: a worker's process ends with the
// thread that started it.
#pragma once
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

#include "run/runner.h"

namespace plait {

class Crew {
 public:
  /// `stop_all` is called when a member fails, so that the others end, too.
  Crew(Runners& runners, std::function<void()> stop_all)
      : runners_(runners), stop_all_(std::move(stop_all)), first_(runners.make()) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();

  /// Of the thread that made the crew.
  Runner& first() { return *first_; }

  /// `job(member, runner)` on so many threads at once; member 0 is the calling one. Returns when all have; throws what
  /// one of them has thrown.
  using Job = std::function<void(u32 member, Runner&)>;
  void work(u32 members, const Job& job);

 private:
  struct Member {
    std::binary_semaphore start{0}, done{0};
    bool over = false;
    std::thread thread;
  };
  void serve(Member& member, u32 number);
  void guarded(const std::function<void()>& work);

  Runners& runners_;
  std::function<void()> stop_all_;
  std::unique_ptr<Runner> first_;
  std::vector<std::unique_ptr<Member>> others_;
  const Job* job_ = nullptr;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace plait
