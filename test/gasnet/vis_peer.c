/*
 * gex_VIS_SetPeerCompletionHandler: the handler runs at the target when the data are there, once
 * for each put that was armed, with the payload; as a reply of no arguments, of the endpoint that
 * the put names. A get does not use it up, a put of no bytes does, and handler 0 takes it back.
 */
#include "gasnet/world.h"

enum { HANDLER = 200, SIDE = 8, BYTES = SIDE * SIDE, ROUNDS = 12 };

typedef struct note {
  uint32_t from, round;
  char rest[504];
} note_t;
_Static_assert(sizeof(note_t) == 512, "as large as it may be");

static int arrived, empty, elsewhere;
static gex_EP_t other;

static char value(uint32_t from, uint32_t round, int i) {
  return (char)(from * 31 + round * 7 + (uint32_t)i + 1);
}

static char *place(gex_Rank_t at, gex_Rank_t from, uint32_t round) {
  return world_of(at) + (from * ROUNDS + round) * 2 * BYTES;
}

static void on_put(gex_Token_t token, void *payload, size_t n) {
  gex_Token_Info_t info;
  const gex_TI_t known = gex_Token_Info(token, &info, GEX_TI_ALL);
  CHECK(!(known & GEX_TI_IS_REQ) || !info.gex_is_req);
  CHECK(!(known & GEX_TI_IS_LONG) || !info.gex_is_long);
  CHECK(!(known & GEX_TI_ENTRY) || info.gex_entry->gex_index == HANDLER);
  CHECK(info.gex_ep == world.ep);
  if (n == 0) {
    empty++;
    return;
  }
  note_t note = {0};
  memcpy(&note, payload, n);
  CHECK(note.from == info.gex_srcrank && note.round < ROUNDS);
  if (n == sizeof note) CHECK(note.rest[503] == (char)note.round);
  const char *data = place(world.me, note.from, note.round);
  for (int i = 0; i < BYTES; i++)
    CHECK_EQ(data[i / SIDE * 2 * SIDE + i % SIDE], value(note.from, note.round, i));
  arrived++;
}

static void on_other_put(gex_Token_t token, void *payload, size_t n) {
  gex_Token_Info_t info;
  CHECK_EQ(gex_Token_Info(token, &info, GEX_TI_ALL), GEX_TI_ALL);
  CHECK(info.gex_ep == other && info.gex_entry->gex_cdata == &elsewhere && !info.gex_is_req);
  CHECK_EQ(n, 3);
  CHECK_EQ(memcmp(payload, "abc", n), 0);
  elsewhere++;
}

/* A second endpoint has a handler of its own for the number. */
static void open_other(void) {
  gex_AM_Entry_t table[] = {{HANDLER, (gex_AM_Fn_t)on_other_put,
                             GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 0, &elsewhere, NULL}};
  CHECK_EQ(gex_EP_Create(&other, world.client, GEX_EP_CAPABILITY_VIS | GEX_EP_CAPABILITY_AM, 0),
           GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(other, table, 1), GASNET_OK);
}

/* Rows of SIDE bytes, SIDE apart at the target. */
static void put(gex_Rank_t to, uint32_t round) {
  const ptrdiff_t here[] = {SIDE}, there[] = {2 * SIDE};
  const size_t rows[] = {SIDE};
  char byte, data[BYTES], *at = place(to, world.me, round);
  note_t note = {.from = world.me, .round = round};
  memset(note.rest, (int)round, sizeof note.rest);
  for (int i = 0; i < BYTES; i++) data[i] = value(world.me, round, i);
  gex_VIS_SetPeerCompletionHandler(HANDLER, &note, round % 3 ? 8 : sizeof note, 0);
  gex_VIS_StridedGetBlocking(world.tm, &byte, NULL, to, at, NULL, 1, NULL, 0, 0);
  if (round % 3 == 0) {
    gex_Event_Wait(gex_VIS_StridedPutNB(world.tm, to, at, there, data, here, SIDE, rows, 1,
                                        GEX_FLAG_ENABLE_LEAF_LC));
  } else if (round % 3 == 1) {
    gex_VIS_StridedPutNBI(world.tm, to, at, there, data, here, SIDE, rows, 1, 0);
    gex_NBI_Wait(GEX_EC_ALL, 0);
  } else {
    gex_VIS_StridedPutBlocking(world.tm, to, at, there, data, here, SIDE, rows, 1, 0);
  }
}

int main(void) {
  world_open();
  gex_AM_Entry_t table[] = {{HANDLER, (gex_AM_Fn_t)on_put, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY,
                             0, &arrived, "on_put"}};
  CHECK_EQ(gex_EP_RegisterHandlers(world.ep, table, 1), GASNET_OK);
  open_other();
  CHECK(GEX_VIS_MAX_PEERCOMPLETION >= 127 && GEX_VIS_MAX_PEERCOMPLETION == sizeof(note_t));
  world_barrier();
  for (gex_Rank_t i = 0; i < world.n; i++) {
    const gex_Rank_t to = (world.me + i) % world.n;
    for (uint32_t round = 0; round < ROUNDS; round++) put(to, round);
    const gex_Memvec_t none[1] = {{NULL, 0}};
    gex_VIS_SetPeerCompletionHandler(HANDLER, NULL, 0, 0);
    gex_VIS_SetPeerCompletionHandler(0, NULL, 0, 0);
    CHECK(!gex_VIS_VectorPutBlocking(world.tm, to, 1, none, 0, NULL, 0)); /* tells nobody */
    gex_VIS_SetPeerCompletionHandler(HANDLER, NULL, 0, 0);
    CHECK(!gex_VIS_VectorPutBlocking(world.tm, to, 1, none, 0, NULL, 0)); /* no bytes, but told */
    gex_VIS_SetPeerCompletionHandler(HANDLER, NULL, 0, 0);
    CHECK(!gex_VIS_StridedPutNB(world.tm, to, NULL, NULL, NULL, NULL, 0, NULL, 0, 0));
    gex_VIS_SetPeerCompletionHandler(HANDLER, "abc", 3, 0);
    CHECK(!gex_VIS_VectorPutBlocking(gex_TM_Pair(world.ep, 1), to, 1, none, 0, NULL, 0));
  }
  while (arrived < (int)world.n * ROUNDS || empty + elsewhere < 3 * (int)world.n)
    gasnet_AMPoll();
  world_barrier();
  CHECK_EQ(arrived, world.n * ROUNDS);
  CHECK_EQ(empty, 2 * world.n);
  CHECK_EQ(elsewhere, world.n);
  world_close();
  return 0;
}
