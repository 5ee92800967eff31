/*
 * A PE that waits for the answer to a lone put, and has done so before, asks for it at once; one
 * that puts several, or waits for something else, does not.
 */
#include "check.h"
#include "port/stage.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

enum { ROUNDS = 50 };

static uint64_t *word;

/* Put, and say whether its packet, which is under way, asks so. */
static int put(int to) {
  static uint64_t value;
  weft_stage_t *stage = &weft_channels[0].stages[weft_job_node_of(to)];
  value++;
  weft_rma_put(to, weft_job_offset(word), &value, sizeof value);
  weft_lock(&stage->lock); /* the helper may be at it */
  const uint32_t last = (stage->next ? stage->next : (uint32_t)weft_ports.buffers) - 1;
  const weft_packet_t *packet = (const weft_packet_t *)weft_stage_buffer(stage, last);
  const int asks = packet->want != 0 && packet->want != WEFT_WANT_LAZY;
  weft_unlock(&stage->lock);
  return asks;
}

/* How many of them ask. (A PE that loses its processor after a put finds the answer there: then it
 * did not wait.) */
static int lone(int to, bool fence) {
  int asks = 0;
  for (int i = 0; i < ROUNDS; i++) {
    asks += put(to);
    if (fence)
      weft_rma_fence_pe(to);
    else
      weft_rma_quiet();
  }
  return asks;
}

static int pairs(int to) {
  int asks = 0;
  for (int i = 0; i < ROUNDS; i++) {
    const int first = put(to), second = put(to);
    asks += (i > 0 && first) || second;
    weft_rma_quiet();
  }
  return asks;
}

/* The answer comes while the PE does something else. */
static int unasked(int to) {
  int asks = 0;
  for (int i = 0; i < ROUNDS; i++) {
    weft_wait_t wait = {.channel = &weft_channels[0]};
    asks += put(to) && i > 0;
    while (weft_stage_busy(&weft_channels[0])) weft_wait_step(&wait);
  }
  return asks;
}

int main(void) {
  weft_runtime_start("test");
  word = weft_symmetric_alloc(64, sizeof *word, "test");
  weft_coll_sync(weft_team_world());
  if (weft_job.pe == 0) {
    const int to = weft_job.npes - 1; /* on the other node */
    CHECK(lone(to, false) > 0);
    CHECK_EQ(pairs(to), 0);
    CHECK(lone(to, false) > 0);
    CHECK_EQ(unasked(to), 0);
    CHECK_EQ(pairs(to), 0);
    CHECK(lone(to, true) > 1); /* the first may ask because of what was before */
  }
  weft_coll_sync(weft_team_world());
  weft_runtime_stop();
  return 0;
}
