/*
 * test: none
 * A job of one PE whose output nobody reads for a while ("slow"), or one of whose threads holds a
 * stream for ever ("held", with all signals blocked). It ends by shmem_global_exit with the status
 * of its second argument. streams.sh judges.
 */
#include <shmem.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 3000 };

static char room[1 << 20];

static void *hold(void *arg) {
  getchar();
  return arg;
}

int main(int argc, char **argv) {
  pthread_t thread;
  sigset_t all;
  if (argc < 3) return 2;
  sigfillset(&all);
  if (!strcmp(argv[1], "held")) {
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_create(&thread, NULL, hold, NULL);
    usleep(100000);
  }
  shmem_init();
  setvbuf(stdout, room, _IOFBF, sizeof room); /* nothing is written before the end */
  for (int i = 0; i < LINES; i++) printf("%031d\n", i);
  shmem_global_exit(atoi(argv[2]));
}
