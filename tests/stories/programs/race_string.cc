// A string grows under a lock, its size is asked without.
// says: log.text
// says: only T1 holds log.mutex; T2 holds no lock
// says: text += line;
// fix: take the mutex in size(), too
#include <mutex>
#include <string>
#include <thread>
struct Log {
  std::string text;
  std::mutex mutex;
  void add(const std::string& line) {
    std::lock_guard lock(mutex);
    text += line;
  }
  size_t size() const { return text.size(); }
};
int main() {
  Log log;
  std::thread writer([&] { log.add("hello"); });
  std::thread watcher([&] {
    while (log.size() < 5) std::this_thread::yield();
  });
  writer.join();
  watcher.join();
}
