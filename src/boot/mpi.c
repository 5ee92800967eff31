/*
 * Boot over the MPI that the program has initialised. Nothing here needs an MPI header or library:
 * the functions are looked up in the running process, and the few constants are those of the two
 * binary interfaces in use (Open MPI's pointers to objects, MPICH's integers, which Intel MPI and
 * MVAPICH share).
 *
 * PMI and PMIx are left alone then, but for an abort: a second client's finalize would end the MPI
 * job.
 */
#include "base/base.h"
#include "boot/boot_internal.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MPICH_COMM_WORLD = 0x44000000, MPICH_BYTE = 0x4c00010d };

/* A communicator or data type: Open MPI's is a pointer, MPICH's an int. */
typedef union mpi_handle {
  void *pointer;
  int number;
} mpi_handle_t;

/* One MPI function under both types of handle. */
typedef union mpi_function {
  void *symbol;
  int (*flag)(int *flag);
  int (*p_query)(void *comm, int *value);
  int (*n_query)(int comm, int *value);
  int (*p_dup)(void *comm, void **copy);
  int (*n_dup)(int comm, int *copy);
  int (*p_free)(void **comm);
  int (*n_free)(int *comm);
  int (*p_allgather)(const void *from, int nfrom, void *from_type, void *to, int nto, void *to_type,
                     void *comm);
  int (*n_allgather)(const void *from, int nfrom, int from_type, void *to, int nto, int to_type,
                     int comm);
  int (*p_barrier)(void *comm);
  int (*n_barrier)(int comm);
  int (*p_abort)(void *comm, int status);
  int (*n_abort)(int comm, int status);
} mpi_function_t;

typedef struct weft_boot_mpi {
  weft_boot_t boot;
  bool pointers; /* Open MPI */
  mpi_handle_t comm, byte;
  mpi_function_t allgather, barrier, abort;
} weft_boot_mpi_t;

static mpi_function_t mpi_find(const char *name) {
  mpi_function_t function = {.symbol = dlsym(RTLD_DEFAULT, name)};
  return function;
}

weft_mpi_state_t weft_boot_mpi_state(void) {
  mpi_function_t initialized = mpi_find("MPI_Initialized");
  mpi_function_t finalized = mpi_find("MPI_Finalized");
  int flag = 0;
  if (!initialized.symbol || !finalized.symbol) return WEFT_MPI_NONE;
  if (initialized.flag(&flag) || !flag) return WEFT_MPI_NONE;
  flag = 0;
  return finalized.flag(&flag) || flag ? WEFT_MPI_FINISHED : WEFT_MPI_RUNNING;
}

bool weft_boot_mpi_is_open_mpi(void) {
  return dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != NULL;
}

bool weft_boot_mpi_ended_pmi1(void) {
  return weft_boot_mpi_state() == WEFT_MPI_FINISHED && !weft_boot_mpi_is_open_mpi();
}

static int mpi_allgather(weft_boot_t *boot, const void *mine, size_t len, void *all) {
  weft_boot_mpi_t *mpi = (weft_boot_mpi_t *)boot;
  int rc;
  if (len > INT_MAX) return -EMSGSIZE;
  if (weft_boot_mpi_state() != WEFT_MPI_RUNNING) return -ESHUTDOWN;
  int n = (int)len;
  if (n == 0 && mpi->pointers) {
    rc = mpi->barrier.p_barrier(mpi->comm.pointer);
  } else if (n == 0) {
    rc = mpi->barrier.n_barrier(mpi->comm.number);
  } else if (mpi->pointers) {
    rc = mpi->allgather.p_allgather(mine, n, mpi->byte.pointer, all, n, mpi->byte.pointer,
                                    mpi->comm.pointer);
  } else {
    rc = mpi->allgather.n_allgather(mine, n, mpi->byte.number, all, n, mpi->byte.number,
                                    mpi->comm.number);
  }
  if (rc != 0)
    weft_warn("MPI_Allgather failed with code %d: MPI itself does not work between these processes",
              rc);
  return rc ? -EIO : 0;
}

/* MPICH's MPI_Abort tells the other processes first and hangs when one of them makes no progress
 * (4.0.2: a peer in MPI_Finalize), so its launcher is asked directly where that is possible. */
static void __attribute__((noreturn)) mpi_abort(weft_boot_t *boot, int status) {
  weft_boot_mpi_t *mpi = (weft_boot_mpi_t *)boot;
  if (weft_boot_mpi_state() == WEFT_MPI_RUNNING) {
    if (mpi->pointers) {
      mpi->abort.p_abort(mpi->comm.pointer, status);
    } else if (weft_boot_pmi1_send_abort(status) != 0) {
      mpi->abort.n_abort(mpi->comm.number, status);
    }
  } else if (!mpi->pointers) {
    weft_boot_pmi1_abort(status);
  }
  weft_boot_exit(status);
}

/* MPI_Finalize is the program's own affair, and so is telling the launcher. The duplicate
 * communicator is not freed: the program has finalised MPI by now, or is about to. */
static void mpi_finalize(weft_boot_t *boot) {
  (void)boot;
}

