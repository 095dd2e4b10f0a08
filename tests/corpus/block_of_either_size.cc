// A block of one size or another, at the same address: who frees it does not know which.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <new>
#include <thread>

std::atomic<bool> large{false};
std::atomic<void*> handed{nullptr};

int main() {
  std::thread other([] {
    large = true;
    void* block;
    while (!(block = handed.load())) {
    }
    ::operator delete(block);
  });
  int* numbers = static_cast<int*>(::operator new(large ? 64 : 16));
  numbers[0] = 1;
  handed = numbers;
  other.join();
  int* next = new int(2);
  assert(*next == 2);
  delete next;
}
