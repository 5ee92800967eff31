/*
 * Loaded before a program (LD_PRELOAD): from its start to its end a signal whose handler is not to
 * restart system calls comes every millisecond, to whichever thread. Where none came a PE's status
 * is 99 (interrupted.sh).
 */
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t signals;

static void count(int number) {
  (void)number;
  signals++;
}

__attribute__((constructor)) static void begin(void) {
  const struct sigaction action = {.sa_handler = count}; /* no SA_RESTART */
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMAX - 3};
  const struct itimerspec every = {.it_interval = {.tv_nsec = 1000000},
                                   .it_value = {.tv_nsec = 1000000}};
  timer_t timer;
  if (!getenv("PMI_RANK")) return;
  if (sigaction(SIGRTMAX - 3, &action, NULL) != 0 ||
      timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 ||
      timer_settime(timer, 0, &every, NULL) != 0)
    _exit(98);
}

__attribute__((destructor)) static void end(void) {
  if (getenv("PMI_RANK") && !signals) _exit(99);
}
