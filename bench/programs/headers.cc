// What compiling costs: a small program under the large headers that threaded C++ programs include.
#include <iostream>
#include <map>
#include <string>
#include <thread>

static std::map<std::string, int> lengths;

static void measure(const std::string& word) { lengths[word] = static_cast<int>(word.size()); }

int main() {
  std::thread worker(measure, "worker");
  worker.join();
  measure("main");
  for (const auto& [word, length] : lengths) std::cout << word << ' ' << length << '\n';
}
