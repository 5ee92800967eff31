// PAR: a thread's destructors (pthread_key_create) may put, get and wait, whether they run before
// or behind the library's own.
#define GASNET_PAR
#define ROOM 8192
#include <gasnet.h>
#include <pthread.h>

#include "gasnet/rma_frame.h"

enum { KEYS = 3, ROUNDS = 20 };
static pthread_key_t keys[KEYS];
static unsigned called;

static void use(unsigned number, unsigned which) {
  const unsigned pe = (me + 1) % npes;
  unsigned char *dest = there(pe) + which * 1024;
  uint64_t words[4] = {number, number + 1, number + 2, number + 3}, got[4] = {0};
  for (int i = 0; i < 4; i++) gex_RMA_PutNBIVal(tm, pe, dest + i * 8, words[i], 8, 0);
  gex_RMA_PutNBI(tm, pe, dest + 64, words, sizeof words, GEX_EVENT_NOW, 0);
  gex_NBI_Wait(GEX_EC_PUT, 0);
  gex_RMA_GetNBI(tm, got, pe, dest + 64, sizeof got, 0);
  gex_NBI_Wait(GEX_EC_GET, 0);
  CHECK(memcmp(got, words, sizeof got) == 0);
  gex_RMA_GetBlocking(tm, got, pe, dest, sizeof got, 0);
  CHECK(memcmp(got, words, sizeof got) == 0);
}

// A key's; the last one's comes twice, and so once more behind all others.
static void destroy(void *value) {
  const unsigned which = (unsigned)(uintptr_t)value % 8;
  use((unsigned)(uintptr_t)value, which);
  called++;
  if (which == KEYS - 1) pthread_setspecific(keys[1], (void *)((uintptr_t)value + 5));
}

static void *work(void *round) {
  const uintptr_t number = (uintptr_t)round * 8;
  use((unsigned)number, 0);
  for (uintptr_t k = 0; k < KEYS; k++) pthread_setspecific(keys[k], (void *)(number + k));
  gex_RMA_PutNBIVal(tm, (me + 1) % npes, there((me + 1) % npes) + 3000, 1, 8, 0); // not waited for
  return NULL;
}

int main(int argc, char **argv) {
  start(argc, argv);
  CHECK_EQ(pthread_key_create(&keys[0], destroy), 0); // the library's comes behind it
  gex_RMA_PutNBIVal(tm, me, there(me), 0, 8, 0);
  use(1, 0);
  for (int k = 1; k < KEYS; k++) CHECK_EQ(pthread_key_create(&keys[k], destroy), 0);
  for (uintptr_t round = 1; round <= ROUNDS; round++) {
    pthread_t thread;
    called = 0;
    CHECK_EQ(pthread_create(&thread, NULL, work, (void *)round), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    CHECK_EQ(called, KEYS + 1);
  }
  finish();
}
