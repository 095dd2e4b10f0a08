// std::shared_ptr: the last of two owners deletes. Faulty: one thread keeps a raw pointer.
// CHECK: verdict=bug kind=use-after-free line=@use
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <memory>
#include <thread>

struct Document {
  int pages = 3;
};

int main() {
  auto document = std::make_shared<Document>();
#ifdef FIXED
  std::thread reader([document] { assert(document->pages == 3); });
#else
  Document* raw = document.get();
  std::thread reader([raw] {
    assert(raw->pages == 3);  // @use
  });
#endif
  document.reset();
  reader.join();
}
