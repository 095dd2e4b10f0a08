// boost::asio::thread_pool: two jobs of one strand on two threads: they do not meet.
#include <boost/asio.hpp>
#include <cassert>

int main() {
  boost::asio::thread_pool pool(2);
  auto strand = boost::asio::make_strand(pool);
  int sum = 0;
  boost::asio::post(strand, [&] { sum += 1; });
  boost::asio::post(strand, [&] { sum *= 2; });
  pool.join();
  assert(sum == 2);
}
