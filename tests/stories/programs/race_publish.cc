// The message is published by a relaxed store: nothing orders its writing before its reading.
// fix: memory_order_release for the store of ready, memory_order_acquire for its load.
// says: main reads message.length, which T1 wrote before
// says: is relaxed, not release
// says: is relaxed, not acquire
#include <atomic>
#include <thread>

struct Message {
  int length = 0;
  int words[4] = {};
};

Message message;
std::atomic<bool> ready{false};

void send() {
  message.words[2] = 7;
  message.length = 3;
  ready.store(true, std::memory_order_relaxed);
}

int receive() {
  if (!ready.load(std::memory_order_relaxed)) return 0;
  return message.length;
}

int main() {
  std::thread sender(send);
  int length = receive();
  sender.join();
  return length == 17;
}
