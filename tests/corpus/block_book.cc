// Two threads keep a book of their blocks, which grows by one each time. Where one history frees the book, another
// one frees a block of its own.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

struct Block {
  void* begin;
  unsigned long size, alignment;
};

std::mutex mutex;
std::vector<Block> book;

void* take() {
  std::lock_guard lock(mutex);
  book.reserve(book.size() + 1);
  void* begin = ::operator new(24);
  book.push_back({begin, 24, 8});
  return begin;
}

void give_back(void* begin) {
  std::lock_guard lock(mutex);
  for (auto& block : book) {
    if (block.begin != begin) continue;
    block = book.back();
    book.pop_back();
    break;
  }
  ::operator delete(begin);
}

void work(int times) {
  void* own[3];
  for (int i = 0; i < times; ++i) own[i] = take();
  for (int i = 0; i < times; ++i) give_back(own[i]);
}

int main() {
  std::thread a(work, 3), b(work, 2);
  a.join();
  b.join();
  assert(book.empty());
}
