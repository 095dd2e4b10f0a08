// Votes are counted.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <thread>
#include <unordered_set>

std::unordered_multiset<char> votes;
std::mutex mutex;

int main() {
  auto vote = [](char party) {
    std::lock_guard lock(mutex);
    votes.insert(party);
  };
  std::thread a(vote, 'x'), b(vote, 'y'), c(vote, 'x');
  a.join();
  b.join();
  c.join();
  assert(votes.count('x') == 2 && votes.size() == 3);
}
