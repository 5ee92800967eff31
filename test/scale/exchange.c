/*
 * By the runtime's own functions over a launcher that only counts: what a job of 150,000 PEs on
 * 10,000 nodes exchanges when it starts, by PMIx and PMI-1, and weftrun's 1,000 PEs on one; each
 * against a bound.
 * test: unit
 */
#include <stdlib.h>
#include <string.h>

#include "boot/internal.h"
#include "job/exchange.h"

#include "check.h"

enum { PES = 150000, NODES = 10000, LOCAL = PES / NODES };

#define KB ((size_t)1 << 10)
#define MB ((size_t)1 << 20)
#define GB ((size_t)1 << 30)

/* A launcher's store that only counts what comes and goes. */
static struct {
  size_t puts, put_bytes, gets, got_bytes;
} wire;

static int count_put(weft_kvs_t *kvs, const char *key, const void *bytes, size_t len) {
  (void)kvs, (void)bytes;
  wire.puts++;
  wire.put_bytes += strlen(key) + len;
  return 0;
}
static int count_get(weft_kvs_t *kvs, int pe, const char *key, void *bytes, size_t len) {
  (void)kvs, (void)pe, (void)key, (void)bytes;
  wire.gets++;
  wire.got_bytes += len;
  return 0;
}
static int no_fence(weft_kvs_t *kvs) {
  (void)kvs;
  return 0;
}

/* Exchanges of the start: an identity, a byte, and where the PE is reached (job/exchange.h). */
static const size_t blobs[] = {sizeof(identity_t), 1, sizeof(contact_t)};

/* By a store whose values hold value_max bytes, of PE 0: the runtime's own exchange. */
static void exchange_by_store(const char *name, size_t value_max, size_t most_values) {
  static unsigned char mine[sizeof(identity_t) + sizeof(contact_t)];
  weft_kvs_t kvs = {.value_max = value_max, .put = count_put, .fence = no_fence, .get = count_get};
  const weft_boot_t boot = {.pe = 0, .npes = PES};
  void *all = calloc(PES, sizeof mine);
  CHECK(all != NULL);
  memset(&wire, 0, sizeof wire);
  for (size_t i = 0; i < sizeof blobs / sizeof *blobs; i++)
    CHECK_EQ(weft_kvs_allgather(&kvs, &boot, mine, blobs[i], all), 0);
  free(all);
  printf("%s: a PE puts %zu values of %zu bytes with their keys, and gets %zu of %zu MB; the "
         "launcher keeps %zu MB\n",
         name, wire.puts, wire.put_bytes, wire.gets, wire.got_bytes / MB,
         PES * wire.put_bytes / MB);
  CHECK_EQ(kvs.round, 3);
  CHECK(wire.put_bytes <= KB);
  CHECK(wire.puts <= most_values);
  CHECK_EQ(wire.gets, wire.puts * (PES - 1));
  CHECK(wire.got_bytes <= 64 * MB);
  CHECK(LOCAL * wire.got_bytes <= GB); /* of a node, for a moment */
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
  exchange_by_store("PMIx", ANY, 3);
  exchange_by_store("PMI-1", weft_boot_pmi1_value_max(HYDRA, NAME), 3);
  exchange_by_weftrun();
  return 0;
}
