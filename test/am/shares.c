/*
 * A PE that does not poll keeps none of its node from messages: PE 0 sends PE 2 more of them than
 * the port of that node has buffers, and then PE 3 has all that PE 1 sends it. For two nodes.
 */
#include <shmem.h>

#include "am/am.h"
#include "check.h"
#include "fabric/board.h"

enum { COUNT = 128, SMALL = 500, LARGE = 5000, FLOOD = 60, ROUNDS = 300 };

static long counted;
static char data[LARGE];

static void count(weft_token_t *t, void *p, size_t n, int32_t a) {
  (void)t, (void)n;
  CHECK_EQ(((char *)p)[n - 1], (char)a);
  counted++;
}

static void send(int to, size_t n, int i) {
  data[n - 1] = (char)i;
  CHECK_EQ(weft_am_request(to, WEFT_AM_MEDIUM, COUNT, data, n, 0, 0, NULL, 1, (int32_t[]){i}), 0);
}

static void send_both(int to, int rounds) {
  for (int i = 0; i < rounds; i++) send(to, i % 4 ? SMALL : LARGE, i);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  board_t *board = board_open();
  CHECK_EQ(weft_am_open(), 0);
  weft_am_register(COUNT, (weft_am_handler_t)count);
  shmem_barrier_all();
  if (me == 0) {
    send_both(2, FLOOD);
    for (int i = 0; i < 100; i++) weft_am_poll(), usleep(1000); /* what gathers leaves */
    board_raise(&board->flag, 1);
  } else if (me == 1) {
    board_wait(&board->flag, 1);
    send_both(3, ROUNDS);
  } else if (me == 2) {
    CHECK_WITHIN(60, plain(&board->answer) == 1);
    WEFT_WAIT_ON(NULL, counted == FLOOD);
  } else if (me == 3) {
    WEFT_WAIT_ON(NULL, counted == ROUNDS);
    board_raise(&board->answer, 1);
  }
  shmem_barrier_all();
  CHECK_EQ(counted, me == 2 ? FLOOD : me == 3 ? ROUNDS : 0);
  weft_am_close();
  shmem_finalize();
  return 0;
}
