// A crawler's set of visited pages.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_set>

std::unordered_set<std::string> visited;
std::mutex mutex;
int pages;

void visit(const std::string& page) {
  std::lock_guard lock(mutex);
  if (visited.insert(page).second) ++pages;
}

int main() {
  std::thread a([] {
    visit("/");
    visit("/about");
  });
  std::thread b([] {
    visit("/");
    visit("/contact");
  });
  a.join();
  b.join();
  assert(pages == 3 && visited.count("/about"));
}
