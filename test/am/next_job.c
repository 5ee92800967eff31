/*
 * A PE that sleeps on its port's descriptor in one job waits in the next one, where it has no port.
 * test: unit
 */
#include "check.h"
#include "port/port_internal.h"

int main(void) {
  static weft_endpoint_t port;
  CHECK_EQ(weft_options_read(), 0);
  weft_job.ncpus = 1;
  weft_job.nkernel = 16; /* of these PEs it is alone on its node */
  weft_job.nnodes = 16;
  weft_job.nslots = 1;
  weft_job.fabric.sleeps_itself = true;
  weft_job.port = &port;
  weft_progress_start();
  weft_job.nnodes = 1;
  weft_job.nslots = 16;
  weft_job.port = NULL;
  weft_progress_start();
  weft_wait_t wait = {.sleeps = true};
  weft_wait_step(&wait);
  CHECK(!wait.dozes);
  return 0;
}
