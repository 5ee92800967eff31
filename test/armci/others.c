/*
 * What the other tests of this folder do not call, and with it: the world's communicator after the
 * end (trap 4), MPI begun by ARMCI (5), fences of a group (15), sources and targets in any memory
 * (18), lists over several allocations (19), Same_node (26), what peers lack (38), nodes (39).
 */
#include "armci_test.h"
#ifdef ARMCI_MPI
#include <armcix.h>
#endif

enum { N = 100, BYTES = N * sizeof(int) };
static int next, before;

/* ---- memory ---------------------------------------------------------------------------------- */

static void anywhere(void) {
  static int fixed[N];
  int stack[N], *heap = malloc(BYTES), *all[NP_MAX], *other[NP_MAX];
  CHECK_EQ(ARMCI_Malloc((void **)all, 4 * BYTES), 0);
  CHECK_EQ(ARMCI_Malloc((void **)other, 2 * BYTES), 0);
  int *own[] = {stack, heap, fixed, all[me] + 2 * N, other[me] + N};
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < N; i++) own[k][i] = 1000 * me + 10 * i + k;
    ARMCI_Put(own[k], all[next], BYTES, next);
    memset(own[k], 0, BYTES);
    ARMCI_Get(all[next], own[k], BYTES, next);
    for (int i = 0; i < N; i++) CHECK_EQ(own[k][i], 1000 * me + 10 * i + k);
  }
  void *from[2] = {stack, fixed}, *to[2] = {all[next], other[next]};
  armci_giov_t v = {.src_ptr_array = from, .dst_ptr_array = to, .ptr_array_len = 2, .bytes = BYTES};
  CHECK_EQ(ARMCI_PutV(&v, 1, next), 0);
  ARMCI_Barrier();
  CHECK_EQ(all[me][3], 1000 * before + 30);
  CHECK_EQ(other[me][3], 1000 * before + 32);
  ARMCI_Barrier();
  ARMCI_Free(all[me]), ARMCI_Free(other[me]);
  free(heap);
}

static void values(void) {
  char *all[NP_MAX];
  armci_hdl_t h;
  CHECK_EQ(ARMCI_Malloc((void **)all, 64), 0);
  ARMCI_Barrier();
  ARMCI_PutValueFloat(1.5f, all[next], next);
  ARMCI_PutValueDouble(-2.5, all[next] + 8, next);
  ARMCI_NbPutValueInt(me, all[next] + 16, next, &h);
  ARMCI_Wait(&h);
  ARMCI_NbPutValueLong(-me, all[next] + 24, next, NULL);
  ARMCI_WaitAll();
  ARMCI_Barrier();
  CHECK(*(float *)all[me] == 1.5f && *(double *)(all[me] + 8) == -2.5);
  CHECK(*(int *)(all[me] + 16) == before && *(long *)(all[me] + 24) == -before);
  ARMCI_Barrier();
  ARMCI_Free(all[me]);
}

/* ---- collectives of a group in reverse order ------------------------------------------------- */

static void group_of_all(void) {
  ARMCI_Group group;
  int list[NP_MAX], rank, i4 = me;
  long l = me;
  long long ll = me;
  float f = (float)me;
  double d = me;
  void *all[NP_MAX] = {0};
  for (int i = 0; i < np; i++) list[i] = np - 1 - i;
  const int sum = np * (np - 1) / 2;
  ARMCI_Group_create(np, list, &group);
  ARMCI_Group_rank(&group, &rank);
  armci_msg_group_gop_scope(SCOPE_ALL, &i4, 1, "+", ARMCI_INT, &group);
  armci_msg_group_lgop(&l, 1, "+", &group), armci_msg_group_llgop(&ll, 1, "max", &group);
  armci_msg_group_fgop(&f, 1, "+", &group), armci_msg_group_dgop(&d, 1, "max", &group);
  CHECK(i4 == sum && l == sum && ll == np - 1 && f == (float)sum && d == np - 1);
  all[rank] = &all[rank];
  armci_exchange_address_grp(all, np, &group);
  for (int i = 0; i < np; i++) CHECK(all[i] != NULL);
  int word = me;
  armci_grp_clus_brdcst(&word, sizeof word, 0, np, &group);
  CHECK_EQ(word, np - 1);
  CHECK_EQ(ARMCI_Uses_shm_grp(&group), 0);
  CHECK_EQ(ARMCI_Malloc_group_memdev(all, 64, &group, "dram"), 0);
  const int proc = list[(rank + 1) % np];
  ARMCI_NbPutValueInt(7, all[(rank + 1) % np], proc, NULL);
#ifdef ARMCI_MPI
  ARMCI_Fence(proc);
#else
  ARMCI_GroupFence(&group);
#endif
  armci_msg_group_barrier(&group);
  CHECK_EQ(*(volatile int *)all[rank], 7);
  ARMCI_Free_group(all[rank], &group);
  ARMCI_Group_free(&group);
}

/* Of the processes of this node: as many as Same_node says. */
static void nodes(void) {
  long l = 1, same = 0;
  long long ll = 1;
  float f = 1;
  double d = 1;
  int first = me;
  for (int i = 0; i < np; i++) same += ARMCI_Same_node(i) != 0;
  armci_msg_clus_lgop(&l, 1, "+"), armci_msg_clus_llgop(&ll, 1, "+");
  armci_msg_clus_fgop(&f, 1, "+"), armci_msg_clus_dgop(&d, 1, "+");
  CHECK(l == same && ll == same && f == (float)same && d == (double)same);
  armci_msg_reduce_scope(SCOPE_NODE, &first, 1, "min", ARMCI_INT);
  int from_first = me + 10;
  CHECK(ARMCI_Same_node(first));
  if (same == np) armci_msg_bcast_scope(SCOPE_NODE, &from_first, sizeof from_first, first);
  CHECK_EQ(from_first, same == np ? first + 10 : me + 10);
  long least = same, most = same;
  armci_msg_lgop(&least, 1, "min"), armci_msg_lgop(&most, 1, "max");
  const int domains = armci_domain_count(ARMCI_DOMAIN_SMP);
  CHECK_EQ(domains, least == most ? np / (int)same : np);
  CHECK_EQ(armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1), least == most ? same : 1);
}

