/* OpenSHMEM, GASNet and MPI in one process, each for one ring of messages. MPI is compiled in with
 * -DWITH_MPI. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <shmem.h>
#include <stdlib.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

#include "models.h"

static gex_TM_t team;
static gex_AM_Index_t on_value_index;
static long from_left, arrived; /* by GASNet's handler */
static long inbox[2];           /* symmetric, for OpenSHMEM; in turn */

static void on_value(gex_Token_t token, gex_AM_Arg_t low, gex_AM_Arg_t high) {
  (void)token;
  from_left = (long)((unsigned long)(unsigned)high << 32 | (unsigned)low);
  arrived++;
}

void models_begin(int *argc, char ***argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_AM_Entry_t entry = {.gex_fnptr = (gex_AM_Fn_t)on_value,
                          .gex_flags = GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_SHORT,
                          .gex_nargs = 2};
#ifdef WITH_MPI
  int initialized;
  MPI_Initialized(&initialized);
  if (!initialized) MPI_Init(argc, argv);
#endif
  shmem_init();
  if (gex_Client_Init(&client, &ep, &team, "models", argc, argv, 0) != GASNET_OK ||
      gex_EP_RegisterHandlers(ep, &entry, 1) != GASNET_OK)
    abort();
  on_value_index = entry.gex_index;
  shmem_barrier_all(); /* all have their handler */
}

void models_end(void) {
  shmem_finalize();
#ifdef WITH_MPI
  MPI_Finalize();
#endif
}

long ring_openshmem(long value) {
  static int turn;
  turn = !turn;
  shmem_long_p(&inbox[turn], value, (shmem_my_pe() + 1) % shmem_n_pes());
  shmem_barrier_all();
  return inbox[turn];
}

long ring_gasnet(long value) {
  static long seen;
  gex_Rank_t right = (gex_TM_QueryRank(team) + 1) % gex_TM_QuerySize(team);
  gex_AM_RequestShort2(team, right, on_value_index, 0, (gex_AM_Arg_t)value,
                       (gex_AM_Arg_t)(value >> 32));
  GASNET_BLOCKUNTIL(arrived > seen);
  seen++;
  return from_left;
}

long ring_mpi(long value) {
#ifdef WITH_MPI
  int me, n;
  long got;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Sendrecv(&value, 1, MPI_LONG, (me + 1) % n, 0, &got, 1, MPI_LONG, (me + n - 1) % n, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return got;
#else
  return ring_openshmem(value);
#endif
}

long *peer_openshmem(long *mine, int pe) {
  return shmem_ptr(mine, pe);
}
