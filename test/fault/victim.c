/*
 * test: none
 * A job that ends badly in the way of its first argument, at the PE of its second; ending.sh and
 * check.sh judge how. Every PE leaves its process id in directory $NOTES; the others wait in a
 * barrier, or compute for ever if the way begins with "busy-"; with "flood-" all send to all for
 * ever, and the victim ends in the middle of that.
 */
#include <shmem.h>
#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static long word, block[1000];

static void note(int me) {
  char name[512];
  snprintf(name, sizeof name, "%s/pid.%d", getenv("NOTES"), me);
  FILE *f = fopen(name, "w");
  if (!f) exit(50);
  fprintf(f, "%d\n", (int)getpid());
  fclose(f);
}

/* All connections of this process are lost when they have been in use for a second. */
static void cut(int other) {
  struct sockaddr_storage peer;
  for (int i = 0; i < 1000; i++) {
    shmem_long_p(&word, 1, other);
    shmem_quiet();
    usleep(1000);
  }
  DIR *dir = opendir("/proc/self/fd");
  for (struct dirent *entry; (entry = readdir(dir));) {
    socklen_t len = sizeof peer;
    const int fd = atoi(entry->d_name);
    if (getpeername(fd, (struct sockaddr *)&peer, &len) == 0 && peer.ss_family == AF_INET)
      shutdown(fd, SHUT_RDWR);
  }
  closedir(dir);
  for (;;) {
    shmem_long_p(&word, 1, other);
    shmem_quiet();
  }
}

/* What ends the job when it goes as it should; WEFT_CHECK=1 for most of them. */
static int die(const char *way, int me, int npes) {
  int other = (me + 1) % npes;
  long here[1000] = {0};
  volatile size_t huge = (size_t)1 << 40;
  long *volatile null = NULL;
  if (!strcmp(way, "global_exit")) shmem_global_exit(7);
  if (!strcmp(way, "exit")) exit(0);
  if (!strcmp(way, "exit5")) exit(5);
  if (!strcmp(way, "exit256")) exit(256);
  if (!strcmp(way, "global_exit256")) shmem_global_exit(256);
  if (!strcmp(way, "abort")) abort();
  if (!strcmp(way, "kill")) raise(SIGKILL);
  if (!strcmp(way, "segv")) raise(SIGSEGV);
  if (!strcmp(way, "_exit")) _exit(6);
  if (!strcmp(way, "return")) return 0;
  if (!strcmp(way, "cut")) cut(other);
  if (!strcmp(way, "dest")) shmem_long_put(here, block, 10, other);
  if (!strcmp(way, "dest-nbi")) shmem_putmem_nbi(here, block, 10, other);
  if (!strcmp(way, "source")) shmem_long_get(block, here, 10, other);
  if (!strcmp(way, "atomic")) shmem_long_atomic_add(here, 1, other);
  if (!strcmp(way, "pe")) shmem_long_p(&word, 1, npes);
  if (!strcmp(way, "pe-negative")) shmem_long_atomic_fetch(&word, -1);
  if (!strcmp(way, "pe-far")) shmem_long_g(&word, 1000000);
  if (!strcmp(way, "pe-least")) shmem_putmem(&word, &me, 4, INT_MIN);
  if (!strcmp(way, "null")) shmem_long_p(null, 1, other);
  if (!strcmp(way, "null-get")) shmem_getmem(block, null + 1, 100, other);
  if (!strcmp(way, "static-end")) shmem_putmem(block, here, huge, other);
  if (!strcmp(way, "code")) shmem_long_put((long *)((uintptr_t)note & ~7ul), block, 10, other);
  if (!strcmp(way, "child") && fork() == 0) shmem_free(&block);
  if (!strcmp(way, "child")) sleep(20);
  if (!strcmp(way, "unaligned")) shmem_long_atomic_inc((long *)((char *)block + 4), other);
  if (!strcmp(way, "wait")) shmem_long_wait_until(here, SHMEM_CMP_EQ, 7);
  if (!strcmp(way, "test")) shmem_long_test(here, SHMEM_CMP_EQ, 7);
  if (!strcmp(way, "wait-all")) shmem_long_wait_until_all(here, 3, NULL, SHMEM_CMP_EQ, 7);
  if (!strcmp(way, "signal")) shmem_signal_wait_until((uint64_t *)here, SHMEM_CMP_EQ, 7);
  if (!strcmp(way, "lock")) {
    block[0] = block[1] = 1234567;
    shmem_set_lock(block);
  }
  if (!strcmp(way, "lone-malloc")) shmem_malloc(64);
  if (!strcmp(way, "lone-wait")) shmem_long_wait_until(&word, SHMEM_CMP_EQ, 77);
  if (!strcmp(way, "lone-finalize")) shmem_finalize();
  if (!strcmp(way, "overlap")) shmem_putmem(block + 1, block, 100, me);
  shmem_quiet();
  return -1;
}

/* In the middle of whatever the PE is just doing. */
static void *die_soon(void *way) {
  usleep(100000);
  die(way, 0, 1);
  return NULL;
}

