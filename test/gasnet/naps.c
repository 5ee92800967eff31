/*
 * Waits that nap. PE 0 is late; the others wait for it in a barrier or in GASNET_BLOCKUNTIL. After
 * GASNET_WAIT_BLOCK, and with WEFT_WAIT=nap (the argument), they nap, on average for at least 0.1
 * ms in so long a wait. Otherwise they nap only where there are more PEs than processors.
 */
#define GASNET_SEQ
#include <gasnet.h>

#include <sched.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>

#include "check.h"

enum { HANDLER = 200, NAP_LEAST_NS = 100000 /* on average */ };
#define SECOND 1000000000ll
#define LATE_NS (SECOND / 5)
#define MOST_LATE (16 * SECOND)

static volatile int arrived;
static _Thread_local int naps;

/* In front of libc's, for the library too. */
int nanosleep(const struct timespec *time, struct timespec *left) {
  naps++;
  return (int)syscall(SYS_nanosleep, time, left);
}

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

static void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  CHECK_EQ(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS), GASNET_OK);
}

static void arrive(gasnet_token_t token) {
  (void)token;
  arrived = 1;
}

/* How often the calling thread naps in a barrier, or for a message, for which PE 0 is `late` ns
 * late. */
static int nap_for_late(bool for_message, long long late) {
  const int me = (int)gasnet_mynode(), n = (int)gasnet_nodes();
  barrier();
  naps = 0;
  const long long begin = now_ns();
  if (me == 0) {
    nanosleep(&(struct timespec){late / SECOND, late % SECOND}, NULL);
    for (int pe = 1; pe < n && for_message; pe++)
      CHECK_EQ(gasnet_AMRequestShort0((gasnet_node_t)pe, HANDLER), GASNET_OK);
  } else if (for_message) {
    GASNET_BLOCKUNTIL(arrived);
    arrived = 0;
  }
  if (!for_message) barrier();
  if (me != 0) CHECK((long long)naps * NAP_LEAST_NS < now_ns() - begin);
  return naps;
}

/* Before the first nap others get the processor, as often as steps find nothing: on a busy machine
 * that may take longer than PE 0 is late. Then it is later. */
static void wait_for_late(bool for_message, bool is_to_nap) {
  for (long long late = LATE_NS; late < MOST_LATE; late *= 2) {
    const int times = nap_for_late(for_message, late), me = (int)gasnet_mynode();
    const bool well = me == 0 || (times > 0) == is_to_nap;
    if (!is_to_nap) CHECK(well);
    gasnet_barrier_notify(well, 0);
    if (gasnet_barrier_wait(well, 0) == GASNET_OK && well) return;
  }
  CHECK(!"all napped");
}

int main(int argc, char **argv) {
  gasnet_handlerentry_t table[] = {{HANDLER, (void (*)(void))arrive}};
  cpu_set_t cpus;
  CHECK_EQ(gasnet_set_waitmode(GASNET_WAIT_SPINBLOCK), GASNET_OK); /* before the job */
  CHECK_EQ(gasnet_init(&argc, &argv), GASNET_OK);
  CHECK_EQ(gasnet_attach(table, 1, GASNET_PAGESIZE, 0), GASNET_OK);
  CHECK_EQ(sched_getaffinity(0, sizeof cpus, &cpus), 0);
  const bool asked = argc > 1, crowded = (int)gasnet_nodes() > CPU_COUNT(&cpus);
  for (int for_message = 0; for_message < 2; for_message++) {
    wait_for_late(for_message, asked || crowded);
    CHECK_EQ(gasnet_set_waitmode(GASNET_WAIT_BLOCK), GASNET_OK);
    wait_for_late(for_message, true);
    CHECK_EQ(gasnet_set_waitmode(GASNET_WAIT_SPINBLOCK), GASNET_OK);
    wait_for_late(for_message, asked || crowded);
  }
  barrier();
  gasnet_exit(0);
}
