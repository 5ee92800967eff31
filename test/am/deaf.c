/*
 * Much is sent to a PE that never polls: puts, atomics, large blocks, active messages. All of it
 * arrives, messages for which there is no room are refused or wait, and neither process grows; not
 * even while the target is stopped, so that its port takes nothing.
 */
#include <shmem.h>

#include <pthread.h>
#include <signal.h>

#include "am/am.h"
#include "check.h"
#include "fabric/board.h"
#include "job/job.h"

enum { MANY = 60000, WORDS = 1000, BIG = 1 << 20, COUNT = 128, COUNT_BLOCK, GROWTH_KB = 24 << 10 };

static long adds, word[WORDS], block[BIG / 8], source[BIG / 8];
static int pid;
static long counted, started, most_kb;

/* Memory of this process's own, without the window, in KB. */
static long own_kb(void) {
  char line[256];
  long kb = -1;
  FILE *f = fopen("/proc/self/status", "r");
  CHECK(f != NULL);
  while (kb < 0 && fgets(line, sizeof line, f)) sscanf(line, "RssAnon: %ld", &kb);
  fclose(f);
  return kb;
}

static void *watch(void *done) {
  const long before = own_kb();
  while (!plain(done)) {
    const long grown = own_kb() - before;
    if (grown > most_kb) most_kb = grown;
    usleep(1000);
  }
  return NULL;
}

static void count(weft_token_t *t, int32_t a) {
  (void)t;
  counted += a;
}

static int many(void) { /* alone, every operation is a message */
  return weft_options.coalesce ? MANY : MANY / 6;
}

/* With a payload. */
static void count_block(weft_token_t *t, void *p, size_t n, int32_t a) {
  (void)t;
  if (memcmp(p, source, n) == 0) counted += a;
}

static void send_all(int to) {
  for (int i = 0; i < many(); i++) {
    shmem_long_p(&word[i % WORDS], i, to);
    shmem_long_atomic_add(&adds, 1, to);
    if (i % 1000 == 0) shmem_putmem_nbi(block, source, BIG, to);
    if (i % 10 == 0) shmem_putmem_nbi(block, source, 1000, to);
  }
  shmem_quiet();
  for (int i = 0; i < WORDS; i++) CHECK_EQ(shmem_long_g(&word[i], to), many() - WORDS + i);
}

/* Messages until there is no room for more; how many. */
static long send_messages(int to) {
  long sent = 0;
  for (int refused = 0; refused < 2000 && sent < MANY;) {
    const bool block = sent % 2;
    if (weft_am_request(to, block ? WEFT_AM_MEDIUM : WEFT_AM_SHORT, block ? COUNT_BLOCK : COUNT,
                        source, block ? (size_t)(sent % 2000) : 0, 0, WEFT_AM_IMMEDIATE, NULL, 1,
                        (int32_t[]){1}) == 0)
      sent++;
    else
      refused++;
  }
  return sent;
}

static void *revive(void *arg) {
  while (!plain(&started)) usleep(1000);
  usleep(400000);
  CHECK_EQ(kill(*(int *)arg, SIGCONT), 0);
  return NULL;
}

static void be_sender(board_t *board, int to) {
  pthread_t watcher, reviver;
  int target = shmem_int_g(&pid, to);
  long done = 0;
  CHECK_EQ(pthread_create(&watcher, NULL, watch, &done), 0);
  send_all(to);
  const long sent = send_messages(to);
  CHECK(sent > 0 && sent < MANY);
  CHECK_EQ(pthread_create(&reviver, NULL, revive, &target), 0);
  weft_check_stop_process(target);
  board_raise(&started, 1);
  send_all(to);
  pthread_join(reviver, NULL);
  CHECK_EQ(shmem_long_g(&adds, to), 2 * many());
  board_raise(&done, 1);
  pthread_join(watcher, NULL);
  board_raise(&board->answer, sent);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), to = shmem_n_pes() - 1;
  board_t *board = board_open();
  CHECK_EQ(weft_am_open(), 0);
  weft_am_register(COUNT, (weft_am_handler_t)count);
  weft_am_register(COUNT_BLOCK, (weft_am_handler_t)count_block);
  for (int i = 0; i < BIG / 8; i++) source[i] = i;
  pid = getpid();
  shmem_barrier_all();
  if (me == 0) be_sender(board, to);
  if (me != 0) watch(&board->answer); /* calls nothing of Weft's */
  if (me == to) {
    CHECK_EQ(memcmp(block, source, BIG), 0);
    WEFT_WAIT_ON(NULL, counted >= board->answer);
    CHECK_EQ(counted, board->answer);
  }
  CHECK(most_kb < GROWTH_KB);
  shmem_barrier_all();
  weft_am_close();
  shmem_finalize();
  return 0;
}
