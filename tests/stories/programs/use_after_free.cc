// The session is closed while a request still uses it.
// fix: hold a shared_ptr in handle(), or join before close().
// says: freed by main: close_session() at
// says: used by T1: handle(Session*) at
// says: write Session.requests = 1
#include <thread>

struct Session {
  int id = 1;
  int requests = 0;
};

Session* current = nullptr;

void handle(Session* session) { session->requests = 1; }

void close_session() {
  delete current;
  current = nullptr;
}

int main() {
  current = new Session;
  std::thread worker(handle, current);
  close_session();
  worker.join();
}
