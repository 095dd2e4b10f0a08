#include "exogenous/connection.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace plait::exogenous {
namespace {

using nlohmann::json;

constexpr size_t kLongestMessage = size_t{256} << 20;
constexpr size_t kSendAt = 1 << 15;  // bytes
constexpr int kChildIn = 3, kChildOut = 4;
constexpr int kLook = 50;  // milliseconds between two looks at the cancel flag

struct Pipe {
  Descriptor read, write;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw Error(kExitUsage, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    read = Descriptor(ends[0]), write = Descriptor(ends[1]);
  }
};

void make_non_blocking(int descriptor) { fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

bool is_program(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

/// As a shell finds it.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (is_program(name)) return name;
    throw Error(kExitUsage, fmt::format("cannot start the runtime '{}': {}", name, std::strerror(errno)));
  }
  const char* variable = std::getenv("PATH");
  std::string_view path = variable ? variable : "/usr/bin:/bin";
  while (!path.empty()) {
    const size_t end = std::min(path.find(':'), path.size());
    const std::string candidate = std::string(path.substr(0, end)) + "/" + name;
    if (end > 0 && is_program(candidate)) return candidate;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  throw Error(kExitUsage, fmt::format("cannot start the runtime '{}': there is no such program", name));
}

Process start(const std::vector<std::string>& command, const Pipe& to, const Pipe& from) {
  Launch launch;
  launch.path = find_program(command.at(0));
  launch.arguments.assign(command.begin() + 1, command.end());
  launch.environment = {{"PLAIT_RUNTIME_IN", std::to_string(kChildIn)},
                        {"PLAIT_RUNTIME_OUT", std::to_string(kChildOut)}};
  launch.input = to.read.number();
  launch.output = from.write.number();
  launch.errors = STDERR_FILENO;
  launch.descriptors = {{to.read.number(), kChildIn}, {from.write.number(), kChildOut}};
  return Process(launch);
}

/// The beginning of a message, for people.
std::string excerpt(std::string_view text) {
  constexpr size_t kMost = 120;
  std::string shown;
  for (const char c : text.substr(0, kMost)) shown += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return shown + (text.size() > kMost ? "..." : "");
}

}  // namespace

Connection::Connection(const std::vector<std::string>& command, double timeout_seconds, const std::atomic<bool>& cancel)
    : cancel_(cancel), timeout_(timeout_seconds) {
  std::signal(SIGPIPE, SIG_IGN);  // a runtime that is gone is noticed when reading
  Pipe to, from;
  process_ = start(command, to, from);
  to_ = std::move(to.write);
  from_ = std::move(from.read);
  make_non_blocking(to_.number());
  make_non_blocking(from_.number());
  listen();
}

Connection::~Connection() {
  // A runtime that listens ends by itself; nobody waits long for the others.
  send(json{{"type", "quit"}});
  write_some();
  to_ = Descriptor();
  for (int i = 0; i < 20 && process_.running() && !process_.poll(); ++i) poll(nullptr, 0, 5);
  if (process_.running()) ::kill(-process_.id(), SIGKILL);  // with what it has started
}

void Connection::send(const json& message) {
  if (framing_ == Framing::Lines) return send_text(message.dump(-1, ' ', false, json::error_handler_t::replace));
  const std::vector<u8> bytes = json::to_cbor(message);
  const u32 size = static_cast<u32>(bytes.size());
  for (int shift = 0; shift < 32; shift += 8) out_ += static_cast<char>(size >> shift);
  out_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void Connection::send_text(std::string_view message) {
  if (framing_ == Framing::Cbor) return send(json::parse(message));
  out_ += message;
  out_ += '\n';
  if (out_.size() - sent_ >= kSendAt) write_some();
}

void Connection::flush() { write_some(); }

void Connection::write_some() {
  while (sent_ < out_.size()) {
    const ssize_t done = write(to_.number(), out_.data() + sent_, out_.size() - sent_);
    if (done > 0)
      sent_ += static_cast<size_t>(done);
    else if (errno != EINTR)
      break;  // the pipe is full, or the process is gone, which reading tells
  }
  if (sent_ == out_.size() || sent_ >= kSendAt) out_.erase(0, sent_), sent_ = 0;
}

bool Connection::read_some() {
  char buffer[65536];
  bool any = false;
  for (;;) {
    const ssize_t got = read(from_.number(), buffer, sizeof buffer);
    if (got > 0) {
      in_.append(buffer, static_cast<size_t>(got));
      any = true;
      if (static_cast<size_t>(got) < sizeof buffer) return true;
    } else if (got == 0) {
      closed_ = true;
      return any;
    } else if (errno != EINTR) {
      return any;
    }
  }
}

bool Connection::cut_frame(std::string_view& frame) {
  if (used_ >= kSendAt || used_ == in_.size()) in_.erase(0, used_), searched_ -= std::min(searched_, used_), used_ = 0;
  const std::string_view rest = std::string_view(in_).substr(used_);
  if (framing_ == Framing::Lines) {
    const size_t end = in_.find('\n', std::max(searched_, used_));
    searched_ = in_.size();
    if (end == std::string::npos) {
      if (rest.size() > kLongestMessage) throw std::invalid_argument("a message is too long: a line has no end");
      return false;
    }
    frame = std::string_view(in_).substr(used_, end - used_);
    used_ = searched_ = end + 1;
    return true;
  }
  if (rest.size() < 4) return false;
  size_t size = 0;
  for (size_t i = 0; i < 4; ++i) size |= size_t{static_cast<u8>(rest[i])} << (8 * i);
  if (size > kLongestMessage) throw std::invalid_argument(fmt::format("a message is too long: {} bytes", size));
  if (rest.size() < 4 + size) return false;
  frame = rest.substr(4, size);
  used_ += 4 + size;
  return true;
}

bool Connection::has_message() {
  std::string_view frame;
  const size_t used = used_;
  if (!cut_frame(frame)) return false;
  const size_t length = frame.size() + (framing_ == Framing::Lines ? 1 : 4);
  (void)used;
  used_ -= length;
  searched_ = used_;
  return true;
}

void Connection::wait_for_input() {
  for (;;) {
    check_silence();
    write_some();
    pollfd ends[2] = {{from_.number(), POLLIN, 0}, {to_.number(), POLLOUT, 0}};
    const bool writes = sent_ < out_.size();
    const int ready = poll(ends, writes ? 2 : 1, kLook);
    if (cancel_) throw Cancelled();
    if (ready > 0 && ends[0].revents && (read_some() || closed_)) return;
    if (ready > 0 && writes && (ends[1].revents & (POLLERR | POLLHUP))) poll(nullptr, 0, 1);
  }
}

void Connection::check_silence() {
  const std::chrono::duration<double> silent = std::chrono::steady_clock::now() - heard_;
  if (silent.count() < timeout_) return;
  const pid_t group = process_.id();
  const std::optional<ProcessEnd> end = process_.poll();
  ::kill(-group, SIGKILL);
  if (end) throw Lost(fmt::format("its process {}, and another one keeps its output open", end->text()));
  process_.kill_and_wait();
  throw Lost(fmt::format("it said nothing of use for {} seconds (--runtime-timeout)", timeout_));
}

void Connection::lose() {
  for (int i = 0; i < 40; ++i) {
    if (const auto end = process_.poll()) throw Lost(fmt::format("its process {}", end->text()));
    poll(nullptr, 0, 5);
  }
  process_.kill_and_wait();
  throw Lost("it closed its output");
}

namespace {

constexpr size_t kDeepest = 100;

[[noreturn]] void refuse_depth() { throw std::invalid_argument("it is nested too deep"); }

/// Copies of what is nested deeper would not find room on the stack.
void check_depth(std::string_view text) {
  size_t depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{')) {
      if (++depth > kDeepest) refuse_depth();
    } else if (!quoted && (c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
}

bool is_utf8(const std::string& text) {
  if (std::none_of(text.begin(), text.end(), [](char c) { return c < 0; })) return true;
  try {
    return !json(text).dump().empty();
  } catch (const json::type_error&) {
    return false;
  }
}

/// Reads CBOR for its depth, because the library's reader calls itself, and for its texts, which that takes as they
/// are.
class DepthOfCbor : public json::json_sax_t {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t& text) override { return check_text(text); }
  bool binary(binary_t&) override { throw std::invalid_argument("it has a byte string: texts are needed"); }
  bool key(string_t& text) override { return check_text(text); }
  bool start_object(size_t) override { return enter(); }
  bool start_array(size_t) override { return enter(); }
  bool end_object() override { return --depth_, true; }
  bool end_array() override { return --depth_, true; }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  static bool check_text(const std::string& text) {
    if (!is_utf8(text)) throw std::invalid_argument("it has a text that is no UTF-8");
    return true;
  }
  bool enter() {
    if (++depth_ > kDeepest) refuse_depth();
    return true;
  }
  size_t depth_ = 0;
};

}  // namespace

json Connection::receive() {
  std::string_view frame;
  while (!cut_frame(frame)) {
    if (closed_) lose();
    wait_for_input();
  }
  ++messages_;
  json message;
  if (framing_ == Framing::Lines) {
    if (frame.empty()) throw std::invalid_argument("it is an empty line");
    check_depth(frame);
    message = json::parse(frame, nullptr, false);
    if (message.is_discarded()) throw std::invalid_argument(fmt::format("it is no JSON: {}", excerpt(frame)));
  } else {
    DepthOfCbor depth;
    json::sax_parse(frame.begin(), frame.end(), &depth, json::input_format_t::cbor);
    message = json::from_cbor(frame.begin(), frame.end(), true, false);
    if (message.is_discarded()) throw std::invalid_argument("it is no CBOR");
  }
  if (!message.is_object()) throw std::invalid_argument(fmt::format("it is no object: {}", excerpt(frame)));
  return message;
}

}  // namespace plait::exogenous
