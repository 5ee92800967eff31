/*
 * Traps 20, 23 and 24: initialisations nest, an inner finalize is a barrier, after the last one
 * everything can begin again; the query works at any time; thread levels increase; version and
 * name.
 */
#include <shmem.h>

#include "check.h"

static int word;

static int up(void) {
  int initialized = -1;
  shmem_query_initialized(&initialized);
  return initialized != 0;
}

int main(void) {
  int provided = -1, major = 0, minor = 0;
  char name[SHMEM_MAX_NAME_LEN];
  _Static_assert(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED &&
                     SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED &&
                     SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE,
                 "levels increase");
  CHECK(!up());
  for (int level = SHMEM_THREAD_SINGLE; level <= SHMEM_THREAD_MULTIPLE; level++) {
    CHECK_EQ(shmem_init_thread(level, &provided), 0);
    CHECK(provided >= level && provided <= SHMEM_THREAD_MULTIPLE);
    provided = -1;
    shmem_query_thread(&provided);
    CHECK(up() && provided >= level);
    const int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
    shmem_init();
    CHECK_EQ(shmem_my_pe(), me);
    int *heap = shmem_calloc(4, sizeof *heap);
    shmem_int_p(heap, 10 * level + me, right);
    shmem_int_p(&word, 10 * level + me, right);
    shmem_finalize(); /* inner */
    CHECK(up());
    CHECK_EQ(*heap, 10 * level + left);
    CHECK_EQ(word, 10 * level + left);
    CHECK_EQ(shmem_int_g(&word, right), 10 * level + me);
    shmem_team_t forgotten;
    shmem_ctx_t ctx;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &forgotten), 0);
    CHECK_EQ(shmem_team_create_ctx(forgotten, 0, &ctx), 0);
    shmem_finalize(); /* last: team, context and heap block go with it */
    CHECK(!up());
    CHECK_EQ(word, 10 * level + left); /* memory outlives the library */
  }
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE + 1, &provided) != 0 && !up());
  shmem_info_get_version(&major, &minor);
  CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION && major == 1 && minor == 6);
  shmem_info_get_name(name);
  CHECK(strlen(name) < SHMEM_MAX_NAME_LEN && strcmp(name, SHMEM_VENDOR_STRING) == 0);
  return 0;
}
