/*
 * With UNLIKE=1 the second PE's provider brings no notes with writes, as if its host had another
 * libfabric. For unlike.sh.
 */
#include <shmem.h>
#include <stdlib.h>

#include "check.h"
#include "fabric/fabric.h"
#include "job/job.h"

int __real_weft_fabric_find(weft_fabric_t *f, const char *provider, const char *iface,
                            const char *completion);
int __wrap_weft_fabric_find(weft_fabric_t *f, const char *provider, const char *iface,
                            const char *completion);

int __wrap_weft_fabric_find(weft_fabric_t *f, const char *provider, const char *iface,
                            const char *completion) {
  const int rc = __real_weft_fabric_find(f, provider, iface, completion);
  if (getenv("UNLIKE") && weft_job.pe == 1) f->notes = !f->notes;
  return rc;
}

int main(void) {
  shmem_init();
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
