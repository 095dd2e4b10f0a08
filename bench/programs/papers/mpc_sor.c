// sor of MPC's Table 3 (paper 003; ConCREST), 5x5 cells, two threads, two half sweeps: benchmarks 4.8.
#include "start.h"

enum { kSize = 5 };
static shared_int cells[kSize][kSize], sync_count[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* sweep(void* number) {
  const int me = (int)(long)number;
  const int first = me == 0 ? 1 : 3, last = me == 0 ? 2 : 3;
  for (int half = 0; half < 2; ++half) {
    for (int row = first; row <= last; ++row)
      for (int column = 1 + (row + half) % 2; column < kSize - 1; column += 2) {
        pthread_mutex_lock(&m);
        cells[row][column] =
            (cells[row - 1][column] + cells[row + 1][column] + cells[row][column - 1] + cells[row][column + 1]) / 4;
        pthread_mutex_unlock(&m);
      }
    sync_count[me] = sync_count[me] + 1;
    if (me > 0 && sync_count[me - 1] < sync_count[me]) property(!"the other one is behind");
  }
  return NULL;
}

int main(void) {
  for (int n = 0; n < kSize; ++n) cells[0][n] = cells[kSize - 1][n] = cells[n][0] = cells[n][kSize - 1] = 16;
  void* (*const routines[])(void*) = {sweep, sweep};
  run_threads(routines, 2, NULL);
  if (cells[1][1] != cells[3][1]) property(!"not symmetric");
  return 0;
}
