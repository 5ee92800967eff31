/*
 * Memory transfer, also between two other threads and of 0 bytes (trap 34), and its non-blocking
 * forms (trap 41): handles may be complete at once, synci does not cover them; casts; semaphores.
 */
#include "runtime.h"

#include "check.h"

typedef struct weft_upc_transfer *handle;
handle upc_memcpy_nb(pts dst, pts src, size_t n);
handle upc_memget_nb(void *dst, pts src, size_t n);
handle upc_memput_nb(pts dst, const void *src, size_t n);
handle upc_memset_nb(pts dst, int c, size_t n);
void upc_sync(handle h);
int upc_sync_attempt(handle h);
void upc_memcpy_nbi(pts dst, pts src, size_t n);
void upc_memget_nbi(void *dst, pts src, size_t n);
void upc_memput_nbi(pts dst, const void *src, size_t n);
void upc_memset_nbi(pts dst, int c, size_t n);
void upc_synci(void);
int upc_synci_attempt(void);
void bupc_begin_accessregion(void);
handle bupc_end_accessregion(void);
pts bupc_inverse_cast(void *ptr);
pts bupc_sem_alloc(int flags);
void bupc_sem_free(pts sem);
void bupc_sem_wait(pts sem);
void bupc_sem_waitN(pts sem, size_t n);
int bupc_sem_try(pts sem);
void bupc_sem_post(pts sem);
void bupc_memput_signal(pts dst, const void *src, size_t n, pts sem, size_t posts);

enum { MOST = 300000 };
static pts area; /* MOST bytes on each thread */
static unsigned long sems;
static unsigned char out[MOST], in[MOST];

static void fill(int seed, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = (unsigned char)(seed + (int)(i * 7));
}

static void blocking(size_t n) {
  for (int to = 0; to < N; to++) {
    const pts far = at_thread(area, to), next = at_thread(area, (to + 1) % N);
    BARRIER();
    if (ME == (to + 2) % N) {
      fill(to + (int)n, n);
      upc_memput(far, out, n);
      memset(in, 0, n);
      upc_memget(in, far, n);
      CHECK(memcmp(in, out, n) == 0);
      if (N > 1) {
        upc_memcpy(next, far, n); /* between two others */
        memset(in, 0, n);
        upc_memget(in, next, n);
        CHECK(memcmp(in, out, n) == 0);
      }
      upc_memset(far, 0x1a5, n);
      upc_memget(in, far, n);
      for (size_t i = 0; i < n; i++) CHECK_EQ(in[i], 0xa5);
    }
  }
  BARRIER();
}

static void begun(size_t n) {
  const pts far = at_thread(area, (ME + 1) % N), own = at_thread(area, ME);
  enum { MANY = 8 };
  handle h[MANY];
  fill(ME, n);
  for (size_t k = 0; k < MANY; k++)
    h[k] = upc_memput_nb(far + n / MANY * k, out + n / MANY * k, n / MANY);
  weft_upc_fence();
  for (int k = MANY - 1; k >= 0; k--) upc_sync(h[k]);
  weft_upc_fence();
  BARRIER();
  h[0] = upc_memget_nb(in, far, n / MANY * MANY);

  while (!upc_sync_attempt(h[0])) weft_upc_spin();
  CHECK(memcmp(in, out, n / MANY * MANY) == 0);
  BARRIER();
  h[1] = upc_memset_nb(far, 3, n);
  upc_memget_nbi(in, own, 0);
  upc_synci();
  upc_sync(h[1]);
  BARRIER();
  CHECK_EQ(((unsigned char *)weft_upc_local(own))[n - 1], 3);
  BARRIER();
  upc_sync(upc_memcpy_nb(far, own, n));
  upc_memput_nbi(far, out, n / 2);
  upc_memset_nbi(far + n / 2, 9, n - n / 2);
  while (!upc_synci_attempt()) weft_upc_spin();
  upc_memget_nbi(in, far, n);
  upc_synci();
  CHECK(memcmp(in, out, n / 2) == 0);
  CHECK_EQ(in[n - 1], 9);
  bupc_begin_accessregion();
  upc_memput_nbi(far, out + 1, n - 1);
  upc_memset_nbi(far + n - 1, 5, 1);
  upc_sync(bupc_end_accessregion());
  upc_memget(in, far, n);
  CHECK(memcmp(in, out + 1, n - 1) == 0);
  CHECK_EQ(in[n - 1], 5);
  upc_memcpy_nbi(own, own, 0);
  upc_sync((handle)0);
  CHECK_EQ(upc_sync_attempt((handle)0), 1);
  BARRIER();
}

static void casts(void) {
  for (int t = 0; t < N; t++) {
    const pts p = at_thread(area, t) + 40;
    char *here = upc_cast(p);
    CHECK(t != ME || here == weft_upc_local(p));
    if (here) {
      CHECK_EQ(bupc_inverse_cast(here), p);
      if (ME == 0) *here = (char)(t + 1);
      if (ME == 0) CHECK_EQ(WEFT_UPC_GET(char, p), t + 1);
    }
  }
  int private_one = 0;
  CHECK_EQ(bupc_inverse_cast(&private_one), 0);
  CHECK(upc_cast(0) == NULL);
}

/* A ring: data and a post to the next, who waits. */
static void semaphores(void) {
  const pts mine = bupc_sem_alloc(2);
  WEFT_UPC_PUT_COPY(unsigned long, &sems, ME, mine);
  CHECK_EQ(bupc_sem_try(mine), 0);
  BARRIER();
  const int to = (ME + 1) % N, from = (ME + N - 1) % N;
  const pts next = WEFT_UPC_GET_COPY(unsigned long, &sems, to);
  for (int i = 1; i < 30; i++) {
    long value = i * 100 + ME;
    bupc_memput_signal(at_thread(area, to), &value, sizeof value, next, 2);
    bupc_sem_waitN(mine, 2);
    CHECK_EQ(*(long *)weft_upc_local(at_thread(area, ME)), i * 100 + from);
    BARRIER();
  }
  bupc_sem_post(next);
  bupc_sem_wait(mine);
  BARRIER();
  bupc_sem_free(next);
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  area = upc_all_alloc((size_t)N, MOST);
  upc_memcpy(0, 0, 0), upc_memput(0, out, 0), upc_memget(out, 0, 0), upc_memset(0, 1, 0);
  blocking(8), blocking(1500), blocking(MOST);
  begun(64), begun(MOST);
  casts();
  BARRIER();
  semaphores();
  weft_upc_end(0);
}
