// Each side locks, but not the same mutex: a data race on stats.total.
// fix: both under stats.totals.
// says: the locks differ: T2 holds stats.errors, T1 holds stats.totals
#include <mutex>
#include <thread>

struct Stats {
  std::mutex totals, errors;
  long total = 0;
};

Stats stats;

void count(long n) {
  std::lock_guard lock(stats.totals);
  stats.total += n;
}

void reset() {
  std::lock_guard lock(stats.errors);
  stats.total = 0;
}

int main() {
  std::thread counter(count, 5), resetter(reset);
  counter.join();
  resetter.join();
}
