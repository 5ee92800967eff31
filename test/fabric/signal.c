/*
 * Put-with-signal between nodes: when the signal is seen the data are there, all of them, whatever
 * their size and way: in one packet with the signal, written before it, blocking or not, with other
 * operations under way. The target looks at its own memory only.
 */
#include <shmem.h>

#include "check.h"

enum { MOST = 1 << 17, ROUNDS = 250 };
static uint64_t data[MOST / 8], source[MOST / 8], ready, taken, other[64];

static void send(shmem_ctx_t ctx, uint64_t round, size_t n, int nbi) {
  for (size_t i = 0; i < n; i++) source[i] = round * 7 + i;
  for (int i = 0; i < 9; i++) shmem_ctx_uint64_p(ctx, &other[i], round, 1);
  if (nbi)
    shmem_ctx_uint64_put_signal_nbi(ctx, data, source, n, &ready, round, SHMEM_SIGNAL_SET, 1);
  else
    shmem_ctx_uint64_put_signal(ctx, data, source, n, &ready, 1, SHMEM_SIGNAL_ADD, 1);
  if (!nbi) memset(source, 0xff, n * 8); /* it may be reused at once */
}

int main(void) {
  static const size_t sizes[] = {1, 2, 20, 128, 129, 512, 2000, MOST / 8};
  shmem_init();
  const int me = shmem_my_pe();
  uint64_t round = 0;
  shmem_ctx_t ctx[2] = {SHMEM_CTX_DEFAULT};
  CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx[1]), 0);
  for (int k = 0; k < ROUNDS; k++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      const size_t n = sizes[s];
      round++;
      if (me == 0) {
        send(ctx[k % 2], round, n, k % 4 >= 2);
        shmem_uint64_wait_until(&taken, SHMEM_CMP_EQ, round);
        if (k % 4 >= 2) shmem_ctx_quiet(ctx[k % 2]);
      } else if (me == 1) {
        shmem_signal_wait_until(&ready, SHMEM_CMP_EQ, round);
        for (size_t i = 0; i < n; i++) CHECK_EQ(data[i], round * 7 + i);
        shmem_uint64_p(&taken, round, 0);
      }
    }
  shmem_finalize();
  return 0;
}
