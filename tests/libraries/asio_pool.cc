// asio::thread_pool (stand-alone) and a future: the job's result arrives.
#include <asio.hpp>
#include <cassert>

int main() {
  asio::thread_pool pool(1);
  std::future<int> answer = asio::post(pool, std::packaged_task<int()>([] { return 42; }));
  int other = 0;
  asio::post(pool, [&] { other = 1; });
  assert(answer.get() == 42);
  pool.join();
  assert(other == 1);
}
