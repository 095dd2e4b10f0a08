// Functions that lock call each other: a recursive mutex.
// CHECK: verdict=safe
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Tree {
 public:
  void add(int value) {
    std::lock_guard lock(mutex_);
    children_.push_back(value);
    if (sum() > 5) shrink();
  }
  int sum() {
    std::lock_guard lock(mutex_);
    int all = 0;
    for (int child : children_) all += child;
    return all;
  }

 private:
  void shrink() {
    std::lock_guard lock(mutex_);
    children_.erase(children_.begin());
  }
  std::recursive_mutex mutex_;
  std::vector<int> children_;
};

int main() {
  Tree tree;
  std::thread other([&] { tree.add(3); });
  tree.add(4);
  other.join();
  assert(tree.sum() == 3 || tree.sum() == 4);
}
