/*
 * With UNLIKE=1 the second PE's provider brings no notes with writes, as if its host had another
 * libfabric; with UNLIKE=door its calls of connect and so on do not pass by Weft. For unlike.sh.
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

static bool is_unlike(const char *how) {
  const char *unlike = getenv("UNLIKE");
  return unlike && strcmp(unlike, how) == 0 && weft_job.pe == 1;
}

int __wrap_weft_fabric_find(weft_fabric_t *f, const char *provider, const char *iface,
                            const char *completion) {
  const int rc = __real_weft_fabric_find(f, provider, iface, completion);
  if (is_unlike("1")) f->notes = !f->notes;
  return rc;
}

bool __real_weft_fabric_has_door(weft_endpoint_t *e);
bool __wrap_weft_fabric_has_door(weft_endpoint_t *e);

bool __wrap_weft_fabric_has_door(weft_endpoint_t *e) {
  return __real_weft_fabric_has_door(e) && !is_unlike("door");
}

int main(void) {
  shmem_init();
  shmem_barrier_all();
  CHECK_EQ(weft_fabric_refused(), 0);
  shmem_finalize();
  return 0;
}
