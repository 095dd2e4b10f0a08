// What a runner that forks for each execution would cost at its best. Loaded with LD_PRELOAD into a program that is
// started on its own: before main it forks PLAIT_FORKS children, one after the other; each goes on to main and runs the
// program once.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((constructor)) static void serve(void) {
  const char* text = getenv("PLAIT_FORKS");
  for (int left = text ? atoi(text) : 0; left > 0; --left) {
    const pid_t child = fork();
    if (child == 0) return;
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) _exit(1);
  }
  _exit(0);
}
