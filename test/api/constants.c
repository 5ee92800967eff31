/* Every constant, handle and type of the specification, where it must be usable: #if, array sizes,
 * initialisers. */
#include <mpp/pshmem.h>
#include <mpp/shmem.h>
#include <mpp/shmemx.h>
#include <shmemx.h>

#include "check.h"

#if SHMEM_MAJOR_VERSION != 1 || SHMEM_MINOR_VERSION != 6
#error version
#endif
#if _SHMEM_MAJOR_VERSION != SHMEM_MAJOR_VERSION || _SHMEM_MINOR_VERSION != SHMEM_MINOR_VERSION
#error deprecated version
#endif

static const int distinct[][6] = {
    {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE},
    {_SHMEM_CMP_EQ, _SHMEM_CMP_NE, _SHMEM_CMP_GT, _SHMEM_CMP_GE, _SHMEM_CMP_LT, _SHMEM_CMP_LE}};
static const long bits[] = {SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE, SHMEM_CTX_NOSTORE};
static const long hints[] = {SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE};
static long psync[] = {SHMEM_SYNC_VALUE, _SHMEM_SYNC_VALUE};
static char name[SHMEM_MAX_NAME_LEN] = SHMEM_VENDOR_STRING,
            old_name[_SHMEM_MAX_NAME_LEN] = _SHMEM_VENDOR_STRING;
static const size_t sizes[] = {SHMEM_SYNC_SIZE,
                               SHMEM_BARRIER_SYNC_SIZE,
                               SHMEM_BCAST_SYNC_SIZE,
                               SHMEM_COLLECT_SYNC_SIZE,
                               SHMEM_REDUCE_SYNC_SIZE,
                               SHMEM_ALLTOALL_SYNC_SIZE,
                               SHMEM_ALLTOALLS_SYNC_SIZE,
                               SHMEM_REDUCE_MIN_WRKDATA_SIZE,
                               _SHMEM_BARRIER_SYNC_SIZE,
                               _SHMEM_BCAST_SYNC_SIZE,
                               _SHMEM_COLLECT_SYNC_SIZE,
                               _SHMEM_REDUCE_SYNC_SIZE,
                               _SHMEM_REDUCE_MIN_WRKDATA_SIZE};
static const shmem_team_t team_handles[] = {SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED,
                                            SHMEM_TEAM_INVALID};
static const shmem_ctx_t ctx_handles[] = {SHMEM_CTX_DEFAULT, SHMEM_CTX_INVALID};
static const shmem_team_config_t team_config = {.num_contexts = 1};
static const shmem_ctx_session_config_t session_config = {.total_ops = 2};

int main(void) {
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < i; j++) CHECK(distinct[k][i] != distinct[k][j]);
  CHECK((bits[0] | bits[1] | bits[2]) == bits[0] + bits[1] + bits[2] && bits[0] && bits[1] &&
        bits[2]);
  CHECK(hints[0] && hints[1] && (hints[0] & hints[1]) == 0);
  CHECK(SHMEM_SIGNAL_SET != SHMEM_SIGNAL_ADD && psync[0] == psync[1]);
  CHECK_STR(name, old_name);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    CHECK(sizes[i] >= 1 && sizes[i] <= SHMEM_SYNC_SIZE);
  CHECK(team_handles[0] != team_handles[1] && team_handles[0] && team_handles[1] &&
        !team_handles[2]);
  CHECK(ctx_handles[0] && !ctx_handles[1]);
  CHECK(team_config.num_contexts == 1 && session_config.total_ops == 2);
  CHECK(SHMEM_TEAM_NUM_CONTEXTS && SHMEM_CTX_SESSION_TOTAL_OPS && SHMEM_CTX_SESSION_BATCH);
  return 0;
}
