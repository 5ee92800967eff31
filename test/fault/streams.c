/*
 * test: none
 * A job of one PE whose output nobody reads for a while ("slow"), or one of whose threads holds a
 * stream for ever ("held", with all signals blocked). It ends by shmem_global_exit with the status
 * of its second argument. streams.sh judges.
 */
#include <shmem.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "streams.h"

int main(int argc, char **argv) {
  sigset_t all;
  if (argc < 3) return 2;
  sigfillset(&all);
  if (!strcmp(argv[1], "held")) {
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    streams_held();
  }
  shmem_init();
  streams_fill();
  shmem_global_exit(atoi(argv[2]));
}
