/*
 * A node has no more PEs than a slot's number can say: the job does not begin, with one line.
 */
#include "check.h"
#include "job/job.h"

int __wrap_weft_boot_open(weft_boot_t **out);

/* All are on the node of this one. */
static int gather(weft_boot_t *boot, const void *mine, size_t len, void *all) {
  for (int pe = 0; pe < boot->npes; pe++) memcpy((char *)all + (size_t)pe * len, mine, len);
  return 0;
}

static weft_boot_t boot = {.npes = WEFT_MAX_SLOTS + 1, .name = "many", .allgather = gather};

int __wrap_weft_boot_open(weft_boot_t **out) {
  *out = &boot;
  return 0;
}

int main(void) {
  CHECK_EQ(weft_job_start(NULL, 4096), -E2BIG);
  CHECK_EQ(weft_log_warnings(), 1);
  return 0;
}
