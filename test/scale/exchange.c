/*
 * By the runtime's own functions over a launcher that only counts: what a job of 150,000 PEs on
 * 10,000 nodes exchanges when it starts, by PMIx and PMI-1, where the launcher knows the nodes and
 * where not, and what a node keeps of it; and weftrun's 1,000 PEs on one; each against a bound.
 * test: unit
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "boot/boot_internal.h"
#include "job/exchange.h"

#include "check.h"

enum { PES = 150000, NODES = 10000, LOCAL = PES / NODES };

#define KB ((size_t)1 << 10)
#define MB ((size_t)1 << 20)
#define GB ((size_t)1 << 30)

/* A launcher's store that only counts what comes and goes, for the PEs of one node, each a process.
 * What the node's first PE puts for the others is there to be read; what other nodes put is ones.
 */
static struct store {
  size_t puts, put_bytes, gets, got_bytes;
  char first[64];
  pthread_barrier_t fence;
} *wire;

static void count(size_t *n, size_t by) {
  __atomic_fetch_add(n, by, __ATOMIC_RELAXED);
}
static int count_put(weft_kvs_t *kvs, const char *key, const void *bytes, size_t len) {
  (void)kvs;
  count(&wire->puts, 1);
  count(&wire->put_bytes, strlen(key) + len);
  if (len <= sizeof wire->first) memcpy(wire->first, bytes, len);
  return 0;
}
static int count_get(weft_kvs_t *kvs, int pe, const char *key, void *bytes, size_t len) {
  (void)kvs, (void)key;
  count(&wire->gets, 1);
  count(&wire->got_bytes, len);
  memset(bytes, 1, len);
  if (pe == 0 && len <= sizeof wire->first) memcpy(bytes, wire->first, len);
  return 0;
}
static int fence(weft_kvs_t *kvs) {
  (void)kvs;
  pthread_barrier_wait(&wire->fence);
  return 0;
}

/* Exchanges of the start: an identity, a byte, and where the PE is reached (job/exchange.h). */
static const size_t blobs[] = {sizeof(identity_t), 1, sizeof(contact_t)};

static void *shared(size_t n) {
  void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(p != MAP_FAILED);
  return p;
}

/* Bytes of the memory that the node's PEs share for exchanges, as this process has it. */
static size_t kept(void) {
  size_t bytes = 0;
  DIR *d = opendir("/proc/self/fd");
  CHECK(d != NULL);
  for (struct dirent *e; (e = readdir(d));) {
    char name[64] = "";
    struct stat have;
    const int fd = atoi(e->d_name);
    if (readlinkat(dirfd(d), e->d_name, name, sizeof name - 1) > 0 &&
        strncmp(name, "/memfd:weft-boot", 16) == 0 && fstat(fd, &have) == 0)
      bytes += (size_t)have.st_blocks * 512;
  }
  closedir(d);
  return bytes;
}

/* PE `pe` of the first node. Returns how many values carry a blob of its node. */
static size_t exchange_all(int pe, size_t value_max, const int *names, char *all) {
  unsigned char mine[sizeof(identity_t) + sizeof(contact_t)];
  weft_kvs_t kvs = {.value_max = value_max, .put = count_put, .fence = fence, .get = count_get};
  const weft_boot_t boot = {.pe = pe, .npes = PES};
  size_t values = 0;
  memset(mine, pe, sizeof mine);
  if (names) CHECK_EQ(weft_nodes_new(&boot, names, &kvs.nodes), 0);
  for (size_t i = 0; i < sizeof blobs / sizeof *blobs; i++) {
    CHECK_EQ(weft_kvs_allgather(&kvs, &boot, mine, blobs[i], all), 0);
    CHECK(memcmp(all + (size_t)pe * blobs[i], mine, blobs[i]) == 0);
    CHECK(names ? kept() > 0 && kept() <= 64 * KB : kept() == 0);
    values += names ? (sizeof(uint64_t) + LOCAL * blobs[i] + value_max - 1) / value_max
                    : (blobs[i] + value_max - 1) / value_max;
  }
  CHECK(!names == !kvs.nodes);
  weft_nodes_free(kvs.nodes);
  return values;
}

/* By a store whose values hold value_max bytes, of the PEs of a node; without names each PE speaks
 * for itself, and PE 0 is enough to see it. */
static void exchange_by_store(const char *name, size_t value_max, const int *names) {
  const int pes = names ? LOCAL : 1;
  char *all = shared(PES * sizeof(identity_t));
  pthread_barrierattr_t attributes;
  memset(wire, 0, sizeof *wire);
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&wire->fence, &attributes, (unsigned)pes);
  for (int pe = 1; pe < pes; pe++)
    if (fork() == 0) {
      exchange_all(pe, value_max, names, all);
      _exit(0);
    }
  const size_t values = exchange_all(0, value_max, names, all);
  for (int pe = 1, status; pe < pes; pe++) {
    CHECK(wait(&status) > 0);
    CHECK_EQ(status, 0);
  }
  munmap(all, PES * sizeof(identity_t));
  printf("%s: %s puts %zu values of %zu bytes with their keys, and gets %zu of %zu MB\n", name,
         names ? "a node" : "a PE", wire->puts, wire->put_bytes, wire->gets, wire->got_bytes / MB);
  if (names) { /* one more for the others of the node */
    CHECK_EQ(wire->puts, values + 1);
    CHECK_EQ(wire->gets, values * (NODES - 1) + LOCAL - 1);
  } else {
    CHECK_EQ(wire->puts, values);
    CHECK_EQ(wire->gets, values * (PES - 1));
  }
  CHECK(wire->put_bytes <= (size_t)pes * KB);
  CHECK(wire->got_bytes <= 72 * MB);    /* of a PE, or of a node for its PEs */
  CHECK(LOCAL * wire->got_bytes <= GB); /* each PE's copy of it: of a node, for a moment */
}

/* By weftrun, which starts one machine's: a request per blob, and a descriptor of all comes back.
 */
static void exchange_by_weftrun(void) {
  enum { MOST = 1000 };
  static char mine[WEFT_BOOT_GATHER_MAX], request[WEFT_BOOT_GATHER_REQUEST];
  size_t asked = 0, kept = 0;
  for (size_t i = 0; i < sizeof blobs / sizeof *blobs; i++) {
    CHECK(blobs[i] <= sizeof mine);
    asked += weft_boot_gather_request(mine, blobs[i], request);
    kept += MOST * blobs[i];
  }
  printf("weftrun: of %d PEs each asks with %zu bytes; weftrun reads %zu KB and keeps %zu KB\n",
         MOST, asked, MOST * asked / KB, kept / KB);
  CHECK(asked <= 2 * KB);
  CHECK(kept <= MB);
}

int main(void) {
  enum { HYDRA = 1024, NAME = 32, ANY = 1 << 20 }; /* its vallen_max; of its store's name */
  const size_t text = weft_boot_pmi1_value_max(HYDRA, NAME);
  int *names = malloc(PES * sizeof *names);
  char mapping[64];
  CHECK(names != NULL);
  wire = shared(sizeof *wire);
  exchange_by_store("PMIx", ANY, NULL);
  exchange_by_store("PMI-1", text, NULL);
  snprintf(mapping, sizeof mapping, "(vector,(0,%d,%d))", NODES, LOCAL);
  CHECK(weft_nodes_parse(mapping, PES, names));
  exchange_by_store("PMIx", ANY, names);
  exchange_by_store("PMI-1", text, names);
  free(names);
  exchange_by_weftrun();
  return 0;
}
