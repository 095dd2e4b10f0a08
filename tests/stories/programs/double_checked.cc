// Double-checked locking with a plain pointer.
// fix: std::atomic<Table*> with acquire and release, or a function-local static.
// says: main reads table while T1 writes it
// says: only T1 holds guard; main holds no lock
#include <mutex>
#include <thread>

struct Table {
  int size = 64;
};

std::mutex guard;
Table* table = nullptr;

Table* instance() {
  if (!table) {
    std::lock_guard lock(guard);
    if (!table) table = new Table;
  }
  return table;
}

int main() {
  std::thread other([] { instance(); });
  instance();
  other.join();
}
