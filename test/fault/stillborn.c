/*
 * test: none
 * A PE (the first argument) dies while the job starts, where others need it once more
 * (WEFT_ON_DEATH=continue). stillborn.sh judges.
 */
#include <shmem.h>

#include <signal.h>
#include <stdlib.h>

#include "coll/coll_internal.h"

void __real_weft_boxes_start(void);
void __wrap_weft_boxes_start(void);

static int victim;

void __wrap_weft_boxes_start(void) {
  if (weft_job.pe == victim) raise(SIGKILL);
  __real_weft_boxes_start();
}

int main(int argc, char **argv) {
  victim = argc > 1 ? atoi(argv[1]) : -1;
  shmem_init();
  shmem_finalize();
  return 0;
}
