/*
 * gasnet.h: GASNet-1, specification 1.8, on Weft; it includes GASNet-EX, whose objects it works on
 * (gasnet_QueryGexObjects). The chapters:
 *   weft/gasnet1_job.h      start, end, environment, segments, nodes, locks
 *   weft/gasnet1_am.h       active messages
 *   weft/gasnet1_rma.h      put, get, memset
 *   weft/gasnet1_value.h    of values in registers
 *   weft/gasnet1_sync.h     handles, access regions
 *   weft/gasnet1_barrier.h  the split-phase barrier
 *   weft/gasnet1_vis.h      non-contiguous put and get
 */
#ifndef WEFT_GASNET_H
#define WEFT_GASNET_H
#define _GASNET_H
#define _INCLUDED_GASNET_H

#include <gasnetex.h>
#include <weft/gasnet1_am.h>
#include <weft/gasnet1_barrier.h>
#include <weft/gasnet1_rma.h>
#include <weft/gasnet1_sync.h>
#include <weft/gasnet1_value.h>
#include <weft/gasnet1_vis.h>

#endif
