// A reader counts itself behind taking the pointer: the updater does not see it, and frees what it reads.
// says: allocated by main
// says: freed by T3: updater()
// says: read readers = 0
// says: used by T1: reader()
// fix: count the reader before loading current
#include <atomic>
#include <thread>
struct Config {
  int limit;
  int timeout;
};
std::atomic<Config*> current;
std::atomic<int> readers{0};
void reader() {
  Config* config = current.load();
  readers.fetch_add(1);
  int sum = config->limit + config->timeout;
  (void)sum;
  readers.fetch_sub(1);
}
void updater() {
  Config* fresh = new Config{20, 2};
  Config* old = current.exchange(fresh);
  while (readers.load() != 0) std::this_thread::yield();
  delete old;
}
int main() {
  current = new Config{10, 1};
  std::thread a(reader), b(reader), c(updater);
  a.join();
  b.join();
  c.join();
  delete current.load();
}