/* ---- of one interface only ------------------------------------------------------------------- */

#ifdef ARMCI_MPI
static void only_here(void) {
  ARMCI_Group world, half, copy;
  long *all[NP_MAX], two = 2, one[1] = {1};
  armci_hdl_t h;
  int rank, size;
  ARMCI_Group_get_world(&world);
  ARMCIX_Group_split(&world, me % 2, -me, &half);
  ARMCIX_Group_dup(&half, &copy);
  ARMCI_Group_rank(&copy, &rank), ARMCI_Group_size(&copy, &size);
  CHECK_EQ(size, (np + 1 - me % 2) / 2);
  CHECK_EQ(ARMCI_Absolute_id(&copy, rank), me);
  if (size > 1) CHECK(ARMCI_Absolute_id(&copy, 0) > ARMCI_Absolute_id(&copy, 1));
  CHECK_EQ(ARMCI_Malloc_group((void **)all, 16, &copy), 0);
  ARMCI_Access_begin(all[rank]);
  all[rank][0] = all[rank][1] = 0;
  ARMCI_Access_end(all[rank]);
  armci_msg_group_barrier(&copy);
  armcix_mutex_hdl_t set = ARMCIX_Create_mutexes_hdl(rank == 0 ? 2 : 0, &copy);
  const int home = ARMCI_Absolute_id(&copy, 0);
  for (int i = 0; i < 20; i++) {
    if (i % 2)
      while (ARMCIX_Trylock_hdl(set, 1, 0) != 0) ARMCIX_Progress();
    else
      ARMCIX_Lock_hdl(set, 1, 0);
    ARMCI_PutValueLong(ARMCI_GetValueLong(all[0], home) + 1, all[0], home);
    ARMCI_Fence(home);
    ARMCIX_Unlock_hdl(set, 1, 0);
    ARMCI_NbAcc(ARMCI_ACC_LNG, &two, one, all[0] + 1, 8, home, &h);
    ARMCI_Wait(&h);
  }
  ARMCI_Fence(home);
  armci_msg_group_barrier(&copy);
  if (rank == 0) CHECK(all[0][0] == 20 * size && all[0][1] == 40 * size);
  ARMCIX_Destroy_mutexes_hdl(set);
  ARMCI_Free_group(all[rank], &copy);
  ARMCI_Group_free(&copy), ARMCI_Group_free(&half);
}
#else
static void only_here(void) {
  armci_meminfo_t info = {0};
  int *all[NP_MAX], out[N], stride[1] = {8}, count[2] = {4, N / 2};
  if (me == 0) ARMCI_Memget(64, &info, 0);
  armci_msg_bcast(&info, sizeof info, 0);
  CHECK(info.cpid == 0 && info.size == 64);
  ARMCI_Memdt(&info, 0);
  if (me == np - 1) ARMCI_PutValueLong(99, info.armci_addr + 8, 0);
  ARMCI_Barrier();
  long *seen = ARMCI_Memat(&info, 8); /* where this process may load it from */
  CHECK_EQ(seen != NULL, armci_sameclusnode(0));
  if (seen) CHECK_EQ(*seen, 99);
  ARMCI_Barrier();
  if (me == 0) ARMCI_Memctl(&info);
  CHECK_EQ(ARMCI_Malloc((void **)all, (N + 1) * sizeof(int)), 0);
  volatile int *flag = all[me] + N;
  *flag = 0;
  ARMCI_Barrier();
  for (int i = 0; i < N; i++) out[i] = me + i;
  ARMCI_PutS_flag_dir(out, stride, all[next], stride, count, 1, all[next] + N, 5, next);
  while (*flag != 5) usleep(10);
  for (int i = 0; i < N; i += 2) CHECK_EQ(all[me][i], before + i);
  ARMCI_Barrier();
  ARMCI_Free(all[me]);
}
#endif

/* ---- start and end --------------------------------------------------------------------------- */

static void begin(int argc, char **argv) {
  (void)argc, (void)argv;
#ifdef ARMCI_MPI
  CHECK_EQ(ARMCI_Init_thread(MPI_THREAD_FUNNELED), 0);
#elif defined MPI_VERSION
  int up;
  armci_msg_init(&argc, &argv);
  MPI_Initialized(&up);
  CHECK(up);
#endif
  CHECK_EQ(ARMCI_Init(), 0);
}

static void end(void) {
#ifdef MPI_VERSION
  ARMCI_Group world;
  int sum;
  ARMCI_Group_get_world(&world);
#ifdef ARMCI_MPI
  MPI_Comm comm = world.comm;
#else
  MPI_Comm comm = armci_group_comm(&world);
#endif
  ARMCI_Finalize();
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm); /* as TCGMSG does then */
  CHECK_EQ(sum, np * (np - 1) / 2);
#ifndef ARMCI_MPI
  int over;
  armci_msg_finalize();
  MPI_Finalized(&over);
  CHECK(over);
#endif
#else
  ARMCI_Finalize();
#endif
}

int main(int argc, char **argv) {
  begin(argc, argv);
  me = armci_msg_me(), np = armci_msg_nproc();
  next = (me + 1) % np, before = (me + np - 1) % np;
  anywhere();
  values();
  group_of_all();
  nodes();
  only_here();
  end();
  return 0;
}
