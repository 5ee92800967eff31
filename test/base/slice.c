/*
 * PEs and the threads that they make have slices of WEFT_DEBUG=slice_us, as the kernel itself says;
 * with 0 they keep what they had. Before Linux 6.12 there is no such thing.
 */
#include <shmem.h>

#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "check.h"

/* This thread's slice in ns; 0: the kernel does not tell. */
static uint64_t slice(void) {
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } now = {0};
  return syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) == 0 ? now.runtime : 0;
}

static void *ask(void *arg) {
  *(uint64_t *)arg = slice();
  return NULL;
}

int main(void) {
  const char *us = getenv("SLICE");
  struct utsname kernel;
  int major = 0, minor = 0;
  uint64_t of_thread = 0;
  pthread_t thread;
  const uint64_t before = slice();
  CHECK_EQ(uname(&kernel), 0);
  CHECK_EQ(sscanf(kernel.release, "%d.%d", &major, &minor), 2);
  if (major < 6 || (major == 6 && minor < 12) || before == 0)
    CHECK_SKIP("this kernel has no slices that a thread chooses");
  CHECK(before != 100000);
  shmem_init();
  const uint64_t wanted = strcmp(us, "0") == 0 ? before : strtoull(us, NULL, 10) * 1000;
  CHECK_EQ(slice(), wanted);
  CHECK_EQ(pthread_create(&thread, NULL, ask, &of_thread), 0);
  pthread_join(thread, NULL);
  CHECK_EQ(of_thread, wanted);
  shmem_finalize();
  return 0;
}
