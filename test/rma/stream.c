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

enum { MANY = 64, ROUNDS = 50 };

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

/* How many packets its puts take. */
static uint32_t stream(int to, int round) {
  const uint32_t before = sent(to);
  for (int i = 0; i < MANY; i++) put(to, i, (uint64_t)round * MANY + (uint64_t)i);
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

/* (A PE that loses its processor between two puts seems to compute: then a round does not count.)
 */
static void streams(int to) {
  int ones = 0;
  for (int round = 0; round < ROUNDS; round++) ones += stream(to, round) == 1;
  CHECK(ones > 0);
  check_words(to, (ROUNDS - 1) * MANY);
}

/* Until a guess was wrong the PE looks at nothing, as one that computes. */
static void wrong_guess(int to) {
  const uint32_t errors_before = errors(to);
  uint32_t before = 0;
  for (int tries = 0; tries < 10000 && errors(to) == errors_before; tries++) {
    stream(to, 0);
    before = sent(to);
    put(to, 0, 7);
    for (int looks = 0; looks < 10000 && sent(to) == before; looks++) usleep(1000);
    CHECK_EQ(sent(to), before + 1);
  }
  CHECK_EQ(errors(to), errors_before + 1);
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
    streams(to);
    wrong_guess(to);
  }
  weft_coll_sync(weft_team_world());
  weft_runtime_stop();
  return 0;
}
