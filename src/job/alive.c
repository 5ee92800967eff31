/*
 * The states of the PEs, and the thread that watches. A process of this machine that ends without a
 * word has failed: its pidfd tells, at once and of that process only. PEs of other machines are
 * watched by nobody yet: what is told of them by message counts (weft_job_mark).
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "job/job.h"

/* In the window of the node, in its first slot. */
typedef struct states {
  uint32_t changes;
  _Alignas(WEFT_CACHELINE) uint8_t of[];
} states_t;

static struct {
  states_t *states; /* NULL: nobody is watched */
  pthread_t thread;
  int end; /* eventfd */
  bool running;
} alive;

size_t weft_alive_bytes(void) {
  return sizeof(states_t) + (size_t)weft_job.npes;
}

bool weft_job_goes_on(void) {
  return alive.states != NULL;
}

enum weft_pe_state weft_job_state(int pe) {
  return alive.states ? (enum weft_pe_state)weft_observe(&alive.states->of[pe]) : WEFT_RUNNING;
}

uint32_t weft_job_changes(void) {
  return alive.states ? weft_observe(&alive.states->changes) : 0;
}

void weft_job_mark(int pe, enum weft_pe_state state) {
  uint8_t *word = &alive.states->of[pe], have = weft_observe(word);
  if (have == WEFT_STOPPED) return; /* whoever has stopped in good order does not fail */
  while (have < (uint8_t)state)
    if (__atomic_compare_exchange_n(word, &have, (uint8_t)state, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
      __atomic_fetch_add(&alive.states->changes, 1, __ATOMIC_RELEASE);
      return;
    }
}

/* ---- the witness ----------------------------------------------------------------------------- */

static int open_process(int pid) {
  return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* With a port's process the node is off the network: nobody reaches the PEs that live there, and
 * they would take all others for lost. */
static void note_death(int pe) {
  const weft_where_t where = weft_job.where[pe];
  weft_job_mark(pe, WEFT_FAILED);
  if (weft_job_state(pe) != WEFT_FAILED) return; /* it has stopped in good order */
  if (weft_job.nnodes == 1 || where.node != weft_job.node || where.slot >= weft_job_helpers())
    return;
  weft_warn("PE %d died, through which other nodes reached this one: this PE ends as well", pe);
  kill(getpid(), SIGKILL);
}

/* Who is gone already, or cannot be watched, is not in the list. */
static nfds_t list_processes(struct pollfd *fds, int *pes) {
  nfds_t n = 0;
  fds[n++] = (struct pollfd){.fd = alive.end, .events = POLLIN};
  for (int pe = 0; pe < weft_job.npes; pe++) {
    if (pe == weft_job.pe || !weft_job.pids[pe]) continue;
    const int fd = open_process(weft_job.pids[pe]);
    if (fd < 0) {
      if (errno == ESRCH) note_death(pe);
      continue;
    }
    pes[n] = pe;
    fds[n++] = (struct pollfd){.fd = fd, .events = POLLIN};
  }
  return n;
}

static void *watch(void *arg) {
  const size_t room = (size_t)weft_job.npes + 1;
  struct pollfd *fds = calloc(room, sizeof *fds);
  int *pes = calloc(room, sizeof *pes);
  (void)arg;
  if (!fds || !pes) weft_fatal("no memory to watch %d PEs", weft_job.npes);
  nfds_t n = list_processes(fds, pes);
  while (!(fds[0].revents & POLLIN)) {
    if (poll(fds, n, -1) < 0) continue;
    for (nfds_t i = 1; i < n; i++) {
      if (!fds[i].revents) continue;
      note_death(pes[i]);
      close(fds[i].fd);
      fds[i] = fds[--n];
      pes[i--] = pes[n];
    }
  }
  for (nfds_t i = 1; i < n; i++) close(fds[i].fd);
  free(fds);
  free(pes);
  return NULL;
}

int weft_alive_start(void) {
  if (strcmp(weft_options.on_death, "continue") != 0) return 0;
  char *first = weft_window_slot(&weft_job.window, 0);
  sigset_t all, old; /* signals are the program's */
  alive.end = eventfd(0, EFD_CLOEXEC);
  if (alive.end < 0) return -errno;
  alive.states = (states_t *)(void *)(first + weft_job.layout.states);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  const int rc = pthread_create(&alive.thread, NULL, watch, NULL);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (rc) {
    weft_warn("cannot start the thread that watches the PEs: %s", strerror(rc));
    return -rc;
  }
  alive.running = true;
  pthread_setname_np(alive.thread, "weft-witness");
  return 0;
}

void weft_alive_stop(void) {
  if (!alive.running) return;
  eventfd_write(alive.end, 1);
  pthread_join(alive.thread, NULL);
  close(alive.end);
  alive.running = false;
  alive.states = NULL;
}
