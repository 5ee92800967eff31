/*
 * gasnetex.h: GASNet-EX, specification 0.19, on Weft. Define exactly one of GASNET_SEQ, GASNET_PAR
 * and GASNET_PARSYNC before. The chapters:
 *   gasnet_config.h, gasnet_tools.h   what the installation is; tools
 *   weft/gex_types.h     thread mode, handles, constants
 *   weft/gex_client.h    clients, endpoints, segments, system, handler-safe locks
 *   weft/gex_tm.h        teams
 *   weft/gex_event.h     events
 *   weft/gex_rma.h       put, get, values, NBI
 *   weft/gex_am.h        active messages
 *   weft/gex_barrier.h   barriers
 *   weft/gasnet1_job.h, weft/gasnet1_barrier.h   what GASNet-1's calls are still for
 * and, as the specification has it, in headers of their own: gasnet_vis.h, gasnet_coll.h,
 * gasnet_ratomic.h, gasnet_mk.h.
 */
#ifndef WEFT_GASNETEX_H
#define WEFT_GASNETEX_H
#define _GASNETEX_H
#define _INCLUDED_GASNETEX_H

/* Clients take these for granted. */
#include <errno.h>
#include <unistd.h>

#include <gasnet_config.h>
#include <weft/gex_conduit.h>
#include <weft/gex_types.h>

#include <gasnet_tools.h>
#include <weft/gasnet1_job.h>
#include <weft/gex_client.h>
#include <weft/gex_tm.h>
#include <weft/gex_event.h>
#include <weft/gex_rma.h>
#include <weft/gex_am.h>
#include <weft/gex_barrier.h>
#include <weft/gasnet1_barrier.h>
#include <weft/gasnett_gex.h>

#endif
