/*
 * A put that nobody asks about is answered when nothing has come for a microsecond, and not before:
 * the answer would disturb the sender, whose next put may follow at once. Here the receiver's clock
 * stands still meanwhile, and its helper is out of the way: so two puts have one answer.
 */
#include <shmem.h>

#include "check.h"
#include "port/port_internal.h"

uint64_t __real_weft_clock_ns(void);
uint64_t __wrap_weft_clock_ns(void);
int __real_weft_progress_help(void);
int __wrap_weft_progress_help(void);

enum { ROUNDS = 10, LOOKS = 1000, APART_US = 50000, LATER_NS = 1000000 };

static uint64_t stopped; /* ns: what the clock says; 0: it goes */
static long ball, ready, first, second;

uint64_t __wrap_weft_clock_ns(void) {
  const uint64_t at = __atomic_load_n(&stopped, __ATOMIC_RELAXED);
  return at ? at : __real_weft_clock_ns();
}

int __wrap_weft_progress_help(void) {
  return __atomic_load_n(&stopped, __ATOMIC_RELAXED) ? -1 : __real_weft_progress_help();
}

static void look(int times) {
  weft_wait_t wait = {0};
  for (int i = 0; i < times; i++) weft_wait_step(&wait);
}

static void set_clock(uint64_t ns) {
  __atomic_store_n(&stopped, ns, __ATOMIC_RELAXED);
}

static long word(const long *p) {
  return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

/* So no PE is taken for one that waits for the answers to its puts (weft_lone_t). */
static void play(int me) {
  for (long i = 1; i <= ROUNDS; i++) {
    if (me == 0) shmem_long_p(&ball, i, 1);
    shmem_long_wait_until(&ball, SHMEM_CMP_EQ, i);
    if (me == 1) shmem_long_p(&ball, i, 0);
  }
}

static void receive(void) {
  weft_wait_t wait = {0};
  while (weft_server_owes()) weft_wait_step(&wait);
  set_clock(__real_weft_clock_ns());
  usleep(APART_US); /* the helper is through with what it was at */
  const uint64_t before = weft_server_answers();
  shmem_long_p(&ready, 1, 0);
  while (!word(&second)) weft_wait_step(&wait);
  look(LOOKS);
  CHECK_EQ(word(&first), 1);
  CHECK_EQ(weft_server_answers() - before, 0);
  set_clock(stopped + LATER_NS);
  look(LOOKS);
  CHECK_EQ(weft_server_answers() - before, 1);
  set_clock(0);
  shmem_long_p(&ready, 2, 0);
}

/* While it sleeps it asks for no answer. */
static void put_both(void) {
  shmem_long_wait_until(&ready, SHMEM_CMP_EQ, 1);
  shmem_long_p(&first, 1, 1);
  usleep(APART_US);
  shmem_long_p(&second, 1, 1);
  while (word(&ready) != 2) usleep(1000);
}

int main(void) {
  shmem_init();
  CHECK_EQ(shmem_n_pes(), 2);
  shmem_barrier_all();
  play(shmem_my_pe());
  if (shmem_my_pe() == 1)
    receive();
  else
    put_both();
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
