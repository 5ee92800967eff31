/*
 * quiet: when it returns, the data are in the target's memory. Each round PE 0 puts, calls quiet
 * and raises a flag in a file that both have mapped, outside of Weft; the last PE, which calls
 * nothing while it waits, then looks at its memory. With WEFT_DEBUG=completion=counter on
 * tcp;ofi_rxm, whose counter does not tell the truth, and WEFT_COALESCE=0 some rounds are stale: so
 * this test can fail.
 */
#include <shmem.h>

#include "check.h"
#include "fabric/board.h"

enum { ROUNDS = 400, PUTS = 16, BLOCK = 6000 };

static long word[PUTS];
static long block[PUTS][BLOCK / sizeof(long)];
static long sum;

static void by_scalars(long round, int pe) {
  for (int i = 0; i < PUTS; i++) shmem_long_p(&word[i], round + i, pe);
}
static void by_blocks(long round, int pe) {
  static long source[BLOCK / sizeof(long)];
  for (int i = 0; i < PUTS; i++) {
    source[0] = source[BLOCK / sizeof(long) - 1] = round + i;
    shmem_long_put(block[i], source, BLOCK / sizeof(long), pe);
  }
}
static void by_blocks_nbi(long round, int pe) {
  static long source[PUTS][BLOCK / sizeof(long)];
  for (int i = 0; i < PUTS; i++) {
    source[i][0] = source[i][BLOCK / sizeof(long) - 1] = round + i;
    shmem_long_put_nbi(block[i], source[i], BLOCK / sizeof(long), pe);
  }
}
static void by_small_puts(long round, int pe) {
  for (int i = 0; i < PUTS; i++) {
    long source = round + i;
    shmem_putmem(&word[i], &source, sizeof source, pe);
  }
}
static void by_atomics(long round, int pe) {
  (void)round;
  for (int i = 0; i < PUTS; i++) shmem_long_atomic_add(&sum, 1, pe);
}

static int see_words(long round) {
  for (int i = 0; i < PUTS; i++)
    if (plain(&word[i]) != round + i) return 0;
  return 1;
}
static int see_blocks(long round) {
  for (int i = 0; i < PUTS; i++)
    if (plain(&block[i][0]) != round + i || plain(&block[i][BLOCK / sizeof(long) - 1]) != round + i)
      return 0;
  return 1;
}
static int see_sum(long round) {
  return plain(&sum) == round * PUTS;
}

static const struct {
  const char *name;
  void (*put)(long round, int pe);
  int (*seen)(long round);
} ways[] = {{"p", by_scalars, see_words},
            {"putmem of 8 bytes", by_small_puts, see_words},
            {"put of 6000 bytes", by_blocks, see_blocks},
            {"put_nbi of 6000 bytes", by_blocks_nbi, see_blocks},
            {"atomic_add", by_atomics, see_sum}};

int main(void) {
  shmem_init();
  board_t *board = board_open();
  int me = shmem_my_pe(), target = shmem_n_pes() - 1;
  int stale[sizeof ways / sizeof *ways] = {0}, all = 0;
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
    for (long round = 1; round <= ROUNDS; round++) {
      long number = (long)w * ROUNDS + round;
      if (me == 0) {
        ways[w].put(ways[w].seen == see_sum ? round : number, target);
        shmem_quiet();
        board_raise(&board->flag, number);
        board_wait(&board->answer, number);
      } else if (me == target) {
        board_wait(&board->flag, number);
        stale[w] += !ways[w].seen(ways[w].seen == see_sum ? round : number);
        board_raise(&board->answer, number);
      }
    }
    all += stale[w];
    if (stale[w]) printf("%s: %d of %d rounds stale\n", ways[w].name, stale[w], ROUNDS);
  }
  CHECK_EQ(all, 0);
  shmem_finalize();
  return 0;
}
