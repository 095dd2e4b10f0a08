// The reader takes no lock: a data race on conn.open.
// fix: is_open() locks conn.mutex, too.
// says: main reads conn.open while T1 writes it
// says: T1 writes conn.open = 1 at
// says: holding conn.mutex
// says: only T1 holds conn.mutex; main holds no lock
#include <mutex>
#include <thread>

struct Connection {
  std::mutex mutex;
  int retries = 0;
  bool open = false;
};

Connection conn;

void connect() {
  std::lock_guard lock(conn.mutex);
  conn.retries = 1;
  conn.open = true;
}

bool is_open() { return conn.open; }

int main() {
  std::thread worker(connect);
  bool seen = is_open();
  worker.join();
  return seen ? 0 : 0;
}
