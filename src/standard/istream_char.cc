// The parts of istream that libstdc++ specialises for char, and has in its shared library only.
#include <cxxabi.h>

#include <istream>
#include <limits>
#include <streambuf>
#include <string>

namespace std {
namespace {

using Traits = char_traits<char>;

bool is_end(Traits::int_type c) { return Traits::eq_int_type(c, Traits::eof()); }
bool is(Traits::int_type c, char wanted) { return Traits::eq_int_type(c, Traits::to_int_type(wanted)); }

/// What `extract` finds becomes the state of the stream; it throws nothing that the stream was not asked to throw.
template <class Extract>
void guarded(istream& in, bool keep_spaces, Extract extract) {
  ios_base::iostate state = ios_base::goodbit;
  istream::sentry ready(in, keep_spaces);
  if (ready) {
    try {
      state |= extract(*in.rdbuf());
    } catch (abi::__forced_unwind&) {
      in._M_setstate(ios_base::badbit);
      throw;
    } catch (...) {
      in._M_setstate(ios_base::badbit);
    }
  }
  if (state) in.setstate(state);
}

}  // namespace

template <>
istream& getline(istream& in, string& text, char delimiter) {
  guarded(in, true, [&](streambuf& buffer) -> ios_base::iostate {
    text.erase();
    size_t taken = 0;
    Traits::int_type c = buffer.sgetc();
    for (; taken < text.max_size() && !is_end(c) && !is(c, delimiter); c = buffer.snextc(), ++taken)
      text += Traits::to_char_type(c);
    if (is_end(c)) return taken ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit;
    if (!is(c, delimiter)) return ios_base::failbit;
    buffer.sbumpc();
    return ios_base::goodbit;
  });
  return in;
}

template <>
istream& operator>>(istream& in, string& text) {
  bool taken = false, ran = false;
  guarded(in, false, [&](streambuf& buffer) -> ios_base::iostate {
    ran = true;
    text.erase();
    const streamsize width = in.width();
    const size_t most = width > 0 ? static_cast<size_t>(width) : text.max_size();
    const ctype<char>& kinds = use_facet<ctype<char>>(in.getloc());
    Traits::int_type c = buffer.sgetc();
    for (; text.size() < most && !is_end(c) && !kinds.is(ctype_base::space, Traits::to_char_type(c));
         c = buffer.snextc())
      text += Traits::to_char_type(c);
    taken = !text.empty();
    in.width(0);
    return (text.size() < most && is_end(c) ? ios_base::eofbit : ios_base::goodbit) |
           (taken ? ios_base::goodbit : ios_base::failbit);
  });
  if (!ran) in.setstate(ios_base::failbit);
  return in;
}

void __istream_extract(istream& in, char* text, streamsize room) {
  guarded(in, false, [&](streambuf& buffer) -> ios_base::iostate {
    streamsize width = in.width();
    if (width <= 0 || width > room) width = room;
    const ctype<char>& kinds = use_facet<ctype<char>>(in.getloc());
    streamsize taken = 0;
    Traits::int_type c = buffer.sgetc();
    for (; taken < width - 1 && !is_end(c) && !kinds.is(ctype_base::space, Traits::to_char_type(c));
         c = buffer.snextc())
      text[taken++] = Traits::to_char_type(c);
    text[taken] = 0;
    in.width(0);
    return (taken < width - 1 && is_end(c) ? ios_base::eofbit : ios_base::goodbit) |
           (taken ? ios_base::goodbit : ios_base::failbit);
  });
}

template <>
istream& istream::getline(char* text, streamsize room, char delimiter) {
  _M_gcount = 0;
  streamsize length = 0;
  guarded(*this, true, [&](streambuf& buffer) -> ios_base::iostate {
    Traits::int_type c = buffer.sgetc();
    for (; length + 1 < room && !is_end(c) && !is(c, delimiter); c = buffer.snextc())
      text[length++] = Traits::to_char_type(c);
    _M_gcount = length;
    if (is_end(c)) return ios_base::eofbit;
    if (!is(c, delimiter)) return ios_base::failbit;
    ++_M_gcount;
    buffer.sbumpc();
    return ios_base::goodbit;
  });
  if (room > 0) text[length] = 0;
  if (!_M_gcount) setstate(ios_base::failbit);
  return *this;
}

namespace {

/// Takes characters until `last` says so, or there are none.
template <class Last>
ios_base::iostate skip(streambuf& buffer, streamsize most, streamsize& taken, Last last) {
  const bool endless = most == numeric_limits<streamsize>::max();
  while (endless || taken < most) {
    const Traits::int_type c = buffer.sbumpc();
    if (is_end(c)) return ios_base::eofbit;
    if (taken < numeric_limits<streamsize>::max()) ++taken;
    if (last(c)) break;
  }
  return ios_base::goodbit;
}

}  // namespace

template <>
istream& istream::ignore(streamsize most) {
  _M_gcount = 0;
  guarded(*this, true,
          [&](streambuf& buffer) { return skip(buffer, most, _M_gcount, [](Traits::int_type) { return false; }); });
  return *this;
}

template <>
istream& istream::ignore(streamsize most, int_type delimiter) {
  _M_gcount = 0;
  guarded(*this, true, [&](streambuf& buffer) {
    return skip(buffer, most, _M_gcount, [=](Traits::int_type c) { return Traits::eq_int_type(c, delimiter); });
  });
  return *this;
}

template <>
streamsize __copy_streambufs_eof(streambuf* from, streambuf* to, bool& end) {
  streamsize copied = 0;
  end = true;
  for (Traits::int_type c = from->sgetc(); !is_end(c); c = from->snextc()) {
    if (is_end(to->sputc(Traits::to_char_type(c)))) {
      end = false;
      break;
    }
    ++copied;
  }
  return copied;
}

}  // namespace std
