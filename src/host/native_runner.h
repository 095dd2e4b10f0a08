// Runs of an instrumented program in processes of their own, which share a session.
#pragma once
#include "host/worker.h"

namespace plait {

class NativeRunners : public Runners {
 public:
  /// On a session that others use, too.
  NativeRunners(const Program& program, std::shared_ptr<SessionMemory> session, const WorkerOptions& options)
      : program_(program), session_(std::move(session)), options_(options) {}
  std::unique_ptr<Runner> make() override { return std::make_unique<Worker>(program_, *session_, options_); }
  Visibility visibility() override { return session_->visibility(); }
  const LabelTables* labels() override { return follows_inputs(program_.path) ? &session_->labels() : nullptr; }
  void forget_labels() override { session_->set_inputs({}); }
  bool share_block_size(u64 block) override { return session_->share_block_size(block); }

 private:
  const Program& program_;
  std::shared_ptr<SessionMemory> session_;
  WorkerOptions options_;
};

/// Runners with a new session each. What the visibility says of the memory model counts, not what the options say.
MakeRunners native_runners(const Program&, const SessionOptions&, const WorkerOptions&);

}  // namespace plait
