// Words are counted by two threads with maps of their own, which are merged at the end.
// CHECK: verdict=safe
#include <cassert>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

std::map<std::string, int> total;
std::mutex total_mutex;

void count(const std::string& text) {
  std::map<std::string, int> mine;
  std::istringstream words(text);
  for (std::string word; words >> word;) ++mine[word];
  std::lock_guard lock(total_mutex);
  for (const auto& [word, times] : mine) total[word] += times;
}

int main() {
  std::vector<std::thread> threads;
  for (const char* part : {"a rose is a", "rose is a rose"}) threads.emplace_back(count, std::string(part));
  for (auto& thread : threads) thread.join();
  assert(total["rose"] == 3 && total["a"] == 3 && total.size() == 3);
}
