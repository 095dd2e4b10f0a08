// An undo stack shared by two editors.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <stack>
#include <string>
#include <thread>

struct Document {
  std::mutex mutex;
  std::string text;
  std::stack<std::string> undo;
  void append(const char* more) {
    std::lock_guard lock(mutex);
    undo.push(text);
    text += more;
  }
};

int main() {
  Document document;
  std::thread a([&] { document.append("a"); });
  std::thread b([&] { document.append("b"); });
  a.join();
  b.join();
  assert(document.text == "ab" || document.text == "ba");
  document.text = document.undo.top();
  assert(document.text.size() == 1);
}
