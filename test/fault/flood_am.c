/*
 * test: none
 * Active messages from all to all, among them to PE 1, which never polls; the PE of the first
 * argument is killed in the middle. ending.sh judges. Every PE leaves its process id in $NOTES.
 */
#include <shmem.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "am/am.h"
#include "job/job.h"

enum { ASK = 128, ANSWER };

static long data[1000];

static void answer(weft_token_t *t, void *p, size_t n, int32_t a) {
  (void)t, (void)p, (void)n, (void)a;
}

static void ask(weft_token_t *t, void *p, size_t n, int32_t a) {
  weft_am_reply(t, WEFT_AM_MEDIUM, ANSWER, p, n, 0, 0, NULL, 1, &a);
}

static void *die_soon(void *arg) {
  usleep(100000);
  raise(SIGKILL);
  return arg;
}

static void note(int me) {
  char name[512];
  snprintf(name, sizeof name, "%s/pid.%d", getenv("NOTES"), me);
  FILE *f = fopen(name, "w");
  if (!f) exit(50);
  fprintf(f, "%d\n", (int)getpid());
  fclose(f);
}

int main(int argc, char **argv) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes(), at = argc > 1 ? atoi(argv[1]) : 0;
  unsigned seed = (unsigned)me;
  pthread_t thread;
  note(me);
  if (weft_am_open() < 0) return 51;
  weft_am_register(ASK, (weft_am_handler_t)ask);
  weft_am_register(ANSWER, (weft_am_handler_t)answer);
  shmem_barrier_all();
  if (me == at) pthread_create(&thread, NULL, die_soon, NULL);
  while (me == 1) usleep(1000);
  for (;;) {
    const int to = rand_r(&seed) % npes, arg = (int)seed;
    const size_t n = rand_r(&seed) % 4 ? (size_t)rand_r(&seed) % 100 : sizeof data;
    weft_am_request(to, WEFT_AM_MEDIUM, ASK, data, n, 0, to == 1 ? WEFT_AM_IMMEDIATE : 0, NULL, 1,
                    &arg);
    shmem_long_p(&data[seed % 1000], 1, to);
    weft_am_poll();
  }
}
