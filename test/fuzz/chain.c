/*
 * References to another image's components (caf/chain.c): any requests of PEs of other nodes, as
 * the port hands them on. An input is a list of these, each behind its length of two bytes. What
 * the owner has is its slot, and a page elsewhere, which only the kernel reads and writes.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "caf/chain.h"
#include "caf/internal.h"
#include "wire.h"

enum {
  OWNER = 4242, /* a process */
  HEAP = 3 * PAGE,
  ARRAY = HEAP + 256, /* slot offsets: of 8 words that a pointer leads to, */
  POINTERS = HEAP     /* of its descriptor and, behind it, of a pointer to the page elsewhere */
};

static const uintptr_t ELSEWHERE = (uintptr_t)2 << 44;
static char elsewhere[PAGE]; /* where this process has that page */
static weft_query_t serve;

void __wrap_weft_query_register(enum weft_query what, weft_query_t run);
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *here, unsigned long nhere,
                                const struct iovec *there, unsigned long nthere, unsigned long how);
ssize_t __wrap_process_vm_writev(pid_t pid, const struct iovec *here, unsigned long nhere,
                                 const struct iovec *there, unsigned long nthere,
                                 unsigned long how);

void __wrap_weft_query_register(enum weft_query what, weft_query_t run) {
  FUZZ_CHECK(what == WEFT_QUERY_CHAIN);
  serve = run;
}

/* Bytes that were moved, up to the first piece that is not there. */
static ssize_t move(pid_t pid, const struct iovec *here, const struct iovec *there, unsigned long n,
                    bool write) {
  char *at = here->iov_base;
  size_t left = here->iov_len;
  FUZZ_CHECK(pid == OWNER);
  for (unsigned long i = 0; i < n; i++) {
    const uintptr_t off = (uintptr_t)there[i].iov_base - ELSEWHERE;
    FUZZ_CHECK(there[i].iov_len <= left);
    if (off > PAGE || there[i].iov_len > PAGE - off) break;
    memcpy(write ? elsewhere + off : at, write ? at : elsewhere + off, there[i].iov_len);
    at += there[i].iov_len, left -= there[i].iov_len;
  }
  return (ssize_t)(here->iov_len - left);
}

ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *here, unsigned long nhere,
                                const struct iovec *there, unsigned long nthere,
                                unsigned long how) {
  FUZZ_CHECK(nhere == 1 && how == 0);
  return move(pid, here, there, nthere, false);
}

ssize_t __wrap_process_vm_writev(pid_t pid, const struct iovec *here, unsigned long nhere,
                                 const struct iovec *there, unsigned long nthere,
                                 unsigned long how) {
  FUZZ_CHECK(nhere == 1 && how == 0);
  return move(pid, here, there, nthere, true);
}

static void make_job(void) {
  static int pids[PES] = {OWNER, OWNER};
  wire_job(true);
  weft_job.pids = pids;
  weft_caf_chain_start();
}

/* A pointer to an array of the slot, and one to the page elsewhere. */
static void fill(void) {
  char *slot = weft_job_slot(0);
  const weft_caf_descriptor_t array = {.base = (char *)weft_job_base_of(0) + ARRAY,
                                       .elem_len = 8,
                                       .rank = 1,
                                       .span = 8,
                                       .dim = {{.stride = 1, .lower = 1, .upper = 8}}};
  memcpy(slot + POINTERS, &array, weft_caf_descriptor_bytes(1));
  memcpy(slot + POINTERS + 64, &ELSEWHERE, sizeof ELSEWHERE);
  memcpy(elsewhere, &array, weft_caf_descriptor_bytes(1));
}

static void carry_out(const uint8_t *next, size_t left) {
  const size_t most = weft_query_max();
  while (left >= 2) {
    size_t n = next[0] | (size_t)next[1] << 8;
    next += 2, left -= 2;
    if (n > left) n = left;
    if (n > most) n = most;
    char *request = malloc(n ? n : 1), *answer = malloc(most);
    FUZZ_CHECK(request && answer);
    memcpy(request, next, n);
    FUZZ_CHECK(serve(0, 2, request, n, answer) <= most);
    free(request);
    free(answer);
    next += n, left -= n;
  }
}

static void clear(void) {
  wire_clear();
  memset(elsewhere, 0, PAGE);
}

bool fuzz_input(const uint8_t *data, size_t size) {
  if (!weft_job.npes) make_job();
  fill();
  if (setjmp(fuzz_end)) {
    clear();
    return false;
  }
  carry_out(data, size);
  clear();
  return true;
}
