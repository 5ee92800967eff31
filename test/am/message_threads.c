// Several threads of each PE send short messages by the inlined path, and longer ones, to
// everybody, while all of them poll: handlers run in any thread, each message once.

#include <pthread.h>
#include <shmem.h>

#include "am/am.h"
#include "check.h"
#include "job/job.h"
#include "weft/am.h"

enum { THREADS = 3, ROUNDS = 600, ADD = 128, ADD_MANY, DONE };

static long sum, done, sent_here;
static int me, npes;

static void add(weft_token_t *t, int32_t a, int32_t b) {
  CHECK(a == -b && t->is_request);
  __atomic_fetch_add(&sum, a, __ATOMIC_RELAXED);
  if (a % 4 == 0) CHECK(weft_am_reply(t, WEFT_AM_SHORT, DONE, NULL, 0, 0, 0, NULL, 0, NULL) == 0);
}
static void add_many(weft_token_t *t, void *p, size_t n, int32_t a) {
  (void)t;
  for (size_t i = 0; i < n; i++) CHECK(((unsigned char *)p)[i] == (unsigned char)a);
  __atomic_fetch_add(&sum, a, __ATOMIC_RELAXED);
}
static void answer(weft_token_t *t) {
  CHECK(!t->is_request);
  __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
}

static void send_short(int pe, int a) {
  weft_ring_t *ring;
  uintptr_t next;
  weft_cell_t *cell = weft_am_reserve(weft_am_direct.requests, pe, 1, &ring, &next);
  if (!cell) {
    CHECK(weft_am_request_short2(NULL, pe, ADD, 0, a, -a) == 0);
    return;
  }
  cell->args[0] = a;
  cell->args[1] = -a;
  weft_am_publish(cell, ADD, 2, ring, next);
}

static void *work(void *arg) {
  const int id = (int)(long)arg;
  unsigned char data[500];
  long answers = 0;
  for (int i = 0; i < ROUNDS; i++) {
    const int pe = (me + i + id) % npes, a = i + id;
    if (i % 5) {
      send_short(pe, a);
      answers += a % 4 == 0;
    } else {
      memset(data, a, sizeof data);
      CHECK(weft_am_request(pe, WEFT_AM_MEDIUM, ADD_MANY, data, (size_t)i % sizeof data, 0, 0, NULL,
                            1, &(int32_t){a}) == 0);
    }
    if (i % 7 == 0) weft_am_poll();
  }
  __atomic_fetch_add(&sent_here, answers, __ATOMIC_RELAXED);
  return NULL;
}

int main(void) {
  static long total, want;
  pthread_t thread[THREADS];
  int level;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
  me = shmem_my_pe();
  npes = shmem_n_pes();
  CHECK(weft_am_open() == 0);
  weft_am_register(ADD, (weft_am_handler_t)add);
  weft_am_register(ADD_MANY, (weft_am_handler_t)add_many);
  weft_am_register(DONE, (weft_am_handler_t)answer);
  for (int id = 0; id < THREADS; id++)
    for (int i = 0; i < ROUNDS; i++) want += (i + id) * (long)npes;
  shmem_barrier_all();
  for (long id = 1; id < THREADS; id++)
    CHECK(pthread_create(&thread[id], NULL, work, (void *)id) == 0);
  work((void *)0);
  for (int id = 1; id < THREADS; id++) pthread_join(thread[id], NULL);
  // All of mine are answered, and what others sent has arrived when everybody's sums say so.
  WEFT_WAIT_ON(NULL, weft_peek(&done) >= sent_here);
  for (weft_wait_t wait = {0}; shmem_long_atomic_fetch(&total, 0) < want;) {
    const long part = __atomic_exchange_n(&sum, 0, __ATOMIC_RELAXED);
    if (part) shmem_long_atomic_add(&total, part, 0);
    shmem_quiet();
    weft_wait_step(&wait);
  }
  shmem_barrier_all();
  CHECK(shmem_long_atomic_fetch(&total, 0) == want && done == sent_here);
  weft_am_close();
  shmem_finalize();
  return 0;
}
