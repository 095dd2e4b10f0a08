// Two threads add to one entry of a map: each holds the lock for the read and for the write, but not in between.
// fix: the read and the write of the entry in one critical section.
// says: write scores["ann"] = 1
// says: operator[] on scores
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>

std::map<std::string, int> scores;
std::mutex mutex;

void add(const std::string& player, int points) {
  int old;
  {
    std::lock_guard lock(mutex);
    old = scores[player];
  }
  std::lock_guard lock(mutex);
  scores[player] = old + points;
}

int main() {
  scores = {{"ann", 0}, {"bob", 0}};
  std::thread one([] { add("ann", 1); });
  std::thread two([] { add("ann", 2); });
  one.join();
  two.join();
  assert(scores["ann"] == 3);
}
