/* Every library of the specification but the collectives, from UPC text: allocation, parts of a pointer,
 * transfers, locks, atomics and their hints (trap 40), non-blocking transfers, castability, ticks, files. */
#define BUPC_USE_UPC_NAMESPACE
#include <string.h>
#include <unistd.h>
#include <upc_atomic.h>
#include <upc_castable.h>
#include <upc_io.h>
#include <upc_nb.h>
#include <upc_tick.h>
#include "expect.h"

shared [] char *shared given[THREADS];
shared [4] int row[4 * THREADS], back[4 * THREADS];
shared long counter, extremes[THREADS];
shared double real;
static int next, prev;

static void memory(void) {
  shared [3] short *all = upc_all_alloc(2 * THREADS, 3 * sizeof(short));
  shared [3] short *global = upc_global_alloc(THREADS, 3 * sizeof(short));
  given[next] = upc_alloc(10);
  CHECK(upc_threadof(given[next]) == (size_t)MYTHREAD && all && global);
  for (int i = 0; i < 6; i++) all[3 * THREADS * (i / 3) + 3 * MYTHREAD + i % 3] = (short)(10 * MYTHREAD + i);
  *given[next] = (char)MYTHREAD;
  upc_barrier;
  for (int i = 0; i < 6; i++) CHECK(all[3 * THREADS * (i / 3) + 3 * next + i % 3] == 10 * next + i);
  CHECK(upc_threadof(&all[3 * next + 1]) == (size_t)next && upc_phaseof(&all[3 * next + 1]) == 1);
  CHECK(upc_phaseof(upc_resetphase(&all[2])) == 0 && upc_addrfield(&all[2]) == upc_addrfield(all) + 4);
  CHECK(upc_affinitysize(7 * THREADS, 4, MYTHREAD) >= 4 && !upc_all_alloc(0, 4) && !upc_alloc(0));
  CHECK(*given[MYTHREAD] == prev);
  upc_free(given[MYTHREAD]); /* allocated by another thread */
  upc_free(global);
  upc_all_free(all);
}

static void transfer(void) {
  int out[4] = {MYTHREAD, 1, 2, 3}, in[4];
  upc_memput(&row[4 * next], out, sizeof out);
  upc_memget(in, &row[4 * next], sizeof in);
  CHECK(memcmp(in, out, sizeof in) == 0);
  upc_barrier;
  upc_memcpy(&back[4 * next], &row[4 * MYTHREAD], 4 * sizeof(int));
  upc_barrier;
  CHECK(back[4 * MYTHREAD] == (prev + THREADS - 1) % THREADS && back[4 * MYTHREAD + 3] == 3);
  upc_memset(&back[4 * next + 1], 255, 8);
  upc_handle_t h[4] = {upc_memput_nb(&row[4 * next], out + 1, 4), upc_memset_nb(&row[4 * next + 1], 0, 4),
                       UPC_COMPLETE_HANDLE, upc_memput_nb(&row[4 * next + 2], out, 8)};
  for (int i = 0; i < 4; i++)
    if (!upc_sync_attempt(h[i])) upc_sync(h[i]);
  upc_memget_nbi(in, &row[4 * next], sizeof in);
  while (!upc_synci_attempt()) {
  }
  CHECK(in[0] == 1 && in[1] == 0 && in[2] == MYTHREAD && in[3] == 1);
  upc_barrier;
  upc_memcpy_nbi(&back[4 * next], &row[4 * MYTHREAD], 4);
  upc_memset_nbi(&row[4 * MYTHREAD + 3], 1, 1);
  upc_synci();
  upc_barrier;
  CHECK(back[4 * MYTHREAD] == 1 && back[4 * MYTHREAD + 1] == -1 && back[4 * MYTHREAD + 2] == -1);
}

