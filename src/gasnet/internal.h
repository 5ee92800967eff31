/*
 * What the files of this folder share, under the name of the .c that defines it. GASNet is a front
 * end: it knows OpenSHMEM as little as that knows it. Public headers: gasnetex.h and gasnet.h with
 * their chapters in weft/gex_*.h and weft/gasnet1_*.h.
 */
#ifndef WEFT_GASNET_INTERNAL_H
#define WEFT_GASNET_INTERNAL_H

/* The library serves every thread mode, so it is of the one that takes nothing for granted. */
#define GASNET_PAR 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "gasnet.h"
#include "gasnet/event.h" /* event.c, nbi.c */
#include "job/job.h"

/* ---- client.c ---- */

struct weft_gex_client {
  const void *cdata;
  const char *name;
  gex_Flags_t flags;
  int mode; /* WEFT_GEX_MODE: 0 SEQ, 1 PARSYNC, 2 PAR */
  struct weft_gex_ep *eps[GASNET_MAXEPS];
};
extern struct weft_gex_client weft_gex_client; /* the one client that a process may have */

/* weft_fatal "called before gex_Client_Init" unless there is a client. */
void weft_gex_up(const char *who);
/* A documented error: one line on stderr if gex_System_SetVerboseErrors(1), and `status` back. */
int weft_gex_error(int status, const char *who, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- spawn.c ---- */

/* Before the runtime starts: may replace this process by a launcher that starts it several
 * times. */
void weft_gex_spawn(int *argc, char ***argv);
/* When the job is known: one environment for all, GASNet's variables about crashes. Collective. */
void weft_gex_environment(void);

/* ---- ep.c ---- */

struct weft_gex_ep {
  gex_Client_t client;
  const void *cdata;
  gex_Flags_t flags;
  gex_EP_Capabilities_t capabilities;
  gex_EP_Index_t index;
  gex_Segment_t segment;
};

/* ---- am.c ---- */

/* Progress: handlers of messages that arrived, the network, operations that go on by being polled.
 * Every wait of this folder loops  for (unsigned steps = 0; !condition;)
 * weft_gex_wait_step(&steps); (event.h), which also yields. */
void weft_gex_poll(void);

#endif
