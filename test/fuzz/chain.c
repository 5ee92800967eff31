/*
 * References to another image's components (caf/chain.c): any requests of PEs of other nodes, as
 * the port hands them on, and any answers to requests of this PE. An input is a list of these, each
 * behind its length of two bytes. A length with one of its two highest bits stands for a read or a
 * write of this PE itself, which the next records answer; with both for a call of gfortran's
 * (by_ref.c), which its other bits describe. What the owner has is its slot, and a page elsewhere,
 * which only the kernel reads and writes. Bit CHECK of the last such call is WEFT_CHECK.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "by_ref.h"
#include "caf/chain.h"
#include "caf/internal.h"
#include "wire.h"

enum {
  OWNER = 4242, /* a process */
  HEAP = 3 * PAGE,
  ARRAY = HEAP + 256, /* slot offsets: of 8 words that a pointer leads to, */
  POINTERS = HEAP,    /* of its descriptor and, behind it, of a pointer to the page elsewhere */
  AWAY = 2,           /* a PE of another node */
  WORDS = 4,          /* that this PE wants of it */
  READ = 1 << 15,
  WRITE = 1 << 14,
  CHECK = 8
};

static const uintptr_t ELSEWHERE = (uintptr_t)2 << 44;
static char elsewhere[PAGE]; /* where this process has that page */
static weft_query_t serve;
static const uint8_t *input, *input_end;

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

size_t __wrap_weft_query_call(weft_channel_t *c, int pe, enum weft_query what, const void *request,
                              size_t n, void *answer);
void __wrap_weft_caf_get(int pe, const weft_caf_section_t *local, const weft_caf_section_t *remote,
                         bool overlap);
void __wrap_weft_caf_put(int pe, const weft_caf_section_t *remote, const weft_caf_section_t *local,
                         bool overlap);

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

/* ---- this PE's own references --------------------------------------------------------------- */

/* The next record's bytes, and the bits of its length. */
static size_t next_record(unsigned *bits) {
  if (input_end - input < 2) return 0;
  const unsigned head = input[0] | (unsigned)input[1] << 8;
  const size_t left = (size_t)(input_end - input) - 2, most = weft_query_max();
  size_t n = head & (WRITE - 1);
  *bits = head & (READ | WRITE);
  if (n > left) n = left;
  if (n > most) n = most;
  input += 2;
  return n;
}

/* No more than weft_query_max bytes, which is what there is room for. */
size_t __wrap_weft_query_call(weft_channel_t *c, int pe, enum weft_query what, const void *request,
                              size_t n, void *answer) {
  static char sink[MESSAGE_MAX];
  unsigned bits;
  (void)c;
  FUZZ_CHECK(pe == AWAY && what == WEFT_QUERY_CHAIN && n <= weft_query_max());
  memcpy(sink, request, n); /* it is all there */
  n = next_record(&bits);
  memcpy(answer, input, n);
  input += n;
  return n;
}

/* What goes as a put or get is in the window. */
static void check_section(const weft_caf_section_t *remote) {
  ptrdiff_t first, end;
  weft_caf_reach(remote, &first, &end);
  FUZZ_CHECK(weft_window_contains(&weft_job.window, remote->at + first, (size_t)(end - first)));
}

void __wrap_weft_caf_get(int pe, const weft_caf_section_t *local, const weft_caf_section_t *remote,
                         bool overlap) {
  (void)local;
  FUZZ_CHECK(pe == AWAY && overlap);
  check_section(remote);
}

void __wrap_weft_caf_put(int pe, const weft_caf_section_t *remote, const weft_caf_section_t *local,
                         bool overlap) {
  (void)local;
  FUZZ_CHECK(pe == AWAY && overlap);
  check_section(remote);
}

/* x[AWAY]%array(list) and x[AWAY]%array(a:b): the elements that the answers name, as the callers of
 * chain.c move them. */
static void refer(bool write) {
  static const ptrdiff_t places[WORDS];
  static const weft_caf_step_t component = {.type = WEFT_CAF_COMPONENT, .follow = 1, .item = 8},
                               array = {.type = WEFT_CAF_ARRAY, .rank = 2, .item = 8};
  const weft_caf_element_t word = {.class = WEFT_CAF_RAW, .bytes = 8};
  weft_caf_chain_t chain = {.n = 0};
  weft_caf_place_t place;
  weft_caf_section_t remote, local;
  uint64_t along[WORDS] = {0};
  weft_caf_chain_add(&chain, &component);
  weft_caf_subscript_t *subscript = weft_caf_subscripts(weft_caf_chain_add(&chain, &array));
  subscript[0] = (weft_caf_subscript_t){.mode = WEFT_CAF_VECTOR, .end = 7, .n = WORDS};
  subscript[1] = (weft_caf_subscript_t){.mode = WEFT_CAF_FULL};
  weft_caf_chain_walk(AWAY, (char *)weft_job.window.base + HEAP, &chain, &place, along,
                      sizeof along, word.bytes, write);
  FUZZ_CHECK(place.outcome <= WEFT_CAF_OUTSIDE && place.moved <= sizeof along);
  if (place.outcome != WEFT_CAF_FOUND || place.moved) return;
  weft_caf_place_section(&place, &word, &remote);
  for (int d = 0; d < remote.rank; d++) {
    if (!place.dim[d].vector) continue;
    FUZZ_CHECK(place.dim[d].vector == 1 && remote.dim[d].n == WORDS);
    remote.dim[d].places = places;
  }
  if (weft_caf_elements(&remote) > MESSAGE_MAX) return; /* as many as the other side has */
  char *memory = weft_caf_bounce(&local, &remote);
  memset(memory, 0, weft_caf_elements(&remote) * word.bytes);
  if (write)
    weft_caf_chain_put(AWAY, &remote, &local);
  else
    weft_caf_chain_get(AWAY, &local, &remote);
  free(memory);
}

/* Before the first input, so that the memory which stays is none of an input's. */
static __attribute__((constructor)) void make_job(void) {
  static int pids[PES] = {OWNER, OWNER};
  static struct {
    uint16_t n;
    weft_caf_place_t place;
  } __attribute__((packed)) nothing = {sizeof nothing.place, {.outcome = WEFT_CAF_NOTHING}};
  wire_job(true);
  weft_job.pids = pids;
  weft_caf_chain_start();
  input = (const uint8_t *)&nothing, input_end = input + sizeof nothing;
  refer(false);
}

/* ---- others' requests ------------------------------------------------------------------------ */

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

static void carry_out(size_t n) {
  const size_t most = weft_query_max();
  char *request = malloc(n ? n : 1), *answer = malloc(most);
  FUZZ_CHECK(request && answer);
  memcpy(request, input, n);
  input += n;
  FUZZ_CHECK(serve(0, AWAY, request, n, answer) <= most);
  free(request);
  free(answer);
}

static void clear(void) {
  wire_clear();
  memset(elsewhere, 0, PAGE);
  weft_options.check = false;
}

bool fuzz_input(const uint8_t *data, size_t size) {
  fill();
  input = data, input_end = data + size;
  if (setjmp(fuzz_end)) {
    clear();
    return false;
  }
  while (input_end - input >= 2) {
    unsigned bits;
    const uint8_t *const record = input;
    const size_t n = next_record(&bits);
    if (bits) input = record + 2;
    if (bits == (READ | WRITE)) {
      weft_options.check = record[0] & CHECK;
      by_ref(record[0] | (unsigned)record[1] << 8);
    } else if (bits) {
      refer(bits & WRITE);
    } else {
      carry_out(n);
    }
  }
  clear();
  return true;
}
