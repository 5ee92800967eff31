/*
 * Answers about another image's components that make no sense, by number, from the port of the
 * other node or from the owner: nothing beyond them is read and nothing beyond what they are for is
 * written; a line that names who answered ends the job (requests.sh). Of the last numbers GONE is a
 * node that goes before it has answered, after which the job goes on; from HUGE on a request asks
 * for 4 GB, or has as much with it, which ends with a line; the others are good answers.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "caf/chain.h"
#include "caf/internal.h"
#include "check.h"
#include "port/port.h"
#include "rma/rma.h"
#include "sync/sync.h"

enum { ITEMS = 4, ALONG = 64, NUMBER = 0 /* visit.c's */, DAMAGED = 10, GOOD = 12, GONE, HUGE };
static const size_t FOUR_GB = (size_t)1 << 32;
static int which;

/* An array of ITEMS elements of 8 bytes, moved along. */
static size_t serve(int slot, int from, const void *request, size_t n, void *answer) {
  weft_caf_place_t *place = answer;
  uint64_t good = 1;
  size_t bytes = sizeof *place + ITEMS * 8;
  (void)slot, (void)from, (void)request, (void)n;
  memset(answer, 0, bytes);
  place->rank = 1;
  place->dim[0].n = ITEMS, place->dim[0].step = 8;
  place->moved = ITEMS * 8;
  switch (which) {
  case 0: bytes = 16; break;                                     /* no whole place */
  case 1: bytes -= 8; break;                                     /* less than was moved */
  case 2: place->moved += 8, bytes += 8; break;                  /* more than there are */
  case 3: place->dim[0].n = 9, place->moved = 72, bytes += 40;   /* more than was asked for */
    break;
  case 4: place->rank = 16; break;
  case 5: place->outcome = 7; break;
  case 6: place->dim[0].vector = 2, place->moved = 0, bytes = sizeof *place; break; /* there is 1 */
  case 7: /* more elements than the vector subscript has */
    place->dim[0].vector = 1, place->dim[0].n = 9, place->moved = 0, bytes = sizeof *place;
    break;
  case 8: memcpy(answer, &good, sizeof good), bytes = 16; break; /* pieces: 8 bytes, not 32 */
  case GOOD:
    place->dim[0].vector = 1, place->dim[0].n = 3, place->moved = 0, bytes = sizeof *place;
    break;
  }
  return bytes;
}

/* visit.c's answer, of more bytes than came. */
static uint64_t visited(int from, const void *data, size_t n, void *reply, size_t *reply_n) {
  const uint64_t answer[2] = {which == 9 ? 4000 : 8, 0};
  (void)from, (void)data, (void)n;
  memcpy(reply, answer, sizeof answer);
  *reply_n = sizeof answer + 8;
  return 0;
}

static void ask(weft_caf_coarray_t *c) {
  _Alignas(16) char along[2 * ALONG];
  weft_caf_chain_t chain = {.n = 0};
  weft_caf_place_t place;
  const bool vector = which == 6 || which == 7 || which == GOOD;
  const weft_caf_step_t step = {.type = WEFT_CAF_STATIC, .rank = 1, .item = 8};
  weft_caf_subscript_t *s = weft_caf_subscripts(weft_caf_chain_add(&chain, &step));
  *s = (weft_caf_subscript_t){.mode = WEFT_CAF_RANGE, .end = ITEMS - 1, .stride = 1};
  if (vector) *s = (weft_caf_subscript_t){.mode = WEFT_CAF_VECTOR, .end = ITEMS - 1, .n = 3};
  memset(along, 7, sizeof along);
  if (which == 8) { /* memory that is in no window */
    const weft_caf_section_t there = {
        .at = (char *)16, .element = {.bytes = 8}, .rank = 1, .dim = {{.n = ITEMS, .step = 8}}};
    weft_caf_section_t here = there;
    here.at = along;
    weft_caf_chain_get(1, &here, &there);
  } else if (which == 9 || which == DAMAGED + 1) {
    weft_caf_visit_t visit;
    size_t n;
    weft_caf_visit_object(&visit, c->base);
    weft_caf_visit(1, &visit, sizeof visit, 64, &n);
    CHECK_EQ(n, 8);
  } else {
    weft_caf_chain_walk(1, c->base, &chain, &place, along, ALONG, 8, false);
    CHECK_EQ(place.moved, vector ? 0 : ITEMS * 8);
  }
  for (int i = ALONG; i < 2 * ALONG; i++) CHECK_EQ(along[i], 7);
}

/* The process of this node's port: of those with its name the one that has this PE's window. */
static int porter(void) {
  char command[512], pid[32] = "0";
  snprintf(command, sizeof command,
           "inode=$(awk '/memfd:weft-window/ { print $5; exit }' /proc/%d/maps); cd /proc;"
           " for p in [0-9]*; do [ \"$(cat $p/comm)\" = weft-port ] &&"
           " grep -q \" $inode .*memfd:\" $p/maps && echo $p; done 2>/dev/null",
           (int)getpid());
  FILE *out = popen(command, "r");
  CHECK(out && fgets(pid, sizeof pid, out));
  pclose(out);
  CHECK(atoi(pid) > 1);
  return atoi(pid);
}

/* Image 2 stops its port, says so, and dies while image 1 waits for the answer. */
static void lose(weft_caf_coarray_t *c) {
  weft_caf_chain_t chain = {.n = 0};
  weft_caf_place_t place;
  const uint64_t *word = (const uint64_t *)(const void *)c->base;
  if (weft_caf.me == 2) {
    const uint64_t said = 1;
    const int port = porter();
    weft_check_stop_process(port);
    weft_rma_put(0, weft_job_offset(word), &said, sizeof said);
    weft_rma_quiet();
    sleep(1);
    kill(port, SIGKILL);
    for (;;) pause(); /* its PEs go with it */
  }
  WEFT_WAIT_UNTIL(weft_observe(word) == 1);
  weft_caf_chain_walk(1, c->base, &chain, &place, NULL, 0, 8, false);
  CHECK_EQ(place.outcome, WEFT_CAF_GONE);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  which = atoi(argv[1]);
  weft_caf_start();
  weft_caf_coarray_t *c = weft_caf_allocate(4096, true, &(weft_caf_report_t){0});
  weft_query_register(WEFT_QUERY_CHAIN, serve);
  weft_owner_register(NUMBER, visited);
  weft_owner_serve();
  weft_caf_sync_team(weft_caf.team, &(weft_caf_report_t){0}, "SYNC ALL");
  if (which == GONE)
    lose(c);
  else if (which >= HUGE && weft_caf.me == 1)
    weft_owner_call(1, NUMBER, c->base, which == HUGE ? FOUR_GB : 0, c->base,
                    which == HUGE ? 0 : FOUR_GB);
  else if (weft_caf.me == 1)
    ask(c);
  printf("good\n");
  fflush(stdout);
  weft_caf_stop(0);
}
