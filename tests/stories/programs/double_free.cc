// Both threads see the last reference go: the count is not atomic as a whole.
// fix: if (--references == 0), one atomic operation.
// says: read Buffer.references = 0
// says: freed by main: release(Buffer*) at
// says: freed again by T1: release(Buffer*) at
#include <atomic>
#include <thread>

struct Buffer {
  std::atomic<int> references{2};
  char bytes[16] = {};
};

void release(Buffer* buffer) {
  --buffer->references;
  if (buffer->references == 0) delete buffer;
}

int main() {
  Buffer* buffer = new Buffer;
  std::thread other(release, buffer);
  release(buffer);
  other.join();
}
