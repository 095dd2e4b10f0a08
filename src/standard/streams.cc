// Streams of char: the templates that libstdc++ instantiates in its shared library, once more, instrumented.
#include <iomanip>
#include <istream>
#include <locale>
#include <memory>
#include <ostream>
#include <sstream>

namespace std {

/// How a locale writes numbers. libstdc++ keeps that in the locale; the first thread that asks puts it there, without a
/// lock that others would see, and calls the program's own facets meanwhile. Then what a thread does would depend on
/// who came first. So each use makes its own, if the locale did not come with it. A few uses may be under way in a
/// thread at once, where a stream's buffer uses streams.
template <>
struct __use_cache<__numpunct_cache<char>> {
  const __numpunct_cache<char>* operator()(const locale& of) const {
    const locale::facet* kept = of._M_impl->_M_caches[numpunct<char>::id._M_id()];
    if (kept) return static_cast<const __numpunct_cache<char>*>(kept);
    constexpr unsigned kUses = 8;
    static thread_local unique_ptr<__numpunct_cache<char>> made[kUses];
    static thread_local unsigned next = 0;
    auto& own = made[next++ % kUses];
    own = make_unique<__numpunct_cache<char>>();
    own->_M_cache(of);
    return own.get();
  }
};

template class basic_streambuf<char>;
template streamsize __copy_streambufs(basic_streambuf<char>*, basic_streambuf<char>*);
template class basic_ios<char>;

template class basic_ostream<char>;
template ostream& endl(ostream&);
template ostream& ends(ostream&);
template ostream& flush(ostream&);
template ostream& operator<<(ostream&, char);
template ostream& operator<<(ostream&, unsigned char);
template ostream& operator<<(ostream&, signed char);
template ostream& operator<<(ostream&, const char*);
template ostream& operator<<(ostream&, const unsigned char*);
template ostream& operator<<(ostream&, const signed char*);
template ostream& operator<<(ostream&, const string&);
template ostream& operator<<(ostream&, _Setfill<char>);
template ostream& operator<<(ostream&, _Setiosflags);
template ostream& operator<<(ostream&, _Resetiosflags);
template ostream& operator<<(ostream&, _Setbase);
template ostream& operator<<(ostream&, _Setprecision);
template ostream& operator<<(ostream&, _Setw);
template ostream& __ostream_insert(ostream&, const char*, streamsize);
template ostream& ostream::_M_insert(long);
template ostream& ostream::_M_insert(unsigned long);
template ostream& ostream::_M_insert(bool);
template ostream& ostream::_M_insert(long long);
template ostream& ostream::_M_insert(unsigned long long);
template ostream& ostream::_M_insert(double);
template ostream& ostream::_M_insert(long double);
template ostream& ostream::_M_insert(const void*);

template class basic_istream<char>;
template istream& ws(istream&);
template istream& operator>>(istream&, char&);
template istream& operator>>(istream&, unsigned char&);
template istream& operator>>(istream&, signed char&);
template istream& operator>>(istream&, _Setfill<char>);
template istream& operator>>(istream&, _Setiosflags);
template istream& operator>>(istream&, _Resetiosflags);
template istream& operator>>(istream&, _Setbase);
template istream& operator>>(istream&, _Setprecision);
template istream& operator>>(istream&, _Setw);
template istream& getline(istream&, string&);
template istream& istream::_M_extract(unsigned short&);
template istream& istream::_M_extract(unsigned int&);
template istream& istream::_M_extract(long&);
template istream& istream::_M_extract(unsigned long&);
template istream& istream::_M_extract(bool&);
template istream& istream::_M_extract(long long&);
template istream& istream::_M_extract(unsigned long long&);
template istream& istream::_M_extract(float&);
template istream& istream::_M_extract(double&);
template istream& istream::_M_extract(long double&);
template istream& istream::_M_extract(void*&);
template class basic_iostream<char>;

template class basic_stringbuf<char>;
template class basic_istringstream<char>;
template class basic_ostringstream<char>;
template class basic_stringstream<char>;

// Facets of the library's own locales have these tables of virtual functions, too.
template struct __numpunct_cache<char>;
template class num_get<char>;
template class num_put<char>;

}  // namespace std
