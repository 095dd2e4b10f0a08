#include "explore/crew.h"

#include <utility>

namespace plait {

Crew::~Crew() {
  for (auto& member : others_) {
    member->over = true;
    member->start.release();
    member->thread.join();
  }
}

void Crew::work(u32 members, const Job& job) {
  job_ = &job;
  while (others_.size() + 1 < members) {
    others_.push_back(std::make_unique<Member>());
    Member& member = *others_.back();
    const u32 number = static_cast<u32>(others_.size());
    member.thread = std::thread([this, &member, number] { serve(member, number); });
  }
  for (u32 i = 1; i < members; ++i) others_[i - 1]->start.release();
  guarded([&] { job(0, *first_); });
  for (u32 i = 1; i < members; ++i) others_[i - 1]->done.acquire();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Crew::serve(Member& member, u32 number) {
  std::unique_ptr<Runner> runner;
  for (;; member.done.release()) {
    member.start.acquire();
    if (member.over) return;
    guarded([&] {
      if (!runner) runner = runners_.make();
      (*job_)(number, *runner);
    });
  }
}

void Crew::guarded(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    stop_all_();
  }
}

}  // namespace plait
