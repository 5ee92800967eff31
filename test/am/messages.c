// Active messages of every category, number of arguments and size class, from every PE to every PE,
// oneself included, each answered by a reply of the same kind.

#include <shmem.h>
#include <stdlib.h>

#include "am/am.h"
#include "check.h"
#include "job/job.h"

enum { ROOM = 80 * 1024, ECHO = 128, BACK = 145 };

static unsigned char *landing; // ROOM bytes for each PE that may send a LONG, twice: replies too
static int me, npes, replies;
static size_t sizes[] = {0, 1, 7, 40, 41, 64, 200, 300, 4096, 5000, 8000, 65536, 70000};

static unsigned char pattern(int from, size_t n, size_t i) {
  return (unsigned char)((size_t)from * 31 + n * 7 + i * 13 + i / 256);
}
static void fill(unsigned char *p, int from, size_t n) {
  for (size_t i = 0; i < n; i++) p[i] = pattern(from, n, i);
}
static unsigned char *place(int owner, int sender, bool reply) {
  (void)owner; // weftrun makes addresses equal
  return landing + ((size_t)sender * 2 + reply) * ROOM;
}

static void arrived(weft_token_t *t, const void *p, size_t n, const int32_t *a) {
  for (int i = 0; i < t->nargs; i++) CHECK(a[i] == (int)t->from * 100 + i);
  for (size_t i = 0; i < n; i++)
    CHECK(((const unsigned char *)p)[i] == pattern((int)t->from, n, i));
  if (t->category == WEFT_AM_MEDIUM) CHECK((uintptr_t)p % 8 == 0);
  if (t->category == WEFT_AM_LONG) CHECK(p == place(me, (int)t->from, !t->is_request));
  if (!t->is_request) {
    replies++;
    return;
  }
  int32_t args[WEFT_AM_ARGS_MAX];
  unsigned char *data = malloc(n + 1);
  for (int i = 0; i < t->nargs; i++) args[i] = me * 100 + i;
  fill(data, me, n);
  CHECK(weft_am_reply(t, t->category, BACK + t->nargs, data, n,
                      (uintptr_t)place((int)t->from, me, true), 0, NULL, t->nargs, args) == 0);
  free(data);
}

// One handler per number of arguments, short and with payload.
#define HANDLER(n, params, ...)                                                                    \
  static void s##n(weft_token_t *t params) {                                                       \
    arrived(t, NULL, 0, (int32_t[]){0, ##__VA_ARGS__} + 1);                                        \
  }                                                                                                \
  static void p##n(weft_token_t *t, void *p, size_t size params) {                                 \
    arrived(t, p, size, (int32_t[]){0, ##__VA_ARGS__} + 1);                                        \
  }
#define P(...) , ##__VA_ARGS__
HANDLER(0, )
HANDLER(1, P(int a), a)
HANDLER(2, P(int a, int b), a, b)
HANDLER(5, P(int a, int b, int c, int d, int e), a, b, c, d, e)
HANDLER(13,
        P(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l,
          int m),
        a, b, c, d, e, f, g, h, i, j, k, l, m)
HANDLER(16,
        P(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m,
          int n, int o, int q),
        a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, q)

static void use(int category) {
#define USE(n)                                                                                     \
  weft_am_register(ECHO + n, (weft_am_handler_t)(category ? (weft_am_handler_t)p##n                \
                                                          : (weft_am_handler_t)s##n));             \
  weft_am_register(BACK + n, (weft_am_handler_t)(category ? (weft_am_handler_t)p##n                \
                                                          : (weft_am_handler_t)s##n));
  USE(0) USE(1) USE(2) USE(5) USE(13) USE(16)
}

static void exchange(int category, size_t n) {
  static const int arities[] = {0, 1, 2, 5, 13, 16};
  unsigned char *data = malloc(n + 1);
  int sent = 0;
  fill(data, me, n);
  replies = 0;
  for (int pe = 0; pe < npes; pe++) {
    if (category == WEFT_AM_MEDIUM && n > weft_am_max_medium(pe)) continue;
    for (int i = 0; i < 6; i++) {
      int32_t args[WEFT_AM_ARGS_MAX];
      for (int k = 0; k < arities[i]; k++) args[k] = me * 100 + k;
      CHECK(weft_am_request(pe, (enum weft_am_category)category, ECHO + arities[i], data, n,
                            (uintptr_t)place(pe, me, false), 0, NULL, arities[i], args) == 0);
      // The landing place is one: the next LONG waits for the reply.
      sent++;
      if (category == WEFT_AM_LONG) WEFT_WAIT_ON(NULL, replies >= sent);
    }
  }
  WEFT_WAIT_ON(NULL, replies >= sent);
  shmem_barrier_all();
  CHECK(replies == sent);
  free(data);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  npes = shmem_n_pes();
  landing = shmem_malloc((size_t)npes * 2 * ROOM);
  CHECK(weft_am_open() == 0);
  for (int category = WEFT_AM_SHORT; category <= WEFT_AM_LONG; category++) {
    use(category);
    shmem_barrier_all();
    if (category == WEFT_AM_SHORT) exchange(category, 0);
    for (unsigned i = 0; category && i < sizeof sizes / sizeof *sizes; i++)
      exchange(category, sizes[i]);
    shmem_barrier_all();
  }
  // Again as with a provider that lets messages overtake writes.
  weft_job.fabric.ordered_writes = false;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) exchange(WEFT_AM_LONG, sizes[i]);
  weft_am_close();
  shmem_finalize();
  return 0;
}
