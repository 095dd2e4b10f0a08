#include "cluster/redis.h"

#include <fmt/core.h>
#include <hiredis/hiredis.h>

#include <charconv>
#include <optional>

#include "base/error.h"

namespace plait::cluster {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(5000);  // for an answer

timeval time_of(std::chrono::milliseconds time) { return {time.count() / 1000, time.count() % 1000 * 1000}; }

int number_in(const std::string& text, const std::string& url, int most) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0 || number > most)
    throw Error(kExitUsage, fmt::format("'{}': '{}' is no number up to {}", url, text, most));
  return number;
}

RedisAnswer taken(const redisReply& reply, std::string& error) {
  RedisAnswer answer;
  answer.is_nil = reply.type == REDIS_REPLY_NIL;
  answer.number = reply.integer;
  if (reply.str) answer.text.assign(reply.str, static_cast<size_t>(reply.len));
  if (reply.type == REDIS_REPLY_ERROR && error.empty()) error = answer.text;
  for (size_t i = 0; i < reply.elements; ++i) answer.parts.push_back(taken(*reply.element[i], error));
  return answer;
}

struct Free {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};

}  // namespace

RedisUrl::RedisUrl(const std::string& text) {
  if (text.starts_with("rediss://"))
    throw Error(kExitUsage,
                "rediss:// needs hiredis' SSL library, which this build is without: use redis:// through a "
                "tunnel (stunnel, ssh -L), or inside of a private network");
  const std::string scheme = "redis://";
  if (!text.starts_with(scheme))
    throw Error(kExitUsage,
                fmt::format("'{}' is no address of a Redis server: redis://[USER:PASSWORD@]HOST[:PORT]", text));
  std::string rest = text.substr(scheme.size());
  if (const size_t slash = rest.find('/'); slash != std::string::npos) {
    if (slash + 1 < rest.size()) database = number_in(rest.substr(slash + 1), text, 1 << 20);
    rest.resize(slash);
  }
  if (const size_t at = rest.rfind('@'); at != std::string::npos) {
    const std::string who = rest.substr(0, at);
    rest.erase(0, at + 1);
    const size_t colon = who.find(':');
    user = colon == std::string::npos ? "" : who.substr(0, colon);
    password = colon == std::string::npos ? who : who.substr(colon + 1);
  }
  const size_t bracket = rest.rfind(']'), colon = rest.rfind(':');
  if (colon != std::string::npos && (bracket == std::string::npos || colon > bracket)) {
    port = number_in(rest.substr(colon + 1), "redis://" + rest, 65535);
    rest.resize(colon);
  }
  if (rest.size() > 2 && rest.front() == '[' && rest.back() == ']') rest = rest.substr(1, rest.size() - 2);
  host = rest;
  if (host.empty()) throw Error(kExitUsage, fmt::format("'{}' names no host", text));
  shown = fmt::format("redis://{}:{}", host, port);
}

void Redis::Close::operator()(redisContext* context) const { redisFree(context); }

void Redis::lose(const std::string& why) {
  context_.reset();
  throw RedisLost(fmt::format("{}: {}", url_.shown, why));
}

void Redis::connect() {
  context_.reset(redisConnectWithTimeout(url_.host.c_str(), url_.port, time_of(kPatience)));
  if (!context_) lose("no memory for a connection");
  if (context_->err) lose(context_->errstr);
  redisEnableKeepAlive(context_.get());
  redisSetTimeout(context_.get(), time_of(kPatience));
  if (!url_.password.empty()) {
    Words words = {"AUTH"};
    if (!url_.user.empty()) words.push_back(url_.user);
    words.push_back(url_.password);
    say(words);
    answer("AUTH");
  }
  if (url_.database) {
    say({"SELECT", std::to_string(url_.database)});
    answer("SELECT");
  }
}

void Redis::say(const Words& words) {
  std::vector<const char*> starts;
  std::vector<size_t> sizes;
  for (const std::string& word : words) {
    starts.push_back(word.data());
    sizes.push_back(word.size());
  }
  if (redisAppendCommandArgv(context_.get(), static_cast<int>(words.size()), starts.data(), sizes.data()) != REDIS_OK)
    lose(context_->errstr);
}

RedisAnswer Redis::answer(const char* what) {
  void* raw = nullptr;
  if (redisGetReply(context_.get(), &raw) != REDIS_OK || !raw) lose(context_->errstr);
  const std::unique_ptr<redisReply, Free> reply(static_cast<redisReply*>(raw));
  std::string error;
  RedisAnswer result = taken(*reply, error);
  if (error.starts_with("LOADING") || error.starts_with("MASTERDOWN")) lose(error);
  if (!error.empty()) throw RedisRefused(error);
  (void)what;
  return result;
}

RedisAnswer Redis::command(const Words& words, std::chrono::milliseconds blocks) {
  if (!context_) connect();
  if (blocks.count()) redisSetTimeout(context_.get(), time_of(kPatience + blocks));
  say(words);
  RedisAnswer result = answer(words[0].c_str());
  if (blocks.count() && context_) redisSetTimeout(context_.get(), time_of(kPatience));
  return result;
}

std::vector<RedisAnswer> Redis::commands(const std::vector<Words>& list) {
  if (!context_) connect();
  for (const Words& words : list) say(words);
  std::vector<RedisAnswer> answers;
  std::optional<RedisRefused> refused;
  for (const Words& words : list) {
    try {
      answers.push_back(answer(words[0].c_str()));
    } catch (const RedisRefused& error) {
      if (!refused) refused = error;
    }
  }
  if (refused) throw *refused;
  return answers;
}

void Redis::require() {
  std::string why;
  try {
    const std::string info = command({"INFO", "server"}).text;
    const std::string label = "redis_version:";
    const size_t at = info.find(label);
    const int major = at == std::string::npos ? 0 : std::atoi(info.c_str() + at + label.size());
    if (major >= 7) return;
    why = fmt::format("{}: Redis 7 is needed, this is version {}", url_.shown, major);
  } catch (const RedisLost& error) {
    why = fmt::format("cannot reach Redis at {}", error.what());
  } catch (const RedisRefused& error) {
    const bool denied = error.is("NOAUTH") || error.is("WRONGPASS") || error.is("ERR AUTH") || error.is("NOPERM");
    why = fmt::format("Redis at {} {}: {}", url_.shown,
                      denied ? "wants another user or password" : "refuses its commands", error.what());
  }
  throw Error(kExitUsage, why);
}

}  // namespace plait::cluster
