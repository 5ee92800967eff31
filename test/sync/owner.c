/*
 * The owner's service: a PE that computes and calls nothing is asked to allocate by malloc, to
 * write there and to read it again, with data that travel with the call and data that do not; calls
 * are done one at a time; what a service asks back of its caller is done by the caller, who waits;
 * and there is no thread where nobody asked for one.
 */
#include <shmem.h>

#include <dirent.h>

#include "check.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

enum { ALLOC, STORE, LOAD, COUNT, BACK, TWICE, N = 100000 };

typedef struct store {
  uint64_t at;
  char data[N];
} store_t;

static int served;     /* atomic */
static long unguarded; /* raised by one function at a time */

static uint64_t serve_alloc(int from, const void *data, size_t n, void *reply, size_t *reply_n) {
  size_t bytes;
  CHECK(n == sizeof bytes && *reply_n == 0 && !reply);
  memcpy(&bytes, data, n);
  __atomic_add_fetch(&served, 1, __ATOMIC_RELEASE);
  (void)from;
  return (uint64_t)(uintptr_t)malloc(bytes);
}

static uint64_t serve_store(int from, const void *data, size_t n, void *reply, size_t *reply_n) {
  const store_t *s = data;
  (void)reply;
  (void)reply_n;
  memcpy((char *)(uintptr_t)s->at, s->data, n - offsetof(store_t, data));
  return (uint64_t)from;
}

static uint64_t serve_load(int from, const void *data, size_t n, void *reply, size_t *reply_n) {
  uint64_t at;
  (void)from;
  memcpy(&at, data, n);
  memcpy(reply, (const char *)(uintptr_t)at, *reply_n);
  return *reply_n;
}

static uint64_t serve_count(int from, const void *data, size_t n, void *reply, size_t *reply_n) {
  (void)from, (void)data, (void)n, (void)reply, (void)reply_n;
  const long before = unguarded;
  sched_yield();
  unguarded = before + 1;
  return 0;
}

static uint64_t serve_back(int from, const void *data, size_t n, void *reply, size_t *reply_n) {
  (void)data, (void)n, (void)reply, (void)reply_n;
  return weft_owner_call(from, TWICE, &from, sizeof from, NULL, 0) + 1;
}

static uint64_t serve_twice(int from, const void *data, size_t n, void *reply, size_t *reply_n) {
  int number;
  (void)from, (void)reply, (void)reply_n;
  memcpy(&number, data, n);
  return 2 * (uint64_t)number;
}

static int owner_threads(void) {
  int n = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *t; (t = readdir(tasks));) {
    char path[300], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", t->d_name);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%31s", name) == 1 && strcmp(name, "weft-owner") == 0) n++;
    if (f) fclose(f);
  }
  closedir(tasks);
  return n;
}

static void ask(int pe, int me) {
  static store_t s;
  static char back[N];
  for (size_t n = 1; n <= N; n *= 10) {
    const uint64_t at = weft_owner_call(pe, ALLOC, &n, sizeof n, NULL, 0);
    CHECK(at != 0);
    s.at = at;
    memset(s.data, 'a' + me % 26, n);
    CHECK_EQ(weft_owner_call(pe, STORE, &s, offsetof(store_t, data) + n, NULL, 0), me);
    memset(back, 0, n);
    CHECK_EQ(weft_owner_call(pe, LOAD, &at, sizeof at, back, n), (long long)n);
    CHECK(memcmp(back, s.data, n) == 0);
  }
  for (int i = 0; i < 50; i++) weft_owner_call(pe, COUNT, NULL, 0, NULL, 0);
  for (int i = 0; i < 20; i++) CHECK_EQ(weft_owner_call(pe, BACK, NULL, 0, NULL, 0), 2 * me + 1);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  weft_owner_register(ALLOC, serve_alloc);
  weft_owner_register(STORE, serve_store);
  weft_owner_register(LOAD, serve_load);
  weft_owner_register(COUNT, serve_count);
  weft_owner_register(BACK, serve_back);
  weft_owner_register(TWICE, serve_twice);
  shmem_barrier_all();
  if (npes == 1 || me == npes - 1) weft_owner_serve();
  CHECK_EQ(owner_threads(), npes == 1 || me == npes - 1);
  if (me == npes - 1 && npes > 1) /* computes until all have asked */
    CHECK_WITHIN(30, __atomic_load_n(&served, __ATOMIC_ACQUIRE) == 6 * (npes - 1));
  else
    ask(npes - 1, me);
  shmem_barrier_all();
  weft_owner_stop(); /* what its thread did is seen */
  if (me == npes - 1) CHECK_EQ(unguarded, 50 * (npes > 1 ? npes - 1 : 1));
  shmem_finalize();
  CHECK_WITHIN(10, owner_threads() == 0); /* joined is not yet gone from /proc */
  return 0;
}
