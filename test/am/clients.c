/*
 * Several clients of the message layer in one process, each with handlers and addresses of its own:
 * one names symmetric memory by its addresses, one by slot offsets, and a third comes when messages
 * of both are under way. None changes where the others' LONGs go.
 */
#include <shmem.h>

#include <stdlib.h>

#include "am/am.h"
#include "check.h"

enum { PLAIN = 150, OFFSETS = 200, LATE = 151, ROUNDS = 200, LARGE = 40000, PES = 16 };

static char plain[PES][LARGE], offsets[PES][LARGE], late[PES][LARGE];
static int arrived[3], late_open;

static void on_long(weft_token_t *token, char *data, size_t n, int32_t kind, int32_t value) {
  char *const expected[] = {plain[token->from], offsets[token->from], late[token->from]};
  if (kind == 1) data += weft_job.window.base; /* it is told what was said: the slot offset */
  CHECK(data == expected[kind]);
  for (size_t i = 0; i < n; i++) CHECK_EQ(data[i], (char)value);
  __atomic_fetch_add(&arrived[kind], 1, __ATOMIC_RELAXED);
}

static void send(int pe, int handler, int kind, uint64_t dest, int round) {
  static char source[LARGE];
  const size_t n = round % 10 == 0 ? LARGE : round % 2 ? 8 : 3000;
  const int32_t args[] = {kind, round % 100};
  const int due = round * weft_job_npes();
  memset(source, round % 100, n);
  weft_am_request(pe, WEFT_AM_LONG, handler, source, n, dest, 0, NULL, 2, args);
  /* The next one goes to the same place. */
  if (pe == weft_job_npes() - 1)
    while (__atomic_load_n(&arrived[kind], __ATOMIC_RELAXED) < due) weft_am_poll();
  shmem_sync_all();
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  uintptr_t *by_offset = calloc((size_t)npes, sizeof *by_offset);
  CHECK(by_offset && npes <= PES);
  CHECK_EQ(weft_am_open(), 0);
  for (int pe = 0; pe < npes; pe++) by_offset[pe] = weft_job.disp[pe] + weft_job.window.base;
  weft_am_owners(OFFSETS, 1, by_offset);
  weft_am_register(PLAIN, (weft_am_handler_t)on_long);
  weft_am_register(OFFSETS, (weft_am_handler_t)on_long);
  shmem_barrier_all();
  for (int round = 1; round <= ROUNDS; round++) {
    if (round == ROUNDS / 2) {
      CHECK_EQ(weft_am_open(), 0); /* of symmetric addresses */
      weft_am_register(LATE, (weft_am_handler_t)on_long);
      late_open = round;
      shmem_barrier_all();
    }
    for (int i = 0; i < npes; i++) {
      send(i, PLAIN, 0, (uintptr_t)plain[me], round);
      send(i, OFFSETS, 1, weft_job_offset(offsets[me]), round);
      if (late_open) send(i, LATE, 2, (uintptr_t)late[me], round - late_open + 1);
    }
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
