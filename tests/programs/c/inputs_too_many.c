// As many classes as the loop has turns: a limit ends it.
// CHECK: verdict=inconclusive
// OPTIONS: --max-paths 5
// INPUTS: explored
int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned n = (unsigned)__VERIFIER_nondet_int(), turns = 0;
  while (turns < n && turns < 1000) ++turns;
  return 0;
}
