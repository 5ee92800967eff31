/*
 * Puts that come in a stream: a PE that has gathered many before each of its last quiets sends the
 * next ones in one packet. Where that guess is wrong the helper sends what gathered, and the PE's
 * next puts leave at once again.
 */
#include "check.h"

#include <unistd.h>

#include "port/stage.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

enum { MANY = 64, ROUNDS = 8, TRIES = 2000 };

static uint64_t *words;

/* Both are the lock's: the helper may be at it. */
static uint32_t look(int to, bool at_errors) {
  weft_stage_t *stage = &weft_channels[0].stages[weft_job_node_of(to)];
  weft_lock(&stage->lock);
  const uint32_t n = at_errors ? stage->errors : stage->sent;
  weft_unlock(&stage->lock);
  return n;
}

static uint32_t sent(int to) {
  return look(to, false);
}

static uint32_t errors(int to) {
  return look(to, true);
}

static void put(int to, int i, uint64_t value) {
  weft_rma_put(to, weft_job_offset(&words[i]), &value, sizeof value);
}

/* How many packets a round of puts takes. */
static uint32_t round_of(int to, uint64_t first) {
  const uint32_t before = sent(to);
  for (int i = 0; i < MANY; i++) put(to, i, first + (uint64_t)i);
  weft_rma_quiet();
  return sent(to) - before;
}

static void check_words(int to, uint64_t first) {
  for (int i = 0; i < MANY; i++) {
    uint64_t value;
    weft_rma_get(to, weft_job_offset(&words[i]), &value, sizeof value);
    CHECK_EQ(value, first + (uint64_t)i);
  }
}

/* After each wrong guess a PE needs twice as many rounds until it guesses again. */
static void forget_errors(int to) {
  weft_stage_t *stage = &weft_channels[0].stages[weft_job_node_of(to)];
  weft_lock(&stage->lock);
  stage->errors = 0;
  weft_unlock(&stage->lock);
}

/* Rounds until one takes one packet; returns the first word of that one. A PE that loses its
 * processor between two puts seems to compute: so a few rounds may not do. */
static uint64_t stream(int to) {
  uint64_t first = 0;
  weft_rma_quiet(); /* no packet of before is without its answer */
  for (int i = 0; i < TRIES; i++) {
    forget_errors(to);
    for (int round = 0; round < ROUNDS; round++) {
      first += MANY;
      if (round_of(to, first) == 1) return first;
    }
  }
  CHECK(!"a round takes one packet");
  return 0;
}

/* Until a guess was wrong the PE looks at nothing, as one that computes. (A round that began behind
 * a packet without its answer takes one packet, too, and is no guess.) */
static void wrong_guess(int to) {
  uint32_t errors_before, before;
  int tries = 0;
  do {
    stream(to);
    errors_before = errors(to);
    before = sent(to);
    put(to, 0, 7);
    for (int looks = 0; looks < 10000 && sent(to) == before; looks++) usleep(1000);
    CHECK_EQ(sent(to), before + 1);
  } while (errors(to) == errors_before && ++tries < TRIES);
  CHECK_EQ(errors(to), errors_before + 1);
  weft_rma_quiet(); /* as records gather behind a packet without its answer */
  before = sent(to);
  put(to, 0, 8);
  CHECK_EQ(sent(to), before + 1); /* at once */
  weft_rma_quiet();
}

int main(void) {
  weft_runtime_start("test");
  const int to = weft_job.npes - 1; /* on the other node */
  words = weft_symmetric_alloc(64, MANY * sizeof *words, "test");
  weft_coll_sync(weft_team_world());
  if (weft_job.pe == (weft_job.npes == 4)) { /* of 4, one whose stages another process sends */
    check_words(to, stream(to));
    wrong_guess(to);
  }
  weft_coll_sync(weft_team_world());
  weft_runtime_stop();
  return 0;
}
