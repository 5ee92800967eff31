/*
 * A program that stops and starts anew, several times: its helper goes on all the time, and may be
 * looking at the connections when they are looked at for the next life.
 */
#include <unistd.h>

#include "check.h"
#include "coll/coll.h"
#include "job/job.h"
#include "runtime/runtime.h"

int main(void) {
  for (int life = 0; life < 6; life++) {
    weft_runtime_start("test");
    CHECK_EQ(weft_job.npes, 2);
    weft_coll_sync(weft_team_world());
    usleep(100000); /* two looks */
    weft_runtime_stop();
  }
  return 0;
}