/* The job is over, MPI is not: the duplicate goes. */
static void mpi_close(weft_boot_t *boot) {
  weft_boot_mpi_t *mpi = (weft_boot_mpi_t *)boot;
  mpi_function_t release = mpi_find("MPI_Comm_free");
  if (!release.symbol || weft_boot_mpi_state() != WEFT_MPI_RUNNING) return;
  if (mpi->pointers)
    release.p_free(&mpi->comm.pointer);
  else
    release.n_free(&mpi->comm.number);
}

/* What weft_boot_mpi_use said. */
static struct {
  bool is;
  mpi_handle_t comm;
} given;

void weft_boot_mpi_use(const void *comm) {
  given.is = comm != NULL;
  if (comm && weft_boot_mpi_is_open_mpi())
    memcpy(&given.comm.pointer, comm, sizeof given.comm.pointer);
  else if (comm)
    memcpy(&given.comm.number, comm, sizeof given.comm.number);
}

bool weft_boot_mpi_is_given(void) {
  return given.is;
}

/* The communicator whose processes are the job. */
static mpi_handle_t mpi_whole(const weft_boot_mpi_t *mpi) {
  if (given.is) return given.comm;
  if (mpi->pointers) return (mpi_handle_t){.pointer = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world")};
  return (mpi_handle_t){.number = MPICH_COMM_WORLD};
}

/* Fill in the functions and a private copy of the communicator, with its rank and size. */
static int mpi_connect(weft_boot_mpi_t *mpi) {
  mpi_function_t dup = mpi_find("MPI_Comm_dup");
  mpi_function_t rank = mpi_find("MPI_Comm_rank");
  mpi_function_t size = mpi_find("MPI_Comm_size");
  int rc;

  mpi->allgather = mpi_find("MPI_Allgather");
  mpi->barrier = mpi_find("MPI_Barrier");
  mpi->abort = mpi_find("MPI_Abort");
  if (!dup.symbol || !rank.symbol || !size.symbol || !mpi->allgather.symbol ||
      !mpi->barrier.symbol || !mpi->abort.symbol) {
    weft_warn("MPI is initialised in this program but lacks functions that every MPI has: "
              "link it with the MPI library, not with a part of it");
    return -ENOSYS;
  }
  mpi->pointers = weft_boot_mpi_is_open_mpi();
  const mpi_handle_t whole = mpi_whole(mpi);
  if (mpi->pointers) {
    mpi->byte.pointer = dlsym(RTLD_DEFAULT, "ompi_mpi_byte");
    rc = dup.p_dup(whole.pointer, &mpi->comm.pointer);
    if (!rc) rc = rank.p_query(mpi->comm.pointer, &mpi->boot.pe);
    if (!rc) rc = size.p_query(mpi->comm.pointer, &mpi->boot.npes);
  } else {
    mpi->byte.number = MPICH_BYTE;
    rc = dup.n_dup(whole.number, &mpi->comm.number);
    if (!rc) rc = rank.n_query(mpi->comm.number, &mpi->boot.pe);
    if (!rc) rc = size.n_query(mpi->comm.number, &mpi->boot.npes);
  }
  if (rc)
    weft_warn("MPI_Comm_dup of %s failed with code %d: %s",
              given.is ? "the given communicator" : "MPI_COMM_WORLD", rc,
              given.is ? "is it one that this process belongs to?"
                       : "MPI itself does not work between these processes");
  return rc ? -EIO : 0;
}

/* A program of one MPI under the launcher of another sees N worlds of one. Only PE 0 says so. */
static int mpi_check_launcher(const weft_boot_mpi_t *mpi) {
  const char *pmi = getenv("PMI_SIZE"), *ompi = getenv("OMPI_COMM_WORLD_SIZE");
  const char *rank = getenv(mpi->pointers ? "PMI_RANK" : "OMPI_COMM_WORLD_RANK");
  const char *size = mpi->pointers ? pmi : ompi;
  if (given.is || mpi->boot.npes > 1 || (mpi->pointers ? ompi : pmi) || !size || atoi(size) <= 1)
    return 0;
  if (rank && strcmp(rank, "0") != 0) {
    sleep(5); /* PE 0's end ends the job; a failure here must not come before it has spoken */
    return -EINVAL;
  }
  if (!mpi->pointers) {
    weft_warn("this program is linked with MPICH but Open MPI's mpirun started it %s times, as %s "
              "MPI worlds of one: start it with mpiexec.hydra or weftrun",
              size, size);
  } else {
    weft_warn(
        "this program is linked with Open MPI but a PMI-1 launcher (mpiexec.hydra or weftrun) "
        "started it %s times, as %s MPI worlds of one: start it with Open MPI's mpirun",
        size, size);
  }
  return -EINVAL;
}

int weft_boot_mpi_open(weft_boot_t **out) {
  static weft_boot_mpi_t mpi;
  if (given.is && weft_boot_mpi_state() != WEFT_MPI_RUNNING) {
    weft_warn("a communicator was given but MPI is not running: call MPI_Init before");
    return -EINVAL;
  }
  int rc = mpi_connect(&mpi);
  if (rc == 0) rc = mpi_check_launcher(&mpi);
  if (rc) return rc;
  mpi.boot.name = "mpi";
  mpi.boot.allgather = mpi_allgather;
  mpi.boot.abort = mpi_abort;
  mpi.boot.finalize = mpi_finalize;
  mpi.boot.close = mpi_close;
  *out = &mpi.boot;
  return 0;
}
