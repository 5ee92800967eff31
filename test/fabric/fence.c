/*
 * fence: who sees the flag sees the data. PE 0 puts data, fences, puts a flag, in every mix of
 * staged, large and atomic; the last PE polls the flag in its memory and calls nothing. In half of
 * the rounds PE 0 calls nothing either once the flag is put, so somebody else has to send what is
 * staged.
 */
#include <shmem.h>

#include "check.h"
#include "fabric/board.h"

enum { ROUNDS = 20, WORDS = 16, BLOCK = 6000 / sizeof(long), HUGE = 2 << 20 };

static long word[WORDS], sum, flag, added, flag_block[BLOCK];
static long block[BLOCK], *huge;

static void data_words(long n, int pe) {
  for (int i = 0; i < WORDS; i++) shmem_long_p(&word[i], n, pe);
}
static void data_block(long n, int pe) {
  static long source[BLOCK];
  source[0] = source[BLOCK - 1] = n;
  shmem_long_put(block, source, BLOCK, pe);
}
static void
data_huge(long n,
          int pe) { /* long on its way: what leaves later by another way would overtake it */
  static long source[HUGE];
  source[0] = source[HUGE - 1] = n;
  shmem_long_put_nbi(huge, source, HUGE, pe);
}
static void data_atomic(long n, int pe) {
  shmem_long_atomic_set(&sum, n, pe);
}
static int see_words(long n) {
  for (int i = 0; i < WORDS; i++)
    if (plain(&word[i]) != n) return 0;
  return 1;
}
static int see_block(long n) {
  return plain(&block[0]) == n && plain(&block[BLOCK - 1]) == n;
}
static int see_huge(long n) {
  return plain(&huge[0]) == n && plain(&huge[HUGE - 1]) == n;
}
static int see_atomic(long n) {
  return plain(&sum) == n;
}

static void flag_p(long n, int pe) {
  shmem_long_p(&flag, n, pe);
}
static void flag_large(long n, int pe) {
  static long source[BLOCK];
  source[BLOCK - 1] = n;
  shmem_long_put(flag_block, source, BLOCK, pe);
}
/* From 0, which a put's flag may not stay: with WEFT_COALESCE=0 a provider stores a word by memcpy,
 * of 8 bytes twice, and what the reader resets in between comes back. */
static void flag_atomic(long n, int pe) {
  shmem_long_atomic_add(&added, n, pe);
}

static const struct {
  void (*put)(long, int);
  int (*seen)(long);
  int rounds;
} data[] = {{data_words, see_words, ROUNDS},
            {data_block, see_block, ROUNDS},
            {data_atomic, see_atomic, ROUNDS},
            {data_huge, see_huge, 4}};
static const struct {
  void (*put)(long, int);
  long *at;
} flags[] = {{flag_p, &flag}, {flag_large, &flag_block[BLOCK - 1]}, {flag_atomic, &added}};

int main(void) {
  shmem_init();
  board_t *board = board_open();
  int me = shmem_my_pe(), target = shmem_n_pes() - 1;
  long n = 0;
  huge = shmem_malloc(HUGE * sizeof *huge);
  for (int d = 0; d < 4; d++)
    for (int f = 0; f < 3; f++)
      for (int round = 0; round < data[d].rounds; round++) {
        n++;
        if (me == 0) {
          data[d].put(n, target);
          shmem_fence();
          flags[f].put(n, target);
          if (round % 2) shmem_quiet();
          board_wait(&board->answer, n);
          shmem_quiet(); /* the sources are used again */
        } else if (me == target) {
          while (plain(flags[f].at) != n) sched_yield();
          if (!data[d].seen(n)) fprintf(stderr, "data %d, flag %d, round %d\n", d, f, round);
          CHECK(data[d].seen(n));
          *flags[f].at = 0;
          board_raise(&board->answer, n);
        }
      }
  shmem_finalize();
  return 0;
}
