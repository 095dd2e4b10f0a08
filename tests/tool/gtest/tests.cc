// A GoogleTest program as people write them: fixtures, parameters, failures in the middle of threads.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

int counter;
std::mutex mutex;

TEST(Counter, Locked) {
  std::thread other([] {
    std::lock_guard lock(mutex);
    ++counter;
  });
  {
    std::lock_guard lock(mutex);
    ++counter;
  }
  other.join();
  EXPECT_EQ(counter, 2);
}

TEST(Counter, LosesAnUpdate) {
  std::atomic<int> value{0};
  std::thread other([&] { value.store(value.load() + 1); });
  value.store(value.load() + 1);
  other.join();
  ASSERT_EQ(value.load(), 2) << "one increment is lost";
}

TEST(Counter, ExpectationInAThread) {
  std::thread other([] {
    std::lock_guard lock(mutex);
    EXPECT_EQ(++counter, 1);
  });
  {
    std::lock_guard lock(mutex);
    ++counter;
  }
  other.join();
}

TEST(Counter, EachExpectationFailsInSomeRun) {
  std::atomic<int> x{0}, y{0};
  int seen_y = 0;
  std::thread other([&] {
    x.store(1);
    seen_y = y.load();
  });
  y.store(1);
  int seen_x = x.load();
  other.join();
  EXPECT_EQ(seen_x, 1);
  EXPECT_EQ(seen_y, 1);
}

TEST(Counter, DISABLED_NotChecked) { FAIL(); }

class Queue : public testing::Test {
 protected:
  void SetUp() override { name_ = "a name that is too long for the small string buffer of a std::string"; }
  static void SetUpTestSuite() { shared_ = new std::string("set up once per run, whatever the runs before did"); }
  static void TearDownTestSuite() {
    delete shared_;
    shared_ = nullptr;
  }
  std::string name_;
  static std::string* shared_;
};
std::string* Queue::shared_ = nullptr;

TEST_F(Queue, FixtureIsSetUpForEveryRun) {
  std::atomic<int> order{0};
  std::thread other([&] { order.store(1); });
  int seen = order.load();
  other.join();
  EXPECT_TRUE(seen == 0 || seen == 1);
  EXPECT_EQ(name_.size(), 68u);
  ASSERT_NE(shared_, nullptr);
  EXPECT_EQ(shared_->substr(0, 11), "set up once");
  name_.clear();
}

TEST_F(Queue, Deadlock) {
  std::mutex a, b;
  std::thread other([&] {
    std::lock_guard first(b);
    std::lock_guard second(a);
  });
  {
    std::lock_guard first(a);
    std::lock_guard second(b);
  }
  other.join();
}

class Sizes : public testing::TestWithParam<int> {};
TEST_P(Sizes, ReadersAgree) {
  std::atomic<int> value{0};
  std::thread other([&] { value.fetch_add(GetParam()); });
  int seen = value.load();
  other.join();
  EXPECT_TRUE(seen == 0 || seen == GetParam());
}
INSTANTIATE_TEST_SUITE_P(Small, Sizes, testing::Values(1, 2));

}  // namespace
