// Two threads push into one vector.
// fix: a mutex around log.push_back.
// says: push_back on journal.log
// says: (behind its end)
// says: is interrupted here
#include <string>
#include <thread>
#include <vector>

struct Journal {
  int version = 1;
  std::vector<int> log;
};

Journal journal;

void note(int entry) { journal.log.push_back(entry); }

int main() {
  std::thread first(note, 1), second(note, 2);
  first.join();
  second.join();
}
