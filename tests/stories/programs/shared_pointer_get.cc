// A plain pointer is taken out of a shared_ptr under the lock, and used behind it.
// says: read server.session
// says: allocated by main: Server::Server()
// says: freed by T2: Server::close()
// says: used by T1: Server::serve()
// says: raw->bytes
// fix: copy the shared_ptr under the lock
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
struct Session {
  int id = 7;
  int bytes = 0;
};
struct Server {
  std::mutex mutex;
  std::shared_ptr<Session> session = std::make_shared<Session>();
  void serve() {
    Session* raw;
    {
      std::lock_guard lock(mutex);
      raw = session.get();
    }
    if (raw) raw->bytes += 10;
  }
  void close() {
    std::lock_guard lock(mutex);
    session.reset();
  }
};
int main() {
  Server server;
  std::thread worker([&] { server.serve(); });
  std::thread closer([&] { server.close(); });
  worker.join();
  closer.join();
}
