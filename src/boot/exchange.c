/*
 * Allgather on a put/fence/get store, as PMI-1 and PMIx offer one. It cuts blobs to what one value
 * holds and knows nothing of wires or encodings. Where the launcher has said who shares a machine
 * this is done once per machine (nodes.c), else once per PE.
 */
#include "base/base.h"
#include "boot/boot_internal.h"

#include <stdio.h>
#include <string.h>

enum { KEY_SIZE = 48 };

static size_t piece_len(const weft_kvs_t *kvs, size_t len, size_t at) {
  return len - at < kvs->value_max ? len - at : kvs->value_max;
}

static void piece_key(const weft_kvs_t *kvs, int pe, size_t at, char key[KEY_SIZE]) {
  snprintf(key, KEY_SIZE, "weft-%u-%d-%zu", kvs->round, pe, at / kvs->value_max);
}

int weft_kvs_give(weft_kvs_t *kvs, int me, const void *blob, size_t len) {
  char key[KEY_SIZE];
  int rc = 0;
  for (size_t at = 0; at < len && rc == 0; at += kvs->value_max) {
    piece_key(kvs, me, at, key);
    rc = kvs->put(kvs, key, (const char *)blob + at, piece_len(kvs, len, at));
  }
  return rc;
}

int weft_kvs_take(weft_kvs_t *kvs, int pe, void *blob, size_t len) {
  char key[KEY_SIZE];
  int rc = 0;
  for (size_t at = 0; at < len && rc == 0; at += kvs->value_max) {
    piece_key(kvs, pe, at, key);
    rc = kvs->get(kvs, pe, key, (char *)blob + at, piece_len(kvs, len, at));
  }
  return rc;
}

static int gather_singly(weft_kvs_t *kvs, const weft_boot_t *boot, const void *mine, size_t len,
                         void *all) {
  int rc = weft_kvs_give(kvs, boot->pe, mine, len);
  if (rc == 0) rc = kvs->fence(kvs);
  /* Begin with the next PE, so that not all ask for PE 0's values at once. */
  for (int i = 1; len > 0 && i < boot->npes && rc == 0; i++) {
    const int pe = (boot->pe + i) % boot->npes;
    rc = weft_kvs_take(kvs, pe, (char *)all + (size_t)pe * len, len);
  }
  if (rc == 0 && len > 0) memmove((char *)all + (size_t)boot->pe * len, mine, len);
  kvs->round++;
  return rc;
}

int weft_kvs_allgather(weft_kvs_t *kvs, const weft_boot_t *boot, const void *mine, size_t len,
                       void *all) {
  int rc = 0;
  if (len > 0 && kvs->nodes) rc = weft_nodes_allgather(kvs, boot, mine, len, all);
  /* Without nodes now, they cannot share memory, and all know it. */
  if (rc == 0 && (len == 0 || !kvs->nodes)) rc = gather_singly(kvs, boot, mine, len, all);
  if (rc == 0 && len > 0 && !kvs->told && boot->pe == 0)
    weft_info("the launcher's store has a value per %s", kvs->nodes ? "node" : "PE");
  kvs->told |= len > 0;
  return rc;
}
