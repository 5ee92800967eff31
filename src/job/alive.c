/*
 * The states of the PEs, and the thread that watches. A process of this machine that ends without a
 * word has failed: its pidfd tells, at once and of that process only. PEs of other machines are
 * watched there, and the port of their node tells (port/lost.c, weft_job_mark).
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

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* Linux 5.3 */
#endif

/* In the window of the node, in its first slot. */
typedef struct states {
  uint32_t changes;
  uint32_t portless;                 /* somebody has said that a port is gone */
  uint32_t ended;                    /* a PE of this node has ended the job */
  int32_t porters[WEFT_HELPERS_MAX]; /* processes */
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
  if (have == WEFT_STOPPED) return; /* a PE that has stopped in good order does not fail */
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

/* weftrun stops all processes of such a job before it sends any of them the signal that ends them,
 * and this thread takes none: so it is still to come where the port's process ended by it. */
static bool is_being_ended(void) {
  sigset_t pending;
  return sigpending(&pending) == 0 &&
         (sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGQUIT) == 1);
}

/* With the port's process the node is off the network: nobody reaches the PEs that live there, and
 * they would take all others for lost. One of them says so. */
static void end_without_port(void) {
  if (weft_job.is_porter || weft_peek(&weft_job_shared(weft_job.pe)->port_left)) return;
  if (!is_being_ended() && __atomic_exchange_n(&alive.states->portless, 1, __ATOMIC_RELAXED) == 0)
    weft_warn("the process of node %d's port died, through which others reach the node: its PEs "
              "end as well",
              weft_job.node);
  kill(getpid(), SIGKILL);
}

void weft_alive_end_job(void) {
  if (alive.states) weft_publish(&alive.states->ended, true);
}

/* A PE that has stopped in good order has not failed. Behind the PEs come the ports. */
static void note_death(int pe) {
  const bool ended = weft_observe(&alive.states->ended);
  if (pe >= weft_job.npes) {
    if (!ended) end_without_port();
    return;
  }
  /* Before it has left: with the last one the port ends, which has to tell who failed. */
  if (!ended) weft_job_mark(pe, WEFT_FAILED);
  if (weft_job_slot(pe)) weft_publish(&weft_job_shared(pe)->port_left, true);
}

static int process_of(int pe) {
  if (pe >= weft_job.npes) return alive.states->porters[pe - weft_job.npes];
  return pe == weft_job.pe && !weft_job.is_porter ? 0 : weft_job.pids[pe];
}

/* A PE that is gone already, or cannot be watched, is not in the list. */
static nfds_t list_processes(struct pollfd *fds, int *pes) {
  nfds_t n = 0;
  int said = 0;
  fds[n++] = (struct pollfd){.fd = alive.end, .events = POLLIN};
  for (int pe = 0; pe < weft_job.npes + WEFT_HELPERS_MAX; pe++) {
    if (!process_of(pe)) continue;
    const int fd = open_process(process_of(pe));
    if (fd < 0) {
      if (errno == ESRCH)
        note_death(pe);
      else if (!said++)
        weft_warn(
            "cannot watch all processes of this node: %s; if one of them dies, nobody is told",
            strerror(errno));
      continue;
    }
    pes[n] = pe;
    fds[n++] = (struct pollfd){.fd = fd, .events = POLLIN};
  }
  return n;
}

static void *watch(void *arg) {
  const size_t room = (size_t)weft_job.npes + WEFT_HELPERS_MAX + 1;
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

bool weft_alive_is_wanted(void) {
  return strcmp(weft_options.on_death, "continue") == 0;
}

void weft_alive_open(void) {
  char *first = weft_window_slot(&weft_job.window, 0);
  if (!weft_alive_is_wanted()) return;
  alive.states = (states_t *)(void *)(first + weft_job.layout.states);
  weft_boot_stay();
}

void weft_alive_note_porter(int slot, int pid) {
  alive.states->porters[slot] = pid;
}

void weft_alive_leave_port(void) {
  if (alive.states) weft_publish(&weft_job_shared(weft_job.pe)->port_left, true);
}

bool weft_alive_port_is_needed(void) {
  for (int slot = 0; slot < weft_job.nslots; slot++)
    if (!weft_observe(&weft_job_shared(weft_job.local[slot])->port_left)) return true;
  return false;
}

int weft_alive_start(void) {
  sigset_t all, old; /* signals are the program's */
  if (!alive.states) return 0;
  weft_job_raise_file_limit(); /* a descriptor for each PE of the machine */
  alive.end = eventfd(0, EFD_CLOEXEC);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  const int rc = alive.end < 0 ? errno : pthread_create(&alive.thread, NULL, watch, NULL);
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
