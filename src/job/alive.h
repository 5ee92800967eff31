/*
 * alive: which PEs still run. Only with WEFT_ON_DEATH=continue: then every node has a state of each
 * PE in its window, a thread of each process watches the PEs of its machine, the ports tell other
 * machines, and a PE that dies takes no other along: the port is in a process of its own
 * (porter.c). Otherwise all PEs run, always. Part of job's interface.
 */
#ifndef WEFT_JOB_ALIVE_H
#define WEFT_JOB_ALIVE_H

#include <stdbool.h>
#include <stdint.h>

enum weft_pe_state {
  WEFT_RUNNING,
  WEFT_STOPPED, /* has come to its end in good order and takes part in nothing any more */
  WEFT_ASLEEP,  /* failed by its own word; its process lives and serves its node */
  WEFT_FAILED   /* its process is gone */
};

/* Does the job go on when a PE dies? */
bool weft_job_goes_on(void);
/* What this node knows. It only rises. */
enum weft_pe_state weft_job_state(int pe);
static inline bool weft_job_has_failed(int pe) {
  return weft_job_state(pe) >= WEFT_ASLEEP;
}
/* How often a state of any PE has changed, as this node knows it: a wait that sees it grow looks
 * again which PEs run. One load. */
uint32_t weft_job_changes(void);
/* From now on this node knows it. */
void weft_job_mark(int pe, enum weft_pe_state state);

/* The job is complete: begin to watch. 0 or a negative errno (logged). */
int weft_alive_start(void);
/* All have come to the end: a PE that ends now has not failed. */
void weft_alive_stop(void);
/* This PE ends the job. Who goes from now on does so because of that, and nobody is told. */
void weft_alive_end_job(void);
/* This PE needs its node's port no more; does any PE of the node? */
void weft_alive_leave_port(void);
bool weft_alive_port_is_needed(void);

#endif