static void flood(char *way, int me, int at, int npes) {
  pthread_t thread;
  long *heap = shmem_malloc(1 << 20);
  unsigned seed = (unsigned)me;
  if (me == at) pthread_create(&thread, NULL, die_soon, way);
  for (;;) {
    const int to = rand_r(&seed) % npes;
    for (int i = 0; i < 100; i++) {
      shmem_long_p(&heap[i], i, to);
      shmem_long_atomic_add(&heap[100 + i], 1, to);
    }
    shmem_long_iput(&heap[1000], block, 3, 2, 300, to);
    shmem_putmem_nbi(&heap[2000], &heap[40000], rand_r(&seed) % 200000, to);
    if (shmem_long_atomic_fetch_add(&heap[0], 1, to) < 0) shmem_quiet();
    shmem_long_iget(block, &heap[1000], 2, 3, 300, to);
  }
}

/* A context that was promised to one thread, or to one at a time, until that is found. */
static shmem_ctx_t context;
static int partner;

static void *use_context(void *arg) {
  for (;;) shmem_ctx_long_p(context, &word, 1, partner);
  return arg;
}

static int share_context(long options, int other) {
  pthread_t thread;
  char *big = shmem_malloc(1 << 22);
  partner = other;
  shmem_ctx_create(options, &context);
  pthread_create(&thread, NULL, use_context, NULL);
  while (options == SHMEM_CTX_SERIALIZED)
    shmem_ctx_putmem(context, big, big + (1 << 21), 1 << 20, other);
  pthread_join(thread, NULL);
  return 62;
}

/* PE 1 is in the world, but not in the team of this context. */
static int miss_member(const char *way, int me) {
  shmem_team_t team;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
  if (me != 0) return -1; /* and waits */
  shmem_team_create_ctx(team, 0, &context);
  if (!strcmp(way, "member-p")) shmem_ctx_long_p(context, &word, 1, 1);
  if (!strcmp(way, "member-get")) shmem_ctx_long_get(context, block, block + 500, 3, 1);
  if (!strcmp(way, "member-add")) shmem_ctx_long_atomic_add(context, &word, 1, -1);
  if (!strcmp(way, "member-iput")) shmem_ctx_long_iput(context, block, block + 500, 2, 2, 100, 1);
  return 63;
}

/* How a program may end. */
static int end_together(const char *way, int me, int npes) {
  if (!strcmp(way, "end-all")) { /* nobody finalizes: done for them, after what they began */
    shmem_long_put_nbi(block, &word, 1, (me + 1) % npes);
    return 0;
  } else if (!strcmp(way, "end-one")) { /* one does not */
    if (me != npes - 1) shmem_finalize();
    return 0;
  } else if (!strcmp(way, "end-inner")) { /* the inner of two initialisations is finalized */
    shmem_init();
    shmem_finalize();
    return 0;
  } else if (!strcmp(way, "end-busy")) { /* one is at its end long before the others */
    if (me != npes - 1) sleep(1);
    if (me == 0) shmem_long_atomic_add(&word, 1, npes - 1);
    return 0;
  } else if (!strcmp(way, "survive")) { /* until somebody says so */
    char stop[512];
    snprintf(stop, sizeof stop, "%s/end", getenv("NOTES"));
    while (access(stop, F_OK) != 0) usleep(10000);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
  } else if (!strcmp(way, "finalize-twice")) {
    shmem_finalize();
    shmem_finalize();
    return 0;
  }
  return -1;
}

