// Two halves of a Fourier transform.
// CHECK: verdict=safe
// MERGED
#include <cassert>
#include <cmath>
#include <complex>
#include <numbers>
#include <thread>
#include <vector>
using C = std::complex<double>;
int main() {
  std::vector<C> in{1, 2, 3, 4}, out(4);
  auto dft = [&](int from) {
    for (int k = from; k < from + 2; ++k)
      for (int n = 0; n < 4; ++n) out[k] += in[n] * std::polar(1.0, -2 * std::numbers::pi * k * n / 4);
  };
  std::thread a(dft, 0), b(dft, 2);
  a.join();
  b.join();
  assert(std::abs(out[0] - C(10)) < 1e-9);
  assert(std::abs(out[2] - C(-2)) < 1e-9);
}
