/*
 * Where PEs may fail and the job goes on (WEFT_ON_DEATH=continue), a port lives in a process of its
 * own, so that no PE's death takes its node off the network. The PE that would have had the port
 * forks it before the fabric is opened. It shares the window and nothing else with that PE, through
 * which it takes part in the exchange of addresses; from then on the two do not know each other.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job/job.h"

static int line = -1; /* between the two */

static int say(const void *data, size_t n) {
  for (const char *p = data; n > 0;) {
    const ssize_t done = send(line, p, n, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return -EPIPE;
    p += done, n -= (size_t)done;
  }
  return 0;
}

static int hear(void *data, size_t n) {
  for (char *p = data; n > 0;) {
    const ssize_t done = read(line, p, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return -EPIPE; /* why has been said where it was found */
    p += done, n -= (size_t)done;
  }
  return 0;
}

/* ---- the port's process ---------------------------------------------------------------------- */

static int gather_by_parent(weft_boot_t *boot, const void *mine, size_t len, void *all) {
  const int rc = say(mine, len);
  return rc < 0 ? rc : hear(all, len * (size_t)boot->npes);
}

/* The PEs of the node see this process end, and end as well. */
static __attribute__((noreturn)) void die(weft_boot_t *boot, int status) {
  (void)boot;
  _exit(status ? status : 1);
}

static void leave(weft_boot_t *boot) {
  (void)boot;
}

static weft_boot_t bridge = {
    .name = "port", .allgather = gather_by_parent, .abort = die, .finalize = leave};

/* What it does not need may be what others wait for to be closed. */
static void close_others(int a, int b) {
  const int low = a < b ? a : b, high = a < b ? b : a;
  const int null = open("/dev/null", O_RDWR);
  if (null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
  }
  if (low > 3) weft_close_range(3, (unsigned)low - 1);
  if (high > low + 1) weft_close_range((unsigned)low + 1, (unsigned)high - 1);
  weft_close_range((unsigned)high + 1, ~0u);
}

/* What is wrong before the job has started is mostly wrong in its parent, too, which says so. */
static void become(int end) {
  enum { DELAY_MS = 600 };
  line = end;
  weft_log_set_delay(DELAY_MS);
  close_others(line, weft_job.window.fd);
  unsetenv("PMI_FD"); /* that descriptor is closed now; its number may become another one's */
  for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
  prctl(PR_SET_NAME, "weft-port");
  bridge.pe = weft_job.pe;
  bridge.npes = weft_job.npes;
  weft_job.boot = &bridge;
  weft_job.is_porter = true;
  weft_alive_note_porter(weft_job.slot, getpid());
}

/* ---- its parent ------------------------------------------------------------------------------ */

static int cannot_start(int error) {
  weft_warn("cannot start the process of this node's port: %s", strerror(error));
  return -error;
}

/* What the first child ended with. (0 too where the program lets nobody wait for children.) */
static int error_of(pid_t child) {
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) continue;
  return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

int weft_porter_fork(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return cannot_start(errno);
  const pid_t first = weft_window_fork_sharing();
  if (first == 0) {
    /* The program waits for its own children only. */
    const pid_t second = weft_window_fork_sharing();
    if (second != 0) _exit(second < 0 ? errno : 0);
    become(ends[1]);
    return 0;
  }
  const int error = first < 0 ? errno : error_of(first);
  close(ends[1]);
  line = ends[0];
  if (!error) return 0;
  weft_porter_part();
  return cannot_start(error);
}

int weft_porter_hear(void *mine, size_t n) {
  return line < 0 || weft_job.is_porter ? 0 : hear(mine, n);
}

int weft_porter_tell(const void *all, size_t n) {
  return line < 0 || weft_job.is_porter ? 0 : say(all, n);
}

void weft_porter_part(void) {
  if (line >= 0) close(line);
  line = -1;
}
