// Orders take from an inventory; nobody sells what is not there.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>

class Inventory {
 public:
  void add(std::string item, int count) {
    std::scoped_lock lock(mutex_);
    stock_[std::move(item)] += count;
  }
  std::optional<int> take(std::string_view item, int count) {
    std::scoped_lock lock(mutex_);
    auto it = stock_.find(std::string(item));
    if (it == stock_.end() || it->second < count) return std::nullopt;
    it->second -= count;
    if (it->second == 0) stock_.erase(it);
    return count;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, int> stock_;
};

int main() {
  Inventory shop;
  shop.add("apple", 3);
  std::optional<int> a, b;
  std::thread first([&] { a = shop.take("apple", 2); });
  std::thread second([&] { b = shop.take("apple", 2); });
  first.join();
  second.join();
  assert(a.has_value() != b.has_value());
}
