// A divisor that can be zero, for one value.
// CHECK: verdict=bug kind=crash line=@fails
// CHECK-FIXED: verdict=safe
// INPUTS: explored
int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
#ifdef FIXED
  return 12 / ((x & 3) + 1);
#else
  return 12 / (x - 4711);  // @fails
#endif
}
