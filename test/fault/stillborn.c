/*
 * test: none
 * A PE (the first argument) dies while the job starts, where others need it once more
 * (WEFT_ON_DEATH=continue): before the first exchange, before the second, when it maps the window
 * or when collectives begin, as the second argument says. stillborn.sh judges.
 */
#include <shmem.h>

#include <signal.h>
#include <stdlib.h>

#include "coll/coll_internal.h"

static int victim;
static char where;

static void may_die(int pe, char here) {
  if (pe == victim && here == where) raise(SIGKILL);
}

void __real_weft_boot_know_peers(int *pids, int n);
void __wrap_weft_boot_know_peers(int *pids, int n);
int __real_weft_window_map(void *w, int fd, const void *image, const void *layout, int slot, int n);
int __wrap_weft_window_map(void *w, int fd, const void *image, const void *layout, int slot, int n);
void __real_weft_boxes_start(void);
void __wrap_weft_boxes_start(void);

void __wrap_weft_boot_know_peers(int *pids, int n) {
  may_die(weft_job.pe, 's');
  __real_weft_boot_know_peers(pids, n);
}

int __wrap_weft_window_map(void *w, int fd, const void *image, const void *layout, int slot,
                           int n) {
  may_die(weft_job.pe, 'w');
  return __real_weft_window_map(w, fd, image, layout, slot, n);
}

void __wrap_weft_boxes_start(void) {
  may_die(weft_job.pe, 'c');
  __real_weft_boxes_start();
}

int main(int argc, char **argv) {
  if (argc < 3 || !getenv("PMI_RANK")) return 2;
  victim = atoi(argv[1]);
  where = *argv[2];
  may_die(atoi(getenv("PMI_RANK")), 'f');
  shmem_init();
  shmem_finalize();
  return 0;
}
