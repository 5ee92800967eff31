/*
 * The plan of a port's memory fits its limit whatever the number of clients, gives what was asked
 * for where that fits, and refuses where nothing does.
 */
#include "port/plan.h"

#include <errno.h>
#include <stdint.h>

#include "check.h"

#define GB ((size_t)1 << 30)

static weft_plan_t make(size_t memory, size_t clients, const char *buffers, const char *spares) {
  weft_plan_t plan = {0};
  const weft_plan_input_t in = {.memory = memory,
                                .clients = clients,
                                .channels = 9,
                                .lanes = 2,
                                .buffers = buffers,
                                .spares = spares};
  if (weft_plan_make(&plan, &in) < 0) return (weft_plan_t){0};
  /* Whatever it says fits, counted here once more. */
  const size_t lanes = clients * (size_t)(plan.channels + 2);
  const size_t need = lanes * (size_t)plan.buffers * plan.buffer_bytes +
                      (size_t)plan.spares * plan.spare_bytes +
                      (size_t)plan.receives * plan.receive_bytes;
  CHECK_EQ(plan.limit, memory / 20);
  CHECK_EQ(plan.total, need);
  CHECK(need <= plan.limit);
  CHECK(plan.channels >= 1 && plan.channels <= 9);
  CHECK(plan.buffers >= 1 && plan.buffers <= WEFT_BUFFERS_MAX);
  CHECK(plan.buffer_bytes >= WEFT_BUFFER_MIN);
  CHECK(plan.receive_bytes >= plan.buffer_bytes && plan.receive_bytes >= plan.spare_bytes);
  CHECK(plan.receives > 0);
  return plan;
}

static void check_preset(void) {
  weft_plan_t plan = make(16 * GB, 1, "", "");
  CHECK_EQ(plan.buffers, 4);
  CHECK_EQ(plan.buffer_bytes, 4 * 65088);
  CHECK_EQ(plan.piece_bytes, 32768);
  CHECK_EQ(plan.channels, 9);
  CHECK_EQ(plan.spares, 4);
  CHECK_EQ(plan.spare_bytes, 32768);
  plan = make(16 * GB, 1000, NULL, NULL);
  CHECK(plan.buffers * plan.buffer_bytes >= 4 * 8192);
  CHECK_EQ(plan.channels, 9);
}

/* A node of the Cray XT5 had 16 GB; 150,000 clients are the whole of Jaguar. */
static void check_many(void) {
  weft_plan_t plan = make(16 * GB, 150000, "", "");
  CHECK(plan.buffers > 0); /* not refused */
  CHECK_EQ(plan.spares, 4);
  CHECK(150000 * (size_t)plan.buffers * plan.buffer_bytes <= 16 * GB / 20);
  plan = make(64 * GB, 150000, "", "");
  CHECK(plan.buffers * plan.buffer_bytes >= 2 * 3072); /* the paper's */
  plan = make(128 * GB, 1000000, "", "");
  CHECK(plan.buffers > 0);
  plan = make(16 * GB, 1000000, "", ""); /* 859 bytes for each: refused */
  CHECK_EQ(plan.buffers, 0);
  plan = make(GB, SIZE_MAX / 4, "", ""); /* what overflows does not fit */
  CHECK_EQ(plan.buffers, 0);
}

static void check_small(void) {
  weft_plan_t plan = make(GB / 64, 1, "", ""); /* 800 KB */
  CHECK(plan.buffers > 0);
  plan = make(GB / 1024, 1, "", ""); /* 50 KB: less of everything */
  CHECK(plan.buffers > 0);
  CHECK(plan.spares < 4);
  plan = make(4096, 1, "", "");
  CHECK_EQ(plan.buffers, 0);
  for (size_t memory = 1 << 12; memory < 64 * GB; memory += memory / 3)
    for (size_t clients = 1; clients < 2000000; clients = clients * 3 + 1)
      make(memory, clients, "", "");
}

static void check_options(void) {
  weft_plan_t plan = make(16 * GB, 100, "2x3K", "4x128K");
  CHECK_EQ(plan.buffers, 2);
  CHECK_EQ(plan.buffer_bytes, 3072);
  CHECK_EQ(plan.spares, 4);
  CHECK_EQ(plan.spare_bytes, 128 << 10);
  CHECK_EQ(make(16 * GB, 100, "2x3K", "0x0").spares, 0);
  CHECK_EQ(make(16 * GB, 150000, "2x3K", "").channels, 0); /* what was asked for does not fit */
  const char *bad[] = {"2", "x3K", "2x", "0x3K", "9x3K", "2x100", "2x3001", "2x2M", "-1x3K"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    weft_plan_t none = {0};
    weft_plan_input_t in = {.memory = GB, .clients = 1, .channels = 1, .buffers = bad[i]};
    CHECK_EQ(weft_plan_make(&none, &in), -EINVAL);
  }
}

int main(void) {
  check_preset();
  check_many();
  check_small();
  check_options();
  return 0;
}
