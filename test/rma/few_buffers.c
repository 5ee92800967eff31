/*
 * Records in a row gather, also where a PE has only two buffers for a node, as in very large jobs:
 * the second one is not for a record that travels alone. For two nodes.
 */
#include <shmem.h>

#include "check.h"
#include "port/port.h"

enum { ADDS = 20000, WORDS = 1000 };

static long words[WORDS];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), other = shmem_n_pes() - 1;
  const weft_stage_t *stage = &weft_channels[0].stages[weft_job_node_of(other)];
  CHECK_EQ(weft_ports.buffers, 2);
  shmem_barrier_all();
  if (me == 0) {
    const uint32_t before = stage->sent;
    for (int i = 0; i < ADDS; i++) shmem_long_atomic_add(&words[i % WORDS], 1, other);
    shmem_quiet();
    CHECK(stage->sent - before < ADDS / 4);
  }
  shmem_barrier_all();
  for (int i = 0; me == other && i < WORDS; i++) CHECK_EQ(words[i], ADDS / WORDS);
  shmem_finalize();
  return 0;
}
