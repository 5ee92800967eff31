// GEX_FLAG_IMMEDIATE: a call either does its work or says that it did not, and then nothing has
// changed; posting without a poll comes to an end, and goes on after polls.
#define GASNET_SEQ
#define ROOM (1 << 20)
#include <gasnet.h>

#include "gasnet/rma_frame.h"
#include "job/job.h"

enum { N = 2000, BYTES = 512, MARK = 0x3C };
static _Alignas(4096) unsigned char source[ROOM];
static unsigned char back[ROOM];
static gex_Event_t events[N];

// Begin operation i in the way `form`; false: it was not begun.
static int begin(int form, unsigned pe, size_t i, gex_Flags_t flags) {
  unsigned char *dest = there(pe) + i * BYTES, *src = source + i * BYTES;
  gex_Event_t lc = GEX_EVENT_NO_OP, *lc_opt[] = {GEX_EVENT_DEFER, GEX_EVENT_NOW, &lc};
  events[i] = GEX_EVENT_INVALID;
  switch (form) {
  case 0:
  case 1:
  case 2:
    events[i] = gex_RMA_PutNB(tm, pe, dest, src, BYTES, lc_opt[form], flags);
    if (form == 2 && events[i] != GEX_EVENT_NO_OP) gex_Event_Wait(lc);
    return events[i] != GEX_EVENT_NO_OP;
  case 3: return gex_RMA_PutNBI(tm, pe, dest, src, BYTES, GEX_EVENT_DEFER, flags) == 0;
  case 4: return gex_RMA_PutNBI(tm, pe, dest, src, BYTES, GEX_EVENT_GROUP, flags) == 0;
  case 5: return gex_RMA_PutNBI(tm, pe, dest, src, 40, GEX_EVENT_NOW, flags) == 0;
  case 6: return gex_RMA_PutNBIVal(tm, pe, dest, src[0], 1, flags) == 0;
  case 7: return gex_RMA_PutBlocking(tm, pe, dest, src, BYTES, flags) == 0;
  case 8:
    events[i] = gex_RMA_GetNB(tm, back + i * BYTES, pe, dest, BYTES, flags);
    return events[i] != GEX_EVENT_NO_OP;
  default: return gex_RMA_GetNBI(tm, back + i * BYTES, pe, dest, BYTES, flags) == 0;
  }
}

static size_t bytes_of(int form) {
  return form == 5 ? 40 : form == 6 ? 1 : BYTES;
}

static void flood(int form, unsigned pe) {
  const size_t n = bytes_of(form);
  gasnet_memset(pe, there(pe), MARK, N * BYTES);
  memset(back, MARK, N * BYTES);
  fill(source, N * BYTES, me, pe, (unsigned)form);
  size_t begun = 0;
  while (begun < N && begin(form, pe, begun, GEX_FLAG_IMMEDIATE)) begun++;
  const size_t refused = begun; // N: none was
  for (; begun < N; begun++) {
    int tries = 0;
    while (!begin(form, pe, begun, tries < 1000 ? GEX_FLAG_IMMEDIATE : 0)) {
      tries++;
      gasnet_AMPoll();
    }
    if (form < 3 || form == 8) gex_Event_Wait(events[begun]), events[begun] = GEX_EVENT_INVALID;
  }
  gex_Event_WaitAll(events, N, 0);
  gex_NBI_Wait(GEX_EC_ALL, 0);
  if (form < 8) gasnet_get(back, pe, there(pe), N * BYTES);
  for (size_t i = 0; i < N; i++)
    for (size_t k = 0; k < BYTES; k++)
      CHECK_EQ(back[i * BYTES + k], form >= 8 || k >= n ? MARK : source[i * BYTES + k]);
  if (getenv("WEFT_TEST_VERBOSE")) printf("form %d pe %u: refused at %zu\n", form, pe, refused);
}

// More than one operation of the provider may carry is whole; also from byte 16 of a page, where
// memory of malloc's begins.
static void large(unsigned pe, gex_Event_t *lc_opt, unsigned salt) {
  enum { PLACE = 16, MOST = ROOM - PLACE };
  fill(source + PLACE, MOST, me, pe, salt);
  gex_Event_t e;
  while ((e = gex_RMA_PutNB(tm, pe, there(pe), source + PLACE, MOST, lc_opt, GEX_FLAG_IMMEDIATE)) ==
         GEX_EVENT_NO_OP)
    gasnet_AMPoll();
  if (lc_opt != GEX_EVENT_NOW) gex_Event_Wait(*lc_opt);
  memset(source, 0, ROOM);
  gex_Event_Wait(e);
  gasnet_get(back, pe, there(pe), MOST);
  CHECK(is_filled(back, MOST, me, pe, salt));
}

int main(int argc, char **argv) {
  gex_Event_t lc;
  start(argc, argv);
  for (unsigned pe = 0; pe < npes; pe++)
    for (int form = 0; form < 10; form++) flood(form, pe);
  everybody();
  weft_job.fabric.rma_max = 100000; // providers say 8 MB and more
  large((me + 1) % npes, GEX_EVENT_NOW, 99);
  large((me + 1) % npes, &lc, 100);
  finish();
}
