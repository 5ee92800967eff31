/*
 * How deep Weft is: prints the return addresses between a call and libfabric, for a quiet that
 * sends what was gathered, and for an atomic. depth.sh makes functions of them. The endpoint's
 * table of libfabric is replaced by one that looks who called.
 */
#include <shmem.h>

#include <execinfo.h>
#include <pthread.h>

#include "check.h"
#include "job/job.h"

static struct fi_ops_msg ops;
static ssize_t (*inject)(struct fid_ep *, const void *, size_t, fi_addr_t);
static ssize_t (*send_it)(struct fid_ep *, const void *, size_t, void *, fi_addr_t, void *);
static const char *look; /* what is looked at */
static pthread_t looks;
static bool seen;

static void note(void) {
  extern const char __executable_start; /* addr2line counts from there */
  void *at[32];
  if (!look || !pthread_equal(pthread_self(), looks)) return;
  const int n = backtrace(at, 32);
  printf("%s", look);
  for (int i = 2; i < n; i++) /* neither this nor what stands for libfabric */
    printf(" %zx", (size_t)((char *)at[i] - &__executable_start) - 1);
  puts("");
  look = NULL, seen = true;
}

static ssize_t see_inject(struct fid_ep *ep, const void *data, size_t n, fi_addr_t to) {
  note();
  return inject(ep, data, n, to);
}

static ssize_t see_send(struct fid_ep *ep, const void *data, size_t n, void *d, fi_addr_t to,
                        void *context) {
  note();
  return send_it(ep, data, n, d, to, context);
}

static long word, many[64];

static __attribute__((noinline)) void program_quiet(void) {
  look = "quiet";
  shmem_quiet();
  __asm__ volatile("");
}

static __attribute__((noinline)) long program_atomic(void) {
  look = "atomic";
  const long old = shmem_long_atomic_fetch_add(&word, 1, 1);
  __asm__ volatile("");
  return old;
}

int main(void) {
  shmem_init();
  if (shmem_my_pe() == 0) {
    struct fid_ep *ep = weft_job.endpoint.ep;
    looks = pthread_self();
    ops = *ep->msg, inject = ops.inject, send_it = ops.send;
    ops.inject = see_inject, ops.send = see_send;
    ep->msg = &ops;
    for (int i = 0; i < 1000 && !seen; i++) { /* the first leaves at once, others behind it */
      for (int k = 0; k < 64; k++) shmem_long_p(&many[k], k, 1);
      program_quiet();
      look = NULL;
    }
    CHECK(seen);
    CHECK_EQ(program_atomic(), 0);
    CHECK(!look);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