/* Berkeley's lists and strided regions (upc.vis has all of them). */
static void scattered(void) {
  int out[6] = {10, 11, 12, 13, 14, MYTHREAD}, in[6];
  bupc_pmemvec_t here = {out, sizeof out};
  bupc_smemvec_t there[] = {{&row[4 * next + 2], 8}, {&back[4 * next], 16}};
  shared const void *places[] = {&back[4 * next], &row[4 * next + 3], &row[4 * next + 2]};
  void *to = in;
  upc_barrier;
  bupc_memput_vlist(2, there, 1, &here);
  bupc_handle_t h[2] = {bupc_memget_ilist_async(1, &to, 12, 3, places, 4), BUPC_COMPLETE_HANDLE};
  bupc_waitsync_all(h, 2);
  CHECK(in[0] == 12 && in[1] == 11 && in[2] == 10 && h[0] == BUPC_COMPLETE_HANDLE);
  bupc_memget_fstrided(in, 4, 8, 2, &back[4 * next + 1], 4, 8, 2);
  CHECK(in[0] == 13 && in[2] == MYTHREAD);
}

/* BUPC_USE_UPC_NAMESPACE: each of Berkeley's names also with upc_. */
static void named(void) {
  int out[4] = {7, 8, 9, MYTHREAD}, in[2] = {0, 0};
  upc_smemvec_t there[2] = {{&row[4 * next + 3], 4}, {&row[4 * next], 12}};
  upc_pmemvec_t here = {out, sizeof out};
  upc_barrier;
  upc_memput_vlist(2, there, 1, &here);
  upc_waitsync(upc_memcpy_async(&row[4 * next + 1], &row[4 * next], 4));
  upc_handle_t h[2] = {upc_memset_async(&row[4 * next], 0, 4), upc_memput_async(&back[4 * next], out, 8)};
  while (!upc_trysync_some(h, 2)) {
  }
  upc_waitsync_some(h, 2);
  upc_waitsync_all(h, 2);
  CHECK(upc_trysync_all(h, 2) && upc_trysync(h[0]));
  upc_begin_accessregion();
  upc_memget_asynci(&in[0], &row[4 * next + 1], 4);
  upc_memput_asynci(&back[4 * next + 2], out, 4);
  upc_waitsync(upc_end_accessregion());
  upc_memcpy_asynci(&back[4 * next + 3], &row[4 * next + 3], 4);
  upc_memset_asynci(&back[4 * next + 1], 0, 4);
  upc_waitsynci();
  CHECK(upc_trysynci());
  upc_waitsync(upc_memget_async(&in[1], &back[4 * next + 3], 4));
  CHECK(in[0] == 8 && in[1] == 7 && row[4 * next] == 0 && back[4 * next + 1] == 0 && back[4 * next + 2] == 7);
#define SAME(name) CHECK((void *)upc_##name == (void *)bupc_##name)
#define KINDS(form)     \
  SAME(memcpy_##form);  \
  SAME(memput_##form);  \
  SAME(memget_##form)
  KINDS(vlist);
  KINDS(vlist_async);
  KINDS(ilist);
  KINDS(ilist_async);
  KINDS(fstrided);
  KINDS(fstrided_async);
  KINDS(strided);
  KINDS(strided_async);
}

static void locks(void) {
  upc_lock_t *lock = upc_all_lock_alloc(), *own = upc_global_lock_alloc();
  upc_lock(own);
  upc_lock_free(own); /* held */
  for (int i = 0; i < 20; i++) {
    if (i % 2) upc_lock(lock);
    else
      while (!upc_lock_attempt(lock)) {
      }
    counter = counter + 1;
    upc_unlock(lock);
  }
  upc_barrier;
  CHECK(counter == 20 * THREADS);
  upc_all_lock_free(lock);
}

static void atomics(void) {
  upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(
      UPC_LONG, UPC_ADD | UPC_INC | UPC_DEC | UPC_SUB | UPC_MULT | UPC_MIN | UPC_MAX | UPC_AND | UPC_OR | UPC_XOR | UPC_GET |
                    UPC_SET | UPC_CSWAP, UPC_ATOMIC_HINT_THROUGHPUT);
  upc_atomicdomain_t *r = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD | UPC_GET | UPC_CSWAP, 0);
  shared long *x = &extremes[0];
  long old = -1, one = 1, two = 2, me = MYTHREAD;
  upc_barrier;
  upc_atomic_relaxed(d, NULL, UPC_ADD, x, &two, NULL);
  upc_atomic_relaxed(d, NULL, UPC_INC, x, NULL, NULL);
  upc_atomic_strict(d, &old, UPC_SUB, x, &one, NULL);
  CHECK(old >= 3 && old <= 3 * THREADS);
  upc_atomic_strict(r, NULL, UPC_ADD, &real, &(double){0.5}, NULL);
  upc_barrier;
  upc_atomic_relaxed(d, &old, UPC_GET, x, NULL, NULL);
  CHECK(old == 2 * THREADS && real == 0.5 * THREADS);
  upc_barrier;
  static const upc_op_t ops[] = {UPC_SET, UPC_MULT, UPC_DEC, UPC_OR, UPC_XOR, UPC_AND, UPC_MAX, UPC_MIN};
  static const long operand[] = {5, 3, 0, 32, 3, 45, 100, 7}, after[] = {5, 15, 14, 46, 45, 45, 100, 7};
  for (int i = 0; i < 8; i++) {
    upc_atomic_strict(d, NULL, ops[i], &extremes[me], ops[i] == UPC_DEC ? NULL : &operand[i], NULL);
    CHECK(extremes[me] == after[i]);
  }
  upc_atomic_relaxed(d, &old, UPC_CSWAP, &extremes[me], &(long){7}, &two);
  upc_atomic_relaxed(r, &(double){0}, UPC_CSWAP, &real, &(double){99}, &(double){1});
  CHECK(old == 7 && extremes[me] == 2 && real == 0.5 * THREADS && upc_atomic_isfast(UPC_LONG, UPC_ADD, &extremes[me]));
  upc_all_atomicdomain_free(d);
  upc_all_atomicdomain_free(r);
}

static void others(void) {
  upc_tick_t t = upc_ticks_now();
  int *mine = upc_cast(&row[4 * MYTHREAD]), *other = upc_cast(&row[4 * next]);
  CHECK(mine == (int *)&row[4 * MYTHREAD] && !upc_cast(NULL));
  CHECK(!other == !upc_thread_info((size_t)next).guaranteedCastable && (!other || *other == row[4 * next]));
  CHECK(upc_ticks_to_ns(1000) > 0 && upc_ticks_now() >= t && t > UPC_TICK_MIN);
}

static void files(void) {
  char name[40];
  int pid = getpid(), in[2], out[2] = {MYTHREAD, -MYTHREAD};
  static shared int leader;
  if (MYTHREAD == 0) leader = pid;
  upc_barrier;
  sprintf(name, "/tmp/upc-calls.%d", leader);
  upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
  CHECK(f && upc_all_fseek(f, 8 * MYTHREAD, UPC_SEEK_SET) == 8 * MYTHREAD);
  CHECK(upc_all_fwrite_local(f, out, 4, 2, 0) == 8 && upc_all_fsync(f) == 0);
  upc_all_fseek(f, 8 * next, UPC_SEEK_SET);
  upc_all_fread_local_async(f, in, 4, 2, 0);
  CHECK(upc_all_fwait_async(f) == 8 && in[0] == next && in[1] == -next);
  CHECK(upc_all_fget_size(f) == 8 * THREADS && upc_all_fcntl(f, UPC_SET_COMMON_FP, NULL) == 0);
  CHECK(upc_all_fseek(f, 0, UPC_SEEK_SET) == 0 && upc_all_fread_shared(f, row, 4, 4, 2 * THREADS, 0) == 8 * THREADS);
  upc_barrier;
  CHECK(MYTHREAD >= (THREADS + 1) / 2 || row[4 * MYTHREAD] == 2 * MYTHREAD);
  CHECK(upc_all_fclose(f) == 0);
}

int main(void) {
  CHECK(strcmp(__func__, "main") == 0);
  next = (MYTHREAD + 1) % THREADS;
  prev = (MYTHREAD + THREADS - 1) % THREADS;
  memory();
  transfer();
  scattered();
  named();
  locks();
  atomics();
  others();
  files();
  return 0;
}
