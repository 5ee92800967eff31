/*
 * launch.c: `./a.out -n 4`, `./a.out -fupc-threads-4` (GUPC's way), and programs with static
 * THREADS started by name alone: where no launcher is they start themselves. Before the job is up.
 */
#include "upc/launch.h"

#include <limits.h>
#include <stdio.h>

#include "boot/boot.h"
#include "upc/internal.h"

/* A number from 1 on that ends the text, or 0. */
static int number_in(const char *text) {
  char *end;
  const long n = strtol(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end && n > 0 && n <= INT_MAX ? (int)n : 0;
}

/* The number of threads that the first arguments ask for, and the number of those arguments. */
static int read_options(int argc, char **argv, int *taken) {
  static const char gupc[] = "-fupc-threads";
  const size_t length = sizeof gupc - 1;
  const char *first = argc > 1 ? argv[1] : "";
  *taken = 0;
  if (strncmp(first, gupc, length) == 0 && (first[length] == '-' || first[length] == '=')) {
    *taken = 1;
    return number_in(first + length + 1);
  }
  if (strcmp(first, "-n") == 0 && argc > 2) {
    *taken = 2;
    return number_in(argv[2]);
  }
  return 0;
}

/* upcrun was not told how many threads there should be, or what the program is. */
static void answer(int threads, int wanted) {
  const char *asks = getenv("WEFT_LAUNCHER_ASKS");
  if (!asks || weft_boot_is_launched()) return;
  unsetenv("WEFT_LAUNCHER_ASKS");
  if (strcmp(asks, "info") == 0) {
    if (threads)
      printf("static THREADS: %d\n", threads);
    else
      printf("dynamic THREADS\n");
    printf("pointers-to-shared: %u bits of thread, %u of phase, %u of offset\n",
           64 - weft_upc_widths.thread_shift,
           weft_upc_widths.thread_shift - weft_upc_widths.phase_shift, weft_upc_widths.phase_shift);
    exit(0);
  }
  if (wanted == 0) {
    fprintf(stderr, "upcrun: how many threads? (-n N)\n");
    exit(2);
  }
}

void weft_upc_launch(int *argc, char ***argv, int threads) {
  static char *none[] = {NULL};
  const int n = argc && argv ? *argc : 0;
  char **arguments = argc && argv ? *argv : none;
  int taken;
  const int asked = read_options(n, arguments, &taken);
  const int wanted = asked ? asked : threads;
  answer(threads, wanted);
  if (wanted > 1 && !weft_job.started && !weft_boot_is_launched()) {
    char count[16];
    snprintf(count, sizeof count, "%d", wanted);
    const char *options[] = {"-n", count, NULL};
    const int before = 1 + taken;
    weft_boot_become("upcrun", options, n > before ? n - before : 0, arguments + before);
  }
  /* GUPC's is no option of the program in any case; a -n may be. */
  if (taken == 1) {
    memmove(arguments + 1, arguments + 2, (size_t)(n - 1) * sizeof *arguments);
    --*argc;
  }
}
