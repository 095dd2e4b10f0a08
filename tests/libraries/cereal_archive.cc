// cereal: two threads serialise into archives of their own, and one reads the other's.
#include <cassert>
#include <cereal/archives/binary.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <future>
#include <sstream>

int main() {
  std::promise<std::string> promise;
  std::thread writer([&] {
    std::ostringstream out;
    cereal::BinaryOutputArchive archive(out);
    archive(std::vector<int>{1, 2}, std::string("three"));
    promise.set_value(out.str());
  });
  std::istringstream in(promise.get_future().get());
  cereal::BinaryInputArchive archive(in);
  std::vector<int> numbers;
  std::string text;
  archive(numbers, text);
  writer.join();
  assert(numbers.size() == 2 && numbers[1] == 2 && text == "three");
}
