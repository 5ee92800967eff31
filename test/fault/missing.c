/*
 * test: none
 * Of two PEs on two nodes one waits for the other, and a packet disappears without an operation
 * that fails, as with a connection that was there only for a moment. The argument: "packet", what
 * PE 0 sent; "answer", what came back; "late": nothing disappears, but PE 1 takes no active
 * messages for a while. missing.sh judges.
 */
#include <shmem.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "am/am.h"
#include "port/port_internal.h"

weft_receive_t *__real_weft_endpoint_take(weft_endpoint_t *e);
weft_receive_t *__wrap_weft_endpoint_take(weft_endpoint_t *e);

enum { COUNT = WEFT_AM_CLIENTS, MESSAGES = 100000 };

static long word;
static int drop = -1; /* a kind of packet; the next one that arrives */
static int arrived;

weft_receive_t *__wrap_weft_endpoint_take(weft_endpoint_t *e) {
  weft_receive_t *r = __real_weft_endpoint_take(e);
  if (!r || ((const weft_packet_t *)r->data)->kind != weft_peek(&drop)) return r;
  weft_poke(&drop, -1);
  weft_endpoint_repost(r);
  return __real_weft_endpoint_take(e);
}

static void count(weft_token_t *t, void *p, size_t n) {
  (void)t, (void)p, (void)n;
  arrived++;
}

static void be_late(int me) {
  if (weft_am_open() < 0) exit(51);
  weft_am_register(COUNT, (weft_am_handler_t)count);
  shmem_barrier_all();
  if (me == 0)
    for (int i = 0; i < MESSAGES; i++)
      weft_am_request(1, WEFT_AM_SHORT, COUNT, NULL, 0, 0, 0, NULL, 0, NULL);
  else
    sleep(5);
  while (me == 1 && arrived < MESSAGES) weft_am_poll();
}

int main(int argc, char **argv) {
  shmem_init();
  const int me = shmem_my_pe();
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "late") == 0) {
    be_late(me);
  } else {
    shmem_barrier_all();
    usleep(200000); /* nothing of the barrier is under way */
    if (me == 1 && strcmp(what, "packet") == 0) weft_poke(&drop, WEFT_PACKET_RECORDS);
    if (me == 0 && strcmp(what, "answer") == 0) weft_poke(&drop, WEFT_PACKET_REPLY);
    usleep(200000);
    if (me == 0) shmem_long_atomic_fetch_add(&word, 1, 1);
  }
  shmem_finalize();
  return 0;
}
