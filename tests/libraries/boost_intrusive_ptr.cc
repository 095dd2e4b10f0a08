// boost::intrusive_ptr with boost's thread-safe counter: two owners let go at the same time; the object ends once.
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <cassert>
#include <thread>

int ended = 0;
struct Document : boost::intrusive_ref_counter<Document> {
  int pages = 3;
  ~Document() { ++ended; }
};

int main() {
  boost::intrusive_ptr<Document> mine(new Document);
  int alone = 0;
  std::thread reader([copy = mine, &alone]() mutable {
    assert(copy->pages == 3);
    alone = copy->use_count() == 1;
    copy.reset();
  });
  mine.reset();
  reader.join();
  assert(ended == 1);
#ifdef WRONG  // holds in some schedules only
  assert(alone);
#endif
}
