/*
 * A PE that speaks the boot interface and nothing else; the scripts of test/boot and test/launch
 * start it. test: none
 *
 * peer exchange NAME NPES: exchanges of odd sizes. The way in must be NAME, the job of NPES.
 *
 * peer MODE DIR PE [STATUS]: all boot, then this PE behaves badly and the others wait for ever.
 * - wait: it waits, too.
 * - kill: it kills itself.
 * - abort: it aborts the job with STATUS.
 * - exit: it finalizes, and exits with STATUS.
 * - desert: it exits with 0, and does not finalize.
 * - miss: it exits with 0 before it boots.
 *
 * Every process of the second form leaves a file DIR/pid.N with its process id: N is the PE, or
 * "child" for a child of PE 0, which ignores SIGTERM. DIR/ready.N is there when PE N has booted;
 * DIR/keeper has the process id of PE 0's parent.
 */
#include "base/base.h"
#include "boot/boot.h"
#include "check.h"

#include <fcntl.h>
#include <stdint.h>

/* What PE `pe` gives at byte `at` of exchange number `round`. */
static unsigned char pattern(int round, int pe, size_t at) {
  return (unsigned char)(at * 7 + (size_t)pe * 31 + (size_t)round * 101);
}

static void exchange(weft_boot_t *boot, int round, size_t len) {
  unsigned char *mine = malloc(len + 1), *all = malloc((size_t)boot->npes * len + 1);
  for (size_t i = 0; i < len; i++) mine[i] = pattern(round, boot->pe, i);
  CHECK_EQ(boot->allgather(boot, mine, len, all), 0);
  for (int pe = 0; pe < boot->npes; pe++) {
    for (size_t i = 0; i < len; i++) CHECK_EQ(all[(size_t)pe * len + i], pattern(round, pe, i));
  }
  free(mine);
  free(all);
}

static int run_exchange(const char *name, int npes) {
  static const size_t lens[] = {1, 0, 5 * 1024, 447, 448, 0, 3};
  weft_boot_t *boot = NULL;
  CHECK_EQ(weft_options_read(), 0); /* WEFT_VERBOSE */
  CHECK_EQ(weft_boot_open(&boot), 0);
  CHECK_STR(boot->name, name);
  CHECK(strcmp(name, "alone") == 0 || getenv("WEFT_LAUNCHER_JOINED"));
  CHECK_EQ(boot->npes, npes);
  CHECK(boot->pe >= 0 && boot->pe < npes);
  for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) exchange(boot, (int)i, lens[i]);
  boot->finalize(boot);
  if (boot->pe == 0) printf("exchanged over %s: %d\n", boot->name, boot->npes);
  return 0;
}

/* Written beside and renamed, so that a reader never sees half of it. */
static void note(const char *dir, const char *name, int suffix, int value) {
  char path[512], tmp[520];
  if (suffix >= 0) {
    snprintf(path, sizeof(path), "%s/%s.%d", dir, name, suffix);
  } else {
    snprintf(path, sizeof(path), "%s/%s", dir, name);
  }
  snprintf(tmp, sizeof(tmp), "%s~", path);
  FILE *file = fopen(tmp, "w");
  CHECK(file != NULL);
  fprintf(file, "%d\n", value);
  fclose(file);
  CHECK_EQ(rename(tmp, path), 0);
}

static void wait_for_ever(void) {
  for (;;) pause();
}

static void misbehave(weft_boot_t *boot, const char *mode, int status) {
  if (strcmp(mode, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(mode, "abort") == 0) boot->abort(boot, status);
  if (strcmp(mode, "exit") == 0) {
    boot->finalize(boot);
    exit(status);
  }
  if (strcmp(mode, "desert") == 0) exit(0);
}

int main(int argc, char **argv) {
  weft_boot_t *boot = NULL;
  CHECK(argc >= 4);
  if (strcmp(argv[1], "exchange") == 0) return run_exchange(argv[2], atoi(argv[3]));

  const char *mode = argv[1], *dir = argv[2];
  const char *rank = getenv(getenv("PMI_RANK") ? "PMI_RANK" : "PMIX_RANK");
  int chosen = atoi(argv[3]), status = argc > 4 ? atoi(argv[4]) : 0, pe = rank ? atoi(rank) : 0;
  note(dir, "pid", pe, getpid());
  if (pe == 0) note(dir, "keeper", -1, getppid());
  if (pe == 0 && fork() == 0) {
    alarm(60);
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    note(dir, "pid.child", -1, getpid());
    wait_for_ever();
  }
  if (strcmp(mode, "miss") == 0 && pe == chosen) return 0;
  CHECK_EQ(weft_boot_open(&boot), 0);
  CHECK_EQ(boot->pe, pe);
  CHECK_EQ(boot->allgather(boot, NULL, 0, NULL), 0);
  note(dir, "ready", pe, getpid());
  /* Nobody misbehaves before all have left their notes. */
  char path[512];
  snprintf(path, sizeof(path), "%s/pid.child", dir);
  CHECK_WITHIN(50, access(path, F_OK) == 0);
  CHECK_EQ(boot->allgather(boot, NULL, 0, NULL), 0);
  if (pe == chosen) misbehave(boot, mode, status);
  wait_for_ever();
}
