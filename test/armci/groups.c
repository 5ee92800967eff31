/*
 * Memory and groups: sizes of 0 (trap 27), addresses shifted by the program (28), groups made by
 * their members alone, overlapping and at the same time (29, 32), the default group, communicators
 * (34), devices, nodes (39), Same_node (26).
 */
#include "armci_test.h"

static int list[NP_MAX];

static void memory(void) {
  void *all[NP_MAX], *device[NP_MAX];
  for (int r = 0; r < 10; r++) {
    const int none = r % np;
    CHECK_EQ(ARMCI_Malloc(all, me == none ? 0 : 4096 * (me + 1)), 0);
    for (int i = 0; i < np; i++) CHECK((all[i] == NULL) == (i == none));
    CHECK_EQ(ARMCI_Malloc_memdev(device, 100, "dram"), 0);
    for (int i = 0; i < np; i++) {
      int v = me;
      if (i != none) ARMCI_Put(&v, (int *)all[i] + me + 3, sizeof v, i); /* shifted */
      ARMCI_Put(&v, (int *)device[i] + me, np <= 25 ? sizeof v : 0, i);
    }
    ARMCI_Barrier();
    for (int i = 0; all[me] && i < np; i++) CHECK_EQ(((int *)all[me])[i + 3], i);
    CHECK_EQ(ARMCI_Free(all[me]), 0);
    CHECK_EQ(ARMCI_Free_memdev(device[me]), 0);
  }
  char *local = ARMCI_Malloc_local(1000);
  CHECK(local != NULL);
  memset(local, 1, 1000);
  ARMCI_Copy(local, local + 500, 500);
  CHECK_EQ(ARMCI_Free_local(local), 0);
  ARMCI_Set_shm_limit(1UL << 30);
  CHECK_EQ(ARMCI_Uses_shm(), 0);
}

/* A collective of the group and memory that only it allocates. */
static void use(ARMCI_Group *group, int n, const int *world) {
  int rank, size, sum = me;
  void *all[NP_MAX];
  ARMCI_Group_rank(group, &rank);
  ARMCI_Group_size(group, &size);
  CHECK_EQ(size, n);
  CHECK_EQ(world[rank], me);
  for (int i = 0; i < n; i++) CHECK_EQ(ARMCI_Absolute_id(group, i), world[i]);
  CHECK_EQ(ARMCI_Malloc_group(all, 64, group), 0);
  const int next = (rank + 1) % n;
  ARMCI_PutValueInt(me, all[next], world[next]);
  ARMCI_Fence(world[next]);
  armci_msg_group_barrier(group);
  CHECK_EQ(*(volatile int *)all[rank], world[(rank + n - 1) % n]);
  armci_msg_group_igop(&sum, 1, "+", group);
  int want = 0;
  for (int i = 0; i < n; i++) want += world[i];
  CHECK_EQ(sum, want);
  int word = me + 1;
  armci_msg_group_bcast_scope(SCOPE_ALL, &word, sizeof word, world[n - 1], group); /* trap 33 */
  CHECK_EQ(word, world[n - 1] + 1);
  CHECK_EQ(ARMCI_Free_group(all[rank], group), 0);
#ifdef MPI_VERSION
  MPI_Comm comm = armci_group_comm(group), copy;
  int mpi_rank, mpi_size;
  MPI_Comm_dup(comm, &copy); /* as users of Global Arrays do */
  MPI_Comm_rank(copy, &mpi_rank);
  MPI_Comm_size(copy, &mpi_size);
  CHECK(mpi_rank == rank && mpi_size == n);
  MPI_Comm_free(&copy);
#endif
}