/* Everyone goes wrong together, because these are collective. */
static int die_together(const char *way, int me, int npes) {
  long *heap = NULL;
  if (!strcmp(way, "large-dest")) { /* 100,000 longs that are nobody else's */
    long *large = calloc(100000, sizeof *large), *from = shmem_calloc(100000, sizeof *from);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, large, from, 100000);
  } else if (!strcmp(way, "large-source")) {
    long *large = calloc(1000, sizeof *large);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, shmem_malloc(1000 * sizeof *large), large, 1000);
  } else if (!strcmp(way, "after-finalize")) {
    shmem_finalize();
    shmem_long_p(&word, 1, (me + 1) % npes);
  } else if (!strcmp(way, "query-after-finalize")) {
    shmem_finalize();
    return shmem_my_pe();
  } else if (!strcmp(way, "reduce")) {
    long sums[2] = {0};
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sums, block, 2);
  } else if (!strcmp(way, "root")) {
    shmem_long_broadcast(SHMEM_TEAM_WORLD, block, block + 10, 10, me == 0);
  } else if (!strcmp(way, "length")) {
    shmem_long_fcollect(SHMEM_TEAM_WORLD, block, block + 500, me == 0 ? 2 : 3);
  } else if (!strcmp(way, "which")) {
    if (me == 0)
      shmem_barrier_all();
    else
      shmem_long_max_reduce(SHMEM_TEAM_WORLD, block, block + 10, 10);
  } else if (!strcmp(way, "fcollect")) { /* dest has room for one member's part only */
    shmem_fcollectmem(SHMEM_TEAM_WORLD, shmem_malloc(100), block, 100);
  } else if (!strcmp(way, "no-room")) { /* and does not look at what it got */
    heap = shmem_realloc(shmem_malloc(16), (size_t)1 << 50);
    heap = shmem_malloc((size_t)1 << 50);
    *(volatile long *)heap = 1;
  } else if (!strcmp(way, "team-world")) {
    shmem_team_destroy(SHMEM_TEAM_WORLD);
  } else if (!strcmp(way, "ctx-default")) {
    shmem_ctx_destroy(SHMEM_CTX_DEFAULT);
  } else if (!strcmp(way, "reduce-overlap")) {
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, block, block + 1, 10);
  } else if (!strcmp(way, "set-overlap")) {
    static long sync[SHMEM_REDUCE_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
    shmem_long_sum_to_all(block, block + 1, 10, 0, 0, npes, work, sync);
  } else if (!strcmp(way, "scan-overlap")) {
    shmem_long_sum_exscan(SHMEM_TEAM_WORLD, block + 1, block, 10);
  } else if (!strcmp(way, "in-place")) { /* on one PE */
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, block, me == 0 ? block : block + 10, 10);
  } else if (!strcmp(way, "scan-in-place")) {
    shmem_long_sum_inscan(SHMEM_TEAM_WORLD, block, me == 0 ? block : block + 10, 10);
  } else if (!strcmp(way, "dest-differs")) {
    shmem_long_alltoall(SHMEM_TEAM_WORLD, block + (me == 0 ? 0 : 10), block + 100, 10);
  } else if (!strcmp(way, "stride")) {
    shmem_long_iput(block, block + 100, 0, 1, 5, (me + 1) % npes);
  } else if (!strcmp(way, "calloc-over")) {
    return shmem_calloc(SIZE_MAX, 16) ? 64 : 0;
  } else if (!strcmp(way, "null-own")) {
    *(volatile long *)(uintptr_t)(8 * (unsigned)(me + 1 - me)) = 1;
  } else if (!strcmp(way, "sizes")) {
    heap = shmem_malloc(me == npes - 1 ? 200 : 100);
  } else if (!strcmp(way, "ctx-private")) {
    return share_context(SHMEM_CTX_PRIVATE, (me + 1) % npes);
  } else if (!strcmp(way, "ctx-serialized")) {
    return share_context(SHMEM_CTX_SERIALIZED, (me + 1) % npes);
  } else if (!strncmp(way, "member-", 7)) {
    return miss_member(way, me);
  } else if (!strncmp(way, "heap-", 5)) {
    heap = shmem_malloc(100);
    if (!strcmp(way, "heap-range")) shmem_putmem(heap, block, 101, (me + 1) % npes);
    if (!strncmp(way, "heap-beyond", 11)) {
      long *next = shmem_malloc(8);
      memset(heap, 0, 144); /* and what is kept between them */
      if (!strcmp(way, "heap-beyond-put")) shmem_long_p(next, 1, (me + 1) % npes);
      shmem_free(next);
    }
    if (!strcmp(way, "heap-last")) ((char *)heap)[100] = 1; /* nobody's byte */
    if (!strcmp(way, "heap-left")) ((char *)shmem_malloc(64))[64] = 1;
    if (!strcmp(way, "heap-left")) return shmem_finalize(), 62;
    if (!strcmp(way, "heap-foreign")) shmem_free(block);
    if (!strcmp(way, "heap-inside")) shmem_free(heap + 1);
    if (!strcmp(way, "heap-private")) shmem_free(malloc(10));
    if (!strcmp(way, "heap-which")) shmem_free(me == 0 ? heap : shmem_malloc(1));
    shmem_free(heap);
    if (!strcmp(way, "heap-freed")) shmem_long_p(heap, 1, (me + 1) % npes);
    if (!strcmp(way, "heap-twice")) shmem_free(heap);
    if (!strcmp(way, "heap-again")) shmem_realloc(heap, 200);
  } else {
    return -1;
  }
  return 60;
}

int main(int argc, char **argv) {
  const char *way = argv[1];
  int at = argc > 2 ? atoi(argv[2]) : 0, busy = !strncmp(way, "busy-", 5);
  if (!strcmp(way, "before-init")) shmem_long_p(&word, 1, 0);
  if (!strcmp(way, "query-before-init")) return shmem_n_pes();
  if (!strcmp(way, "malloc-before-init")) shmem_malloc(8);
  shmem_init();
  int me = shmem_my_pe(), npes = shmem_n_pes();
  note(me);
  shmem_long_p(&word, 1, (me + 1) % npes);
  shmem_barrier_all();
  if (!strncmp(way, "flood-", 6)) flood(argv[1] + 6, me, at, npes);
  int status = end_together(way, me, npes);
  if (status < 0) status = die_together(way, me, npes);
  if (status < 0 && me == at) status = die(busy ? way + 5 : way, me, npes);
  if (status >= 0) return status;
  if (busy || !strcmp(way, "wait"))
    for (;;) usleep(1000);
  shmem_barrier_all();
  if (me != at) shmem_long_wait_until(&word, SHMEM_CMP_EQ, -1);
  return 61;
}
