/* PE 0 returns from main while the others are in a reduction that it does not call (leaves.sh). */
#include <shmem.h>

static long in = 1, out;

int main(void) {
  shmem_init();
  if (shmem_my_pe() == 0) return 0;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &out, &in, 1);
  shmem_finalize();
  return 0;
}