/* Even and odd, at the same time; then neighbours, which overlap; then all in reverse. */
static void made_by_members(void) {
  ARMCI_Group group, other;
  int n = 0;
  for (int i = me % 2; i < np; i += 2) list[n++] = i;
  for (int r = 0; r < 20; r++) {
    ARMCI_Group_create(n, list, &group);
    use(&group, n, list);
    ARMCI_Group_free(&group);
  }
  for (int i = 0; i + 1 < np; i++) {
    int pair[2] = {i + 1, i};
    if (me != i && me != i + 1) continue;
    ARMCI_Group_create(2, pair, &other);
    use(&other, 2, pair);
    ARMCI_Group_free(&other);
  }
  for (int i = 0; i < np; i++) list[i] = np - 1 - i;
  ARMCI_Group_create(np, list, &group);
  use(&group, np, list);
  /* A child: the first half, in the parent's numbers; the others call too and are told so. */
  int half = (np + 1) / 2, members[NP_MAX], rank;
  for (int i = 0; i < half; i++) members[i] = i;
  ARMCI_Group_create_child(half, members, &other, &group);
  ARMCI_Group_rank(&other, &rank);
  CHECK_EQ(rank >= 0, np - 1 - me < half);
  if (rank >= 0) use(&other, half, list);
  ARMCI_Group_free(&other);
  /* One without members, as of half a process: nobody is in it. */
  ARMCI_Group_create_child(0, members, &other, &group);
  ARMCI_Group_rank(&other, &rank);
  CHECK_EQ(rank, -1);
  ARMCI_Group_free(&other);
  ARMCI_Group_free(&group);
}

static void default_group(void) {
  ARMCI_Group world, group, got;
  int n = 0, rank, size, sum = 1;
  ARMCI_Group_get_world(&world);
  ARMCI_Group_rank(&world, &rank);
  ARMCI_Group_size(&world, &size);
  CHECK(rank == me && size == np);
  for (int i = me % 2; i < np; i += 2) list[n++] = i;
  ARMCI_Group_create(n, list, &group);
  ARMCI_Group_set_default(&group);
  ARMCI_Group_get_default(&got);
  ARMCI_Group_size(&got, &size);
  CHECK_EQ(size, n);
#ifdef ARMCI_MPI /* there it is for groups made of it alone: the other calls are the world's */
  n = np;
  for (int i = 0; i < n; i++) list[i] = i;
  ARMCI_Group_get_world(&got);
#endif
  armci_msg_igop(&sum, 1, "+"); /* acts on it; so do Malloc and Barrier */
  CHECK_EQ(sum, n);
  void *all[NP_MAX];
  CHECK_EQ(ARMCI_Malloc(all, 16), 0);
  ARMCI_Group_rank(&got, &rank);
  ARMCI_PutValueInt(5, all[n - 1 - rank], list[n - 1 - rank]); /* world ranks */
  ARMCI_Barrier();
  CHECK_EQ(*(volatile int *)all[rank], 5);
  ARMCI_Free(all[rank]);
  int root = me;
  armci_msg_bcast(&root, sizeof root, n - 1); /* a rank of that group */
  CHECK_EQ(root, list[n - 1]);
  ARMCI_Group_set_default(&world);
  ARMCI_Barrier();
  ARMCI_Group_free(&group);
}

static void nodes(void) {
  const int n = armci_domain_count(ARMCI_DOMAIN_SMP), mine = armci_domain_my_id(ARMCI_DOMAIN_SMP);
  int seen = 0;
  for (int d = 0; d < n; d++)
    for (int i = 0; i < armci_domain_nprocs(ARMCI_DOMAIN_SMP, d); i++, seen++) {
      const int proc = armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, d, i);
      CHECK_EQ(proc, seen); /* blocks */
      CHECK_EQ(armci_domain_id(ARMCI_DOMAIN_SMP, proc), d);
      CHECK_EQ(armci_domain_same_id(ARMCI_DOMAIN_SMP, proc), d == mine);
    }
  CHECK_EQ(seen, np);
  CHECK_EQ(armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1), armci_domain_nprocs(ARMCI_DOMAIN_SMP, mine));
  CHECK_EQ(armci_domain_id(ARMCI_DOMAIN_SMP, me), mine);
  CHECK_EQ(ARMCI_Same_node(me), 1);
}

int main(int argc, char **argv) {
  armci_begin(&argc, &argv);
  memory();
  made_by_members();
  default_group();
  nodes();
  return armci_end();
}
