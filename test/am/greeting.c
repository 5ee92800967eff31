/*
 * The first packet on a context may be one of a flow, and reach the port together with the greeting
 * that says where its answer goes: here every round of a port's server begins late.
 */
#include <shmem.h>

#include "check.h"
#include "port/port_internal.h"

int __real_weft_server_run(void);
int __wrap_weft_server_run(void);

enum { CONTEXTS = 4, BLOCKS = 100 };

int __wrap_weft_server_run(void) {
  usleep(20000);
  return __real_weft_server_run();
}

int main(void) {
  static long to[CONTEXTS][2 * BLOCKS];
  shmem_ctx_t ctx[CONTEXTS];
  long from[BLOCKS];
  shmem_init();
  const int far = shmem_n_pes() - 1;
  for (int i = 0; i < BLOCKS; i++) from[i] = i;
  shmem_barrier_all();
  for (int k = 0; k < CONTEXTS && shmem_my_pe() == 0; k++) {
    CHECK_EQ(shmem_ctx_create(0, &ctx[k]), 0);
    shmem_ctx_long_iput(ctx[k], to[k], from, 2, 1, BLOCKS, far);
  }
  for (int k = 0; k < CONTEXTS && shmem_my_pe() == 0; k++) shmem_ctx_destroy(ctx[k]);
  shmem_barrier_all();
  for (int k = 0; k < CONTEXTS && shmem_my_pe() == far; k++)
    for (int i = 0; i < 2 * BLOCKS; i++) CHECK_EQ(to[k][i], i % 2 ? 0 : i / 2);
  shmem_finalize();
  return 0;
}
