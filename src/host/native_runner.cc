#include "host/native_runner.h"

namespace plait {

MakeRunners native_runners(const Program& program, const SessionOptions& session_options,
                           const WorkerOptions& worker_options) {
  return [&program, session_options, worker_options](const Visibility& begin_with) -> std::unique_ptr<Runners> {
    auto session = std::make_shared<SessionMemory>(session_options);
    session->teach(begin_with);
    return std::make_unique<NativeRunners>(program, std::move(session), worker_options);
  };
}

}  // namespace plait
