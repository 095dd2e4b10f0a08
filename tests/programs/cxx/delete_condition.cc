// The waiter deletes the object as soon as it has seen what it waited for; who notifies after unlocking uses the condition after that.
// CHECK: verdict=bug kind=use-after-free|lock-misuse line=@notify
// CHECK-FIXED: verdict=safe
#include <condition_variable>
#include <mutex>
#include <thread>

struct Request {
  std::mutex mutex;
  std::condition_variable condition;
  bool done = false;
};

int main() {
  auto* request = new Request;
  std::thread server([request] {
#ifdef FIXED
    std::lock_guard guard(request->mutex);
    request->done = true;
    request->condition.notify_one();
#else
    {
      std::lock_guard guard(request->mutex);
      request->done = true;
    }
    request->condition.notify_one();  // @notify
#endif
  });
  {
    std::unique_lock lock(request->mutex);
    request->condition.wait(lock, [request] { return request->done; });
  }
  delete request;
  server.join();
}
