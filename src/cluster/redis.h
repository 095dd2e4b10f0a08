// A connection to Redis, by hiredis. Commands throw when they cannot be done; the connection is made when it is needed,
// and again after it was lost.
#pragma once
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct redisContext;
struct redisReply;

namespace plait::cluster {

/// redis://[[USER:]PASSWORD@]HOST[:PORT][/DATABASE]. Throws Error (usage).
struct RedisUrl {
  explicit RedisUrl(const std::string& text);
  std::string shown;  // without the password
  std::string user, password, host;
  int port = 6379;
  int database = 0;
};

/// No connection, or it was lost: may work again later.
struct RedisLost : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Redis answers with an error.
struct RedisRefused : std::runtime_error {
  using runtime_error::runtime_error;
  bool is(const char* code) const { return std::string(what()).rfind(code, 0) == 0; }
};

/// What Redis answered; empty parts for what is not there.
struct RedisAnswer {
  bool is_nil = false;
  long long number = 0;
  std::string text;
  std::vector<RedisAnswer> parts;
  const RedisAnswer& operator[](size_t i) const { return parts[i]; }
  size_t size() const { return parts.size(); }
};

using Words = std::vector<std::string>;

class Redis {
 public:
  explicit Redis(RedisUrl url) : url_(std::move(url)) {}
  const RedisUrl& url() const { return url_; }
  /// `blocks`: how long Redis itself may wait before it answers.
  RedisAnswer command(const Words& words, std::chrono::milliseconds blocks = {});
  /// One after the other, in one round trip. An error of one of them is thrown after all were answered.
  std::vector<RedisAnswer> commands(const std::vector<Words>& list);
  /// The first connection: what does not work now will not work later. Throws Error (usage), one line.
  void require();

 private:
  struct Close {
    void operator()(redisContext* context) const;
  };
  void connect();
  void say(const Words& words);
  RedisAnswer answer(const char* what);
  [[noreturn]] void lose(const std::string& why);

  RedisUrl url_;
  std::unique_ptr<redisContext, Close> context_;
};

}  // namespace plait::cluster
