/*
 * OpenSHMEM first, and an Open MPI that is loaded only then, as by mpi4py (mpi_shmem.sh): its ranks
 * are the PEs.
 * test: none
 */
#include <dlfcn.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *mpi;

static void find(const char *name, void *function) {
  void *symbol = dlsym(mpi, name);
  if (!symbol) {
    fprintf(stderr, "no %s: %s\n", name, dlerror());
    exit(1);
  }
  memcpy(function, &symbol, sizeof symbol);
}

int main(void) {
  int (*init)(int *, char ***), (*finalize)(void), (*barrier)(void *);
  int (*get_rank)(void *, int *), (*get_size)(void *, int *), rank = -1, size = -1;
  void *world;
  shmem_init();
  mpi = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
  find("MPI_Init", &init), find("MPI_Finalize", &finalize), find("MPI_Barrier", &barrier);
  find("MPI_Comm_rank", &get_rank), find("MPI_Comm_size", &get_size);
  find("ompi_mpi_comm_world", &world);
  if (init(NULL, NULL) || get_rank(world, &rank) || get_size(world, &size) || barrier(world))
    return 1;
  if (rank != shmem_my_pe() || size != shmem_n_pes()) return 1;
  shmem_barrier_all();
  finalize();
  shmem_barrier_all();
  if (shmem_my_pe() == 0) puts("right");
  shmem_finalize();
  return 0;
}
