// Everybody floods everybody with requests, each answered by a reply, while one PE sleeps at first:
// nobody deadlocks, nothing is lost, doubled or torn. IMMEDIATE sends never wait: to a PE that does
// not poll they are refused after a bounded number, and those accepted arrive.

#include <shmem.h>
#include <stdlib.h>
#include <unistd.h>

#include "am/am.h"
#include "check.h"
#include "job/job.h"

enum { ASK = 128, ANSWER, COUNT, ROUNDS = 1500, TRIES = 200000, DEEP = 200 };

static long asked, answered, counted;
static unsigned char data[8192];

static void answer(weft_token_t *t, void *p, size_t n, int32_t a, int32_t b) {
  CHECK(a == ~b && !t->is_request);
  for (size_t i = 0; i < n; i++) CHECK(((unsigned char *)p)[i] == (unsigned char)(a + (int)i));
  answered++;
}
static void ask(weft_token_t *t, void *p, size_t n, int32_t a, int32_t b) {
  unsigned char back[DEEP];
  CHECK(a == ~b && t->is_request);
  for (size_t i = 0; i < n; i++) CHECK(((unsigned char *)p)[i] == (unsigned char)(a + (int)i));
  for (int i = 0; i < DEEP; i++) back[i] = (unsigned char)(a + i);
  asked++;
  CHECK(weft_am_reply(t, WEFT_AM_MEDIUM, ANSWER, back, (size_t)a % DEEP, 0, 0, NULL, 2,
                      (int32_t[]){a, b}) == 0);
}
static void count(weft_token_t *t, int32_t a) {
  (void)t;
  counted += a;
}

static void flood(int me, int npes) {
  unsigned seed = 7u + (unsigned)me;
  long sent = 0;
  if (me == npes - 1) usleep(200000); // everything for it has to wait somewhere
  for (int i = 0; i < ROUNDS; i++) {
    const int pe = (int)((unsigned)rand_r(&seed) % (unsigned)npes), a = rand_r(&seed) % 100000;
    const size_t limit = i % 50 ? 100 : weft_am_max_medium(-1);
    const size_t n = (unsigned)rand_r(&seed) % ((limit < sizeof data ? limit : sizeof data) + 1);
    for (size_t k = 0; k < n; k++) data[k] = (unsigned char)(a + (int)k);
    const unsigned flags = i % 3 ? 0 : WEFT_AM_IMMEDIATE;
    WEFT_WAIT_ON(NULL, weft_am_request(pe, WEFT_AM_MEDIUM, ASK, data, n, 0, flags, NULL, 2,
                                       (int32_t[]){a, ~a}) == 0);
    sent++;
  }
  WEFT_WAIT_ON(NULL, answered >= sent);
}

// PE 0 sends to the last one, which does not poll, without ever waiting.
static void refuse(int me, int npes, long *accepted, long *told) {
  if (me == 0) {
    long refused = 0;
    for (int i = 0; i < TRIES && refused < 1000; i++) {
      if (weft_am_request(npes - 1, WEFT_AM_SHORT, COUNT, NULL, 0, 0, WEFT_AM_IMMEDIATE, NULL, 1,
                          (int32_t[]){1}) == 0)
        ++*accepted;
      else
        refused++;
    }
    CHECK(refused == 1000 && *accepted > 0); // bounded
    shmem_long_p(told, *accepted, npes - 1);
  }
  if (me == npes - 1) {
    while (shmem_long_atomic_fetch(told, me) == 0) usleep(1000); // runs no handlers
    WEFT_WAIT_ON(NULL, counted >= *told);
    usleep(20000);
    weft_am_poll();
    CHECK(counted == *told);
  }
  shmem_barrier_all();
}

int main(void) {
  static long accepted, told, total;
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  CHECK(weft_am_open() == 0);
  weft_am_register(ASK, (weft_am_handler_t)ask);
  weft_am_register(ANSWER, (weft_am_handler_t)answer);
  weft_am_register(COUNT, (weft_am_handler_t)count);
  shmem_barrier_all();
  flood(me, npes);
  shmem_long_atomic_add(&total, asked, 0); // so far: others may still ask
  shmem_barrier_all();
  if (npes > 1) refuse(me, npes, &accepted, &told);
  shmem_long_atomic_add(&total, 0, 0);
  shmem_barrier_all();
  CHECK(answered == ROUNDS);
  weft_am_close();
  shmem_finalize();
  return 0;
}
