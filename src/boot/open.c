/*
 * Which way in: the choice, and the small things all ways need. It knows the names of the ways, not
 * how they work.
 */
#include "base/base.h"
#include "boot/boot_internal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int weft_boot_env_int(const char *name, long low, long high, int *value) {
  const char *text = getenv(name);
  char *end = NULL;
  errno = 0;
  long number = text ? strtol(text, &end, 10) : 0;
  if (!text || end == text || *end || errno || number < low || number > high) {
    weft_warn("the launcher set %s to '%s', not to a number from %ld to %ld", name,
              text ? text : "(nothing)", low, high);
    return -EINVAL;
  }
  *value = (int)number;
  return 0;
}

/* What is wrong before there is a job is mostly wrong in all processes: the first one says so, and
 * the launcher ends the others meanwhile. weft_job_start says everything at once again. */
__attribute__((constructor)) static void let_the_first_speak(void) {
  enum { DELAY_MS = 300 };
  const char *rank = getenv("PMI_RANK");
  if (!rank) rank = getenv("PMIX_RANK");
  if (rank && strcmp(rank, "0") != 0) weft_log_set_delay(DELAY_MS);
}

static bool stays;

void weft_boot_stay(void) {
  stays = true;
}

/* It does not stay for ever: the launcher may have gone. */
void weft_boot_exit(int status) {
  enum { STAY_S = 2 };
  if (stays) {
    signal(SIGQUIT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sleep(STAY_S);
  }
  _exit(status);
}

/* Alone although a launcher started several of us: each would believe to be the whole job, so say
 * why. Of srun's tasks the first one speaks for all. */
static int refuse_silent_singletons(void) {
  const char *tasks = getenv("SLURM_STEP_NUM_TASKS"), *task = getenv("SLURM_PROCID");
  if (tasks && atoi(tasks) > 1 && task && strcmp(task, "0") != 0) return -EINVAL;
  if (tasks && atoi(tasks) > 1) {
    weft_warn("srun started %s tasks but offers neither PMIx nor PMI: add --mpi=pmix or --mpi=pmi2",
              tasks);
    return -EINVAL;
  }
  const char *size = getenv("PMI_SIZE");
  const bool open = weft_boot_pmi1_is_here() && size && atoi(size) > 1;
  if ((open || weft_boot_pmi1_is_lost()) && weft_boot_mpi_ended_pmi1()) {
    weft_warn("MPI_Finalize has closed the connection to the launcher (PMI_FD): initialise before "
              "it");
    return -ESHUTDOWN;
  }
  if (weft_boot_pmi1_is_lost()) {
    weft_warn("one of %s processes, but its connection to the launcher (PMI_FD=%s) is closed: "
              "whoever starts it must keep that open (subprocess of Python: close_fds=False); "
              "without PMI_FD it runs alone",
              getenv("PMI_SIZE"), getenv("PMI_FD"));
    return -ENOTCONN;
  }
  if (getenv("PMI_PORT")) {
    weft_warn("the launcher offers PMI through a port (PMI_PORT), only PMI_FD is supported: start "
              "mpiexec without -pmi-port");
    return -ENOTSUP;
  }
  return 0;
}

static int open_launcher(weft_boot_t **out) {
  if (weft_boot_pmi1_is_here() && !weft_boot_mpi_ended_pmi1()) return weft_boot_pmi1_open(out);
  if (getenv("PMIX_RANK")) return weft_boot_pmix_open(out);
  int rc = refuse_silent_singletons();
  return rc ? rc : weft_boot_alone_open(out);
}

/* A launcher is told once that this process has begun, and answers for all its life. */
int weft_boot_open(weft_boot_t **out) {
  static weft_boot_t *launcher;
  if (weft_boot_mpi_is_given()) return weft_boot_mpi_open(out);
  int rc = 0;
  if (!launcher && weft_boot_mpi_state() == WEFT_MPI_RUNNING) return weft_boot_mpi_open(out);
  if (!launcher) rc = open_launcher(&launcher);
  if (rc == 0) *out = launcher;
  return rc;
}

void weft_boot_close(weft_boot_t *boot) {
  if (boot->close) boot->close(boot);
}
