// A lock server gives out leases: two clients write to a disk, and must not do so at the same time. A lease runs out
// when its holder is slow, and the server gives it to the next one. Each lease has a number, and the disk refuses
// numbers that are too old.
//
//   plait explore -- ./lock               correct
//   plait explore -- ./lock --no-fencing  the disk takes what comes
#include <plait_sim.h>

#include <deque>
#include <string>
#include <vector>

struct Message {
  enum Kind { Acquire, Lease, Release, Write, Done } kind;
  int lease = 0;
  std::string text() const {
    static const char* const texts[] = {"acquire", "lease ", "release ", "write with lease ", "done"};
    return texts[kind] + (kind == Acquire || kind == Done ? "" : std::to_string(lease));
  }
};

struct Server : plait::sim::Actor<Server, Message> {
  std::deque<std::string> waiting;
  bool is_held = false;
  int lease = 0;

  void receive(Context& context, const std::string& from, const Message& message) override {
    if (message.kind == Message::Acquire) waiting.push_back(from);
    if (message.kind == Message::Release && message.lease == lease) {
      is_held = false;
      context.cancel_timer("lease runs out");
    }
    give(context);
  }
  void timeout(Context& context, const std::string&) override {
    is_held = false;
    give(context);
  }
  void give(Context& context) {
    if (is_held || waiting.empty()) return;
    is_held = true;
    context.send(waiting.front(), {Message::Lease, ++lease});
    waiting.pop_front();
    context.set_timer("lease runs out");
  }
};

struct Client : plait::sim::Actor<Client, Message> {
  int lease = 0;
  void start(Context& context) override { context.send("server", {Message::Acquire}); }
  void receive(Context& context, const std::string&, const Message& message) override {
    if (message.kind == Message::Lease) {
      lease = message.lease;
      context.send("disk", {Message::Write, lease});
    } else {
      context.send("server", {Message::Release, lease});
    }
  }
};

struct Disk : plait::sim::Actor<Disk, Message> {
  bool fencing = true;
  std::vector<int> written;
  void receive(Context& context, const std::string& from, const Message& message) override {
    if (!fencing || written.empty() || written.back() <= message.lease) written.push_back(message.lease);
    context.send(from, {Message::Done});
  }
};

int main(int count, char** words) {
  plait::sim::World<Message> world("lock");
  Disk disk;
  for (const std::string& word : world.options(count, words, {"--no-fencing"})) disk.fencing &= word != "--no-fencing";
  world.add("server", Server());
  world.add("a", Client());
  world.add("b", Client());
  world.add("disk", disk);
  world.always("nobody writes with a lease that has run out", [](const plait::sim::States<Message>& states) {
    const std::vector<int>& written = states.get<Disk>("disk").written;
    return std::is_sorted(written.begin(), written.end());
  });
  return world.serve();
}
